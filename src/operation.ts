// One operation, every face: REST route, MCP tool and OpenAPI entry are all made from this one value.
import type { z } from 'zod'
import type { Scope } from '../schemas/api-key.ts'
import type { AuditEntry } from './audit/audit.ts'
import type { Caller } from './caller.ts'
import type { Config } from './config.ts'
import type { ReadHandle, WriteHandle } from './database/database.ts'
import type { ErrorCode } from './errors.ts'
import type { Letter } from './mail/outbox.ts'

/** Where an operation is offered. */
export type Door = 'rest' | 'mcp' | 'console'

export interface HttpRoute {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** Relative to `/api/v1/mcp`; `{name}` is a key of the input. What is left of it is the query or the body. */
  path: `/${string}`
}

/** MCP's four hints; every tool says all of them. */
export interface Annotations {
  readOnly: boolean
  destructive: boolean
  idempotent: boolean
  openWorld: boolean
}

/** What a handler works with. `Answer` is what the operation answers. */
export interface OperationContext<Answer = unknown> {
  config: Config
  /** Reads outside of a transaction. */
  db: ReadHandle
  /**
   * The operation's one write transaction. It returns the answer, and the handler returns just that: with an
   * `Idempotency-Key` the answer is kept in the same transaction.
   */
  transaction(work: (tx: WriteHandle) => Promise<Answer>): Promise<Answer>
  /** Records who did what, in the same transaction. */
  audit(tx: WriteHandle, entry: AuditEntry): Promise<void>
  /** Writes a mail in the same transaction; it leaves after the commit. */
  mail(tx: WriteHandle, letter: Letter): Promise<void>
}

export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject
> {
  /** MCP tool name, audit action and OpenAPI operationId. */
  name: string
  title: string
  /** When to use it and what comes back, in at most two sentences; a model reads it too. */
  summary: string
  scope: Scope
  doors: readonly Door[]
  http?: HttpRoute
  input: Input
  output: Output
  annotations: Annotations
  /** What it can refuse beyond what every operation can; documented in OpenAPI. */
  errors: readonly ErrorCode[]
  handle(
    ctx: OperationContext<z.input<Output>>,
    caller: Caller,
    input: z.output<Input>
  ): Promise<z.input<Output>>
}

/** An operation in the one list, its own types erased. */
export type AnyOperation = Omit<Operation, 'handle'> & {
  handle(ctx: OperationContext, caller: Caller, input: unknown): Promise<unknown>
}

/** Checks one operation's types against each other, then erases them for the list: the one cast of its kind. */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodObject>(
  operation: Operation<Input, Output>
): AnyOperation {
  return operation as unknown as AnyOperation
}
