// One operation, every face: REST route, MCP tool and OpenAPI entry are all made from this one value.
import type { z } from 'zod'
import type { AnyScope, Scope } from '../schemas/api-key.ts'
import { Acknowledgement, NoInput } from '../schemas/envelope.ts'
import type { AiKeys } from './ai-gateway/keys.ts'
import type { AuditAct } from './audit/audit.ts'
import type { Caller } from './caller.ts'
import type { Config } from './config.ts'
import type { Database, ReadHandle, WriteHandle } from './database/database.ts'
import type { ErrorCode } from './errors.ts'
import type { AgentChat } from './instances/chat/chat.ts'
import type { Deploys } from './instances/deploy/deploys.ts'
import type { SshConnections } from './instances/ssh/connections.ts'
import type { MemoryLimit } from './limits/rate-limits.ts'
import type { Letter, Notice } from './mail/templates/letters.ts'
import type { MemoryEngine } from './memory/engine.ts'
import type { Secrets } from './secrets.ts'

/**
 * Where an operation is offered: to partners by REST, MCP and the console, to their customers by the portal, and to whoever
 * runs the service by the CLI.
 */
export type Channel = 'rest' | 'mcp' | 'console' | 'portal' | 'operator'

export type Group =
  | 'Customers'
  | 'Portal access'
  | 'Team members'
  | 'Voice agents'
  | 'Instances'
  | 'Memory'
  | 'Credits'
  | 'Usage'
  | 'Statements'
  | 'Plans'
  | 'Audit log'

export interface HttpRoute {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Relative to `/api/v1/mcp`; `{name}` is a key of the input. What is left of it is the query or the body. */
  path: `/${string}`
  /** Below which heading documents have it. */
  group: Group
  /** Of a success; 200 unless the work goes on after the answer. */
  status?: 202
  /** A body to show, where one of all fields would say less. */
  example?: Record<string, unknown>
}

/** MCP's four hints; every tool says all of them. */
export interface Annotations {
  readOnly: boolean
  destructive: boolean
  idempotent: boolean
  openWorld: boolean
}

export const READS: Annotations = { readOnly: true, destructive: false, idempotent: true, openWorld: false }
export const ADDS: Annotations = { readOnly: false, destructive: false, idempotent: false, openWorld: false }
/** What was there before is gone; doing it again makes no difference. */
export const CHANGES: Annotations = { ...ADDS, destructive: true, idempotent: true }
/** Doing it again makes no difference. */
export const SETS: Annotations = { ...ADDS, idempotent: true }

/** What every operation may use of the service. */
export interface Services {
  config: Config
  secrets: Secrets
  memoryEngine: MemoryEngine
  /** Spends of what a customer's memory may be called a minute. */
  limitMemory: MemoryLimit
  /** Keys for agents on customers’ servers. */
  aiKeys: AiKeys
  ssh: SshConnections
  /** Deploys on customers’ servers: they begin after the commit of the transaction that asks for one. */
  deploys: Deploys
  agentChat: AgentChat
}

/** What a handler works with. `Answer` is what the operation answers. */
export interface OperationContext<Answer = unknown> extends Services {
  db: ReadHandle
  /** As it was sent. What comes twice with it is answered once where the work is in `transaction`. */
  idempotencyKey: string | undefined
  /**
   * The operation's one write transaction, the last one of external work. It returns the answer, and the handler
   * returns just that: with an `Idempotency-Key` the answer is kept in the same transaction; one that tells of a Mind
   * until that is forgotten.
   */
  transaction(work: (tx: WriteHandle) => Promise<Answer>, mindId?: string): Promise<Answer>
  /** Records who did what, in the same transaction. */
  audit(tx: WriteHandle, entry: AuditAct): Promise<void>
  /**
   * Writes a mail in the same transaction; it leaves after the commit.
   *
   * @throws ServiceError `rate_limited` when the caller caused enough of them today
   */
  mail(tx: WriteHandle, letter: Letter | Notice): Promise<void>
}

/** What external work has beside: it may take several short transactions, and ends at its deadline. */
export interface ExternalContext<Answer = unknown> extends OperationContext<Answer> {
  /** Aborts at the deadline; hand it to everything that goes over a network. */
  signal: AbortSignal
  /**
   * A short transaction before the answer's own, such as one that reserves what the work will cost. With an
   * `Idempotency-Key` it commits only while the key is this call's; a later call may take over when a process died.
   */
  step<T>(work: (tx: WriteHandle) => Promise<T>): Promise<T>
  /** For what takes many small transactions, such as an import. */
  database: Database
  onProgress(done: number): void
}

interface Face<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** MCP tool name, audit action and OpenAPI operationId. */
  name: string
  /** What documents call it. */
  title?: string
  /** When to use it and what comes back, in at most two sentences; a model reads it too. */
  summary?: string
  scope: AnyScope
  /** The console alone unless told. */
  channels?: readonly Channel[]
  http?: HttpRoute
  /** A long answer comes in pages: the list in it. The `nextCursor` of a page is the `cursor` that asks for the next one. */
  lines?: string
  /** Its `file`, of the input or else of the output, is the whole body over REST: so many bytes at most. */
  file?: number
  /** Nothing unless told. */
  input?: Input
  /** Its message alone unless told. */
  output?: Output
  /** `READS` unless told, where the scope is one to read. */
  annotations?: Annotations
  /** Its MCP tool can be called, and stands in no list. */
  isUnlisted?: true
  /** Whether somebody gets a mail because of it. */
  mails?: (input: Readonly<Record<string, unknown>>) => boolean
  /**
   * What it can refuse beyond what every operation can; documented in OpenAPI. What takes an id of `NOT_FOUND`
   * may not find it, without saying so.
   */
  errors?: readonly ErrorCode[]
}

interface Handled<Input extends z.ZodObject, Output extends z.ZodObject, Context>
  extends Face<Input, Output> {
  /**
   * Secrets of the answer. They are never kept for a repeated Idempotency-Key: a replay has null there, and its
   * `message` says so. The output schema must let them be null and have a `message`.
   */
  shownOnce?: SecretFields<Output>
  handle(ctx: Context, caller: Caller, input: z.output<Input>): Promise<z.input<Output>>
}

/** An operation that only reads, or that does something before the one transaction that has its effects. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject>
  extends Handled<Input, Output, OperationContext<z.input<Output>>> {
  deadlineMs?: never
}

/** An operation that is nothing but its one transaction: what `write` returns is the answer. */
interface WritingOperation<Input extends z.ZodObject, Output extends z.ZodObject>
  extends Omit<Operation<Input, Output>, 'handle'> {
  write(
    tx: WriteHandle,
    ctx: OperationContext<z.input<Output>>,
    caller: Caller,
    input: z.output<Input>
  ): Promise<z.input<Output>>
}

/**
 * An operation that also works outside of the database: it asks a model, a provider, a server. With an
 * `Idempotency-Key` it runs once at a time, and again only where it failed or its process died.
 */
interface ExternalOperation<Input extends z.ZodObject, Output extends z.ZodObject>
  extends Handled<Input, Output, ExternalContext<z.input<Output>>> {
  /** When `signal` aborts, in milliseconds from the call. The key stays this call's for a while longer. */
  deadlineMs: number
}

type SecretFields<Output extends z.ZodObject> =
  z.input<Output> extends { message: string } ? readonly NullableKey<z.input<Output>>[] : never

type NullableKey<T> = { [Key in keyof T]: null extends T[Key] ? Key : never }[keyof T]

/** An operation in the one list, its own types erased. */
export type AnyOperation = Face<z.ZodObject, z.ZodObject> & {
  title: string
  summary: string
  channels: readonly Channel[]
  input: z.ZodObject
  output: z.ZodObject
  annotations: Annotations
  errors: readonly ErrorCode[]
  shownOnce?: readonly string[]
} & (
    | {
        deadlineMs?: never
        handle(ctx: OperationContext, caller: Caller, input: unknown): Promise<unknown>
      }
    | {
        deadlineMs: number
        handle(ctx: ExternalContext, caller: Caller, input: unknown): Promise<unknown>
      }
  )

/** An operation as pages call it: what it answers is known. */
export type Answering<Output extends z.ZodObject> = AnyOperation & { output: Output }

/** Whatever doesn't only read says its hints. */
type Hinted = { scope: `${string}:read` } | { annotations: Annotations }

/** What keys and customers reach is held by scopes that they can have. */
type Held = { scope: Scope } | { channels?: readonly ('console' | 'operator')[] }

/** Whatever documents or agents read of has words for them, and a change a title, which the audit log tells it by. */
type Worded =
  | { title: string; summary: string }
  | ({ channels?: readonly Exclude<Channel, 'rest' | 'mcp'>[] } & (
      | { scope: `${string}:read` }
      | { title: string }
    ))

const NOT_FOUND: readonly [id: string, code: ErrorCode][] = [
  ['customerId', 'customer_not_found'],
  ['instanceId', 'instance_not_found'],
  ['teamMemberId', 'team_member_not_found'],
  ['statementId', 'statement_not_found'],
  ['appId', 'app_not_found'],
  ['partnerUserId', 'partner_user_not_found'],
  ['webhookId', 'webhook_not_found']
]

/** Checks one operation's types against each other, then erases them for the list: the one cast of its kind. */
export function defineOperation<
  Input extends z.ZodObject = typeof NoInput,
  Output extends z.ZodObject = typeof Acknowledgement
>(
  operation: (Operation<Input, Output> | WritingOperation<Input, Output> | ExternalOperation<Input, Output>) &
    Hinted &
    Held &
    Worded
): Answering<Output> {
  const { name: title, input = NoInput, errors = [] } = operation
  const implied = NOT_FOUND.flatMap(([id, code]) =>
    id in input.shape && !errors.includes(code) ? [code] : []
  )
  const channels = ['console']
  const unsaid = { title, summary: '', channels, input, output: Acknowledgement, annotations: READS }
  const written = 'write' in operation && {
    handle: (ctx: OperationContext<z.input<Output>>, caller: Caller, given: z.output<Input>) =>
      ctx.transaction((tx) => operation.write(tx, ctx, caller, given))
  }
  return {
    ...unsaid,
    ...operation,
    ...written,
    errors: [...implied, ...errors]
  } as unknown as Answering<Output>
}
