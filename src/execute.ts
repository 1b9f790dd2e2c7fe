// The one way into an operation, whatever the door.
import { recordAct } from './audit/audit.ts'
import { type Caller, requireScope } from './caller.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import {
  AlreadyClaimed,
  type Claim,
  claimFor,
  claimKey,
  keepAnswer,
  keptAnswer
} from './idempotency/idempotency.ts'
import { invalidInput } from './invalid-input.ts'
import type { Outbox } from './mail/outbox.ts'
import type { AnyOperation, OperationContext } from './operation.ts'
import type { Secrets } from './secrets.ts'

/** What `execute` needs of the service. */
export interface ExecuteContext {
  config: Config
  database: Database
  secrets: Secrets
  outbox: Outbox
}

/** What a call brings beside its input. */
export interface Call {
  caller: Caller
  requestId: string
  /** Repeats with the same key and input get the first answer; only operations that POST take one. */
  idempotencyKey?: string | undefined
}

export interface Answer {
  output: Record<string, unknown>
  /** Whether this is the kept answer to an earlier request with the same Idempotency-Key. */
  isReplay: boolean
}

/**
 * Scope → input → idempotency key → handler → output. Columns that the output schema doesn't name can't leak.
 *
 * @throws ServiceError `missing_scope`, `invalid_input`, `idempotency_conflict`, and what the operation lists
 */
export async function execute(
  operation: AnyOperation,
  ctx: ExecuteContext,
  call: Call,
  input: unknown
): Promise<Answer> {
  requireScope(call.caller, operation.scope)
  const parsed = operation.input.safeParse(input)
  if (!parsed.success) throw invalidInput(parsed.error)

  const takesKey = operation.http?.method === 'post' && call.idempotencyKey !== undefined
  if (!takesKey) return { output: await run(operation, ctx, call, parsed.data), isReplay: false }

  const claim = claimFor(call.caller.partnerId, operation.name, call.idempotencyKey ?? '', parsed.data)
  const kept = await keptAnswer(ctx.database.read, claim)
  if (kept !== undefined) return replay(operation, kept)
  try {
    return { output: await run(operation, ctx, call, parsed.data, claim), isReplay: false }
  } catch (error) {
    if (!(error instanceof AlreadyClaimed)) throw error
    return replay(operation, await keptAnswer(ctx.database.read, claim))
  }
}

const replay = (operation: AnyOperation, kept: unknown): Answer => ({
  output: operation.output.parse(kept),
  isReplay: true
})

async function run(
  operation: AnyOperation,
  ctx: ExecuteContext,
  call: Call,
  input: unknown,
  claim?: Claim
): Promise<Record<string, unknown>> {
  let committed: { answer: unknown; output: Record<string, unknown> } | undefined
  const operationContext: OperationContext = {
    config: ctx.config,
    db: ctx.database.read,
    async transaction(work) {
      if (committed) throw new Error(`${operation.name} opened a second transaction`)
      committed = await ctx.database.transaction(async (tx) => {
        if (claim) await claimKey(tx, claim)
        const answer = await work(tx)
        const output = operation.output.parse(answer)
        if (claim) await keepAnswer(tx, claim, output)
        return { answer, output }
      })
      return committed.answer
    },
    audit: (tx, entry) =>
      recordAct(tx, {
        ...entry,
        partnerId: call.caller.partnerId,
        actor: call.caller.actor,
        action: operation.name,
        requestId: call.requestId
      }),
    mail: (tx, letter) => ctx.outbox.enqueue(tx, letter)
  }
  const answer = await operation.handle(operationContext, call.caller, input)
  if (!committed) return operation.output.parse(answer)
  if (answer !== committed.answer)
    throw new Error(`${operation.name} must answer what its transaction returned`)
  return committed.output
}
