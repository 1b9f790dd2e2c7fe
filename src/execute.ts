// The one way into an operation, whatever the channel.
import { recordAct } from './audit/audit.ts'
import { type Caller, requireOwnCustomer, requireScope } from './caller.ts'
import type { Database } from './database/database.ts'
import { ServiceError } from './errors.ts'
import {
  AlreadyClaimed,
  type Claim,
  claimFor,
  claimKey,
  holdKey,
  inProgress,
  isLeased,
  keepAnswer,
  keptAnswer,
  type LeasedClaim,
  releaseKey,
  withLease
} from './idempotency/idempotency.ts'
import { invalidInput } from './invalid-input.ts'
import { spendMail } from './limits/daily.ts'
import type { Outbox } from './mail/outbox.ts'
import { asUnavailable } from './memory/availability.ts'
import type { AnyOperation, ExternalContext, OperationContext, Services } from './operation.ts'
import { turnOfPartner } from './slices.ts'
import { inSpan } from './trace.ts'

export interface ExecuteContext extends Services {
  database: Database
  outbox: Outbox
}

export interface Call {
  caller: Caller
  requestId: string
  /** Repeats with the same key and input get the first answer; only operations that POST take one. */
  idempotencyKey?: string | undefined
  /** Is told how far work in many steps is. */
  onProgress?: ((done: number) => void) | undefined
}

export interface Answer {
  output: Record<string, unknown>
  /** Whether this is the kept answer to an earlier request with the same Idempotency-Key. */
  isReplay: boolean
}

/**
 * Scope → input → idempotency key → handler → output. Columns that the output schema doesn't name can't leak.
 *
 * @throws ServiceError `missing_scope`, `invalid_input`, `idempotency_conflict`, `idempotency_in_progress`, and what
 * the operation lists
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
  requireOwnCustomer(call.caller, parsed.data)
  await turnOfPartner(() => call.caller.partnerId)

  try {
    const work = () => answer({ operation, ctx, call, input: parsed.data })
    return await inSpan('execute', work, { 'mindgate.operation': operation.name })
  } catch (error) {
    // Of a customer's memory §7 says 503 whatever keeps it from answering, the claim on a key included.
    throw operation.errors.includes('memory_unavailable') ? asUnavailable(error) : error
  }
}

interface Run {
  operation: AnyOperation
  ctx: ExecuteContext
  call: Call
  input: unknown
  claim?: Claim
}

async function answer(asked: Omit<Run, 'claim'>): Promise<Answer> {
  const claim = claimOf(asked)
  if (!claim) return { output: await run(asked), isReplay: false }

  const { operation, ctx } = asked
  const kept = await keptAnswer(ctx.database.read, claim)
  if (kept !== undefined) return replay(ctx, operation, kept)
  try {
    const output = await (isLeased(claim) ? runLeased({ ...asked, claim }) : run({ ...asked, claim }))
    return { output, isReplay: false }
  } catch (error) {
    // What stood in the way of a refusal may be what another call with this key did in between.
    const isRefusal = error instanceof ServiceError && !isLeased(claim)
    if (!isRefusal && !(error instanceof AlreadyClaimed)) throw error
    const theirs = await keptAnswer(ctx.database.read, claim)
    if (theirs !== undefined) return replay(ctx, operation, theirs)
    // Whoever had the key gave it up in between: asking again starts over.
    throw error instanceof AlreadyClaimed ? inProgress(0) : error
  }
}

/** The call's claim on its key. Reads and what is idempotent by its method need none: there a key means nothing. */
function claimOf({ operation, ctx, call: { caller, idempotencyKey }, input }: Run): Claim | undefined {
  if (idempotencyKey === undefined) return undefined
  const { name, http, annotations, deadlineMs, file } = operation
  // A file is neither compared nor kept.
  if (file !== undefined) return undefined
  const addsSomething = http ? http.method === 'post' : !annotations.readOnly
  if (deadlineMs === undefined && !addsSomething) return undefined
  const claim = ownClaim(caller, claimFor(caller.partnerId, name, idempotencyKey, input))
  if (deadlineMs === undefined) return claim
  return withLease(claim, { deadlineMs, busyDeadlineMs: ctx.config.busyDeadlineMs })
}

/** Customers of one partner choose their keys without knowing of each other. No key that is sent has a space. */
const ownClaim = ({ customerId }: Caller, claim: Claim): Claim =>
  customerId === undefined ? claim : { ...claim, key: `${customerId} ${claim.key}` }

/** Not before what the first answer told of is as sure as that answer said. */
async function replay({ database }: ExecuteContext, { output }: AnyOperation, kept: unknown) {
  await database.settled()
  return { output: output.parse(kept), isReplay: true }
}

/** Claims the key, works without holding a transaction over it, and frees the key when the work fails. */
async function runLeased(leased: Run & { claim: LeasedClaim }) {
  const { ctx, call, claim } = leased
  const { partnerId } = call.caller
  await ctx.database.transaction((tx) => claimKey(tx, claim), partnerId)
  try {
    return await run(leased)
  } catch (error) {
    // Where even this fails, the lease ends by itself; the caller hears of the first error either way.
    await Promise.allSettled([ctx.database.transaction((tx) => releaseKey(tx, claim), partnerId)])
    throw error
  }
}

async function run(asked: Run) {
  const { operation, ctx, call, input, claim } = asked
  const { partnerId, customerId, actor } = call.caller
  let committed: { answer: unknown; output: Record<string, unknown> } | undefined
  const { config, secrets, memoryEngine, limitMemory, aiKeys, ssh, deploys, agentChat } = ctx
  const context: OperationContext = {
    // By name: spreading the whole service would take 20 µs of each call.
    config,
    secrets,
    memoryEngine,
    limitMemory,
    aiKeys,
    ssh,
    deploys,
    agentChat,
    idempotencyKey: call.idempotencyKey,
    db: ctx.database.read,
    async transaction(work, mindId) {
      if (committed) throw new Error(`${operation.name} opened a second transaction`)
      committed = await ctx.database.transaction(async (tx) => {
        if (claim && !isLeased(claim)) await claimKey(tx, claim)
        const answer = await work(tx)
        const output = operation.output.parse(answer)
        if (claim) await keepAnswer(tx, claim, withoutSecrets(operation, output), mindId)
        return { answer, output }
      }, partnerId)
      return committed.answer
    },
    audit: (tx, entry) =>
      recordAct(tx, {
        partnerId: partnerId || null,
        customerId: customerId ?? Reflect.get(Object(input), 'customerId') ?? undefined,
        ...entry,
        actor,
        action: operation.name,
        requestId: call.requestId
      }),
    async mail(tx, letter) {
      // A notice is the service's own doing, and comes once.
      if ('secret' in letter) {
        const by = customerId === undefined ? 'partner' : { customerId }
        await spendMail(tx, ctx.config, { partnerId, by, recipient: letter.recipient })
      }
      await ctx.outbox.enqueue(tx, letter)
    }
  }
  const answer = await (operation.deadlineMs === undefined
    ? operation.handle(context, call.caller, input)
    : operation.handle(externally(context, asked, operation.deadlineMs), call.caller, input))
  if (!committed && isLeased(claim)) await context.transaction(async () => answer)
  if (!committed) return operation.output.parse(answer)
  if (answer !== committed.answer)
    throw new Error(`${operation.name} must answer what its transaction returned`)
  return committed.output
}

const externally = (
  context: OperationContext,
  { ctx: { database }, call, claim }: Run,
  deadlineMs: number
): ExternalContext => ({
  ...context,
  database,
  onProgress: call.onProgress ?? (() => undefined),
  signal: AbortSignal.timeout(deadlineMs),
  step: (work) =>
    database.transaction(async (tx) => {
      if (isLeased(claim)) await holdKey(tx, claim)
      return work(tx)
    }, call.caller.partnerId)
})

/** The answer as it is kept: secrets are null, and the message says why. The first answer alone has them. */
function withoutSecrets({ shownOnce = [] }: AnyOperation, output: Record<string, unknown>) {
  if (shownOnce.length === 0) return output
  return {
    ...output,
    ...Object.fromEntries(shownOnce.map((field) => [field, null])),
    message: `This was done by the first request with this Idempotency-Key. Its answer alone had ${shownOnce.join(' and ')}: secrets are shown once. Make a new one if it is lost.`
  }
}
