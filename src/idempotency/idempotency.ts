// Idempotency-Key: the first answer to a key is kept for a day and answers every repetition.
import { createHash } from 'node:crypto'
import { type ExpressionBuilder, sql } from 'kysely'
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { invalidField } from '../invalid-input.ts'
import { newOwner } from '../jobs/owner.ts'

export interface Claim {
  partnerId: string
  operation: string
  key: string
  inputHash: string
  /** Whose work it is and for how long, where it goes beyond the transaction that claims the key. */
  lease?: { owner: string; ms: number }
}

export type LeasedClaim = Claim & Required<Pick<Claim, 'lease'>>

/** Keys are the client's own: anything printable of at most 255 characters. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/

/** What keeping the answer may take beyond the wait for a locked database. */
const KEEP_MARGIN_MS = 30_000

/** A client asks again after so many seconds at most: the work may end long before its lease does. */
const LONGEST_RETRY_AFTER_S = 5

/** @throws ServiceError `invalid_input` when the key is malformed */
export function requireKeyForm(key: string): void {
  if (!KEY_FORM.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
}

/** @throws ServiceError `invalid_input` when the key is malformed */
export function claimFor(partnerId: string, operation: string, key: string, input: unknown): Claim {
  requireKeyForm(key)
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  return { partnerId, operation, key, inputHash }
}

/** The claim with a lease that outlives the operation's deadline and the keeping of its answer. */
export const withLease = (
  claim: Claim,
  { deadlineMs, busyDeadlineMs }: { deadlineMs: number; busyDeadlineMs: number }
): LeasedClaim => ({
  ...claim,
  lease: { owner: newOwner(), ms: deadlineMs + busyDeadlineMs + KEEP_MARGIN_MS }
})

export const isLeased = (claim: Claim | undefined): claim is LeasedClaim => claim?.lease !== undefined

/**
 * The kept answer to an equal request; nothing when the key is free, or was left behind by a process that died.
 *
 * @throws ServiceError `idempotency_conflict` when the key came with another input
 * @throws ServiceError `idempotency_in_progress` while an equal request is worked on
 */
export async function keptAnswer(db: ReadHandle, claim: Claim): Promise<unknown> {
  const kept = await db
    .selectFrom('idempotency')
    .where(isOf(claim))
    .where('expiresAt', '>', now())
    .where((eb) => eb.not(isOfForgottenMind(eb)))
    .select(['inputHash', 'answer', 'leaseExpiresAt'])
    .executeTakeFirst()
  if (!kept) return undefined
  if (kept.inputHash !== claim.inputHash) throw new ServiceError('idempotency_conflict')
  if (kept.leaseExpiresAt === null) return JSON.parse(kept.answer)
  const leftMs = Date.parse(kept.leaseExpiresAt) - Date.now()
  if (leftMs <= 0) return undefined
  throw inProgress(leftMs)
}

const isOf = ({ partnerId, operation, key }: Claim) =>
  sql<boolean>`"partnerId" = ${partnerId} and "operation" = ${operation} and "key" = ${key}`

const isHeldBy = (claim: Claim) => {
  const holder = claim.lease ? sql`= ${claim.lease.owner}` : sql`is null`
  return sql<boolean>`${isOf(claim)} and "leaseOwner" ${holder}`
}

/** At once, however long the deletion of what it held may take. */
const isOfForgottenMind = (eb: ExpressionBuilder<Tables, 'idempotency'>) =>
  eb.and([
    eb('idempotency.mindId', 'is not', null),
    eb.not(eb.exists(eb.selectFrom('mind').whereRef('mind.id', '=', 'idempotency.mindId').select('mind.id')))
  ])

/** The refusal of a request whose equal is worked on for `leftMs` more at most (§7: 409). */
export function inProgress(leftMs: number): ServiceError {
  const retryAfterSeconds = Math.min(Math.max(1, Math.ceil(leftMs / 1_000)), LONGEST_RETRY_AFTER_S)
  return new ServiceError('idempotency_in_progress', undefined, { retryAfterSeconds })
}

/** Thrown in a transaction whose claim on a key is, or became, another call's; nothing of it is committed. */
export class AlreadyClaimed extends Error {}

/**
 * Takes the key: for this transaction, or for as long as the claim's lease. An equal claim in another transaction
 * waits here until this one ends. What expired, and a lapsed lease on the same input, is replaced.
 *
 * @throws AlreadyClaimed when the key is answered or being worked on
 */
export async function claimKey(tx: WriteHandle, { lease, ...claim }: Claim): Promise<void> {
  const at = now()
  const row = {
    ...claim,
    answer: 'null',
    leaseOwner: lease?.owner ?? null,
    leaseExpiresAt: lease ? fromNow(lease.ms) : null,
    mindId: null,
    expiresAt: fromNow(DAY_MS),
    createdAt: at
  }
  const taken = await tx
    .insertInto('idempotency')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['partnerId', 'operation', 'key'])
        .doUpdateSet(row)
        .where((eb) => {
          const isEqual = eb('idempotency.inputHash', '=', claim.inputHash)
          const isLapsed = eb.and([isEqual, eb('idempotency.leaseExpiresAt', '<=', at)])
          return eb.or([eb('idempotency.expiresAt', '<=', at), isOfForgottenMind(eb), isLapsed])
        })
    )
    .executeTakeFirst()
  if (!taken.numInsertedOrUpdatedRows) throw new AlreadyClaimed()
}

/**
 * Keeps the answer beside the work that it reports, and ends the lease; of a Mind's no longer than that Mind.
 *
 * @throws AlreadyClaimed when the lease lapsed and another call took the key
 */
export async function keepAnswer(
  tx: WriteHandle,
  claim: Claim,
  answer: unknown,
  mindId: string | null = null
) {
  const kept = { answer: JSON.stringify(answer), mindId, leaseOwner: null, leaseExpiresAt: null }
  await updateHeld(tx, claim, kept)
}

/**
 * Makes the transaction one that commits only while the key is this call's: until it ends, nobody can take over.
 *
 * @throws AlreadyClaimed when the lease lapsed and another call took the key
 */
export const holdKey = (tx: WriteHandle, claim: LeasedClaim) =>
  updateHeld(tx, claim, { leaseOwner: claim.lease.owner })

async function updateHeld(tx: WriteHandle, claim: Claim, change: Partial<Tables['idempotency']>) {
  const held = tx.updateTable('idempotency').where(isHeldBy(claim))
  const { numUpdatedRows } = await held.set(change).executeTakeFirst()
  if (!numUpdatedRows) throw new AlreadyClaimed()
}

/** Frees the key after a failure. One that is another call's by now, or answered, stays as it is. */
export async function releaseKey(tx: WriteHandle, claim: LeasedClaim): Promise<void> {
  await tx.deleteFrom('idempotency').where(isHeldBy(claim)).execute()
}

declare module '../database/tables.ts' {
  interface Tables {
    idempotency: {
      partnerId: string
      operation: string
      key: string
      /** SHA-256 of the parsed input. */
      inputHash: string
      /** JSON of the first answer; `null` in JSON while there is none yet. */
      answer: string
      /** Whose external work is under way; null once answered, and for local work. */
      leaseOwner: string | null
      /** Until when that work can't be anybody else's; null once answered, and for local work. */
      leaseExpiresAt: string | null
      /** Of which Mind the answer tells, where it does: it is void once that one is forgotten. */
      mindId: string | null
      expiresAt: string
      createdAt: string
    }
  }
}
