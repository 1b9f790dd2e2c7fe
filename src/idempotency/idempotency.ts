// Idempotency-Key: the first answer to a key is kept for a day and answers every repetition.
import { createHash } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'

/** One caller's use of one key on one operation. */
export interface Claim {
  partnerId: string
  operation: string
  key: string
  inputHash: string
  /** Present where the work goes beyond the transaction that claims the key. */
  lease?: Lease
}

/** Whose work it is, and for how long nobody else's. */
export interface Lease {
  owner: string
  ms: number
}

/** Keys are the client's own: anything printable of at most 255 characters. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/

/** A client asks again after so many seconds at most: the work may end long before its lease does. */
const LONGEST_RETRY_AFTER_S = 5

/** @throws ServiceError `invalid_input` when the key is malformed */
export function requireKeyForm(key: string): void {
  if (KEY_FORM.test(key)) return
  throw new ServiceError('invalid_input', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
    field: 'Idempotency-Key'
  })
}

/** @throws ServiceError `invalid_input` when the key is malformed */
export function claimFor(partnerId: string, operation: string, key: string, input: unknown): Claim {
  requireKeyForm(key)
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  return { partnerId, operation, key, inputHash }
}

/**
 * The kept answer to an equal request; nothing when the key is free, or was left behind by a process that died.
 *
 * @throws ServiceError `idempotency_conflict` when the key came with another input
 * @throws ServiceError `idempotency_in_progress` while an equal request is worked on
 */
export async function keptAnswer(db: ReadHandle, claim: Claim): Promise<unknown> {
  const kept = await db
    .selectFrom('idempotency')
    .where('partnerId', '=', claim.partnerId)
    .where('operation', '=', claim.operation)
    .where('key', '=', claim.key)
    .where('expiresAt', '>', now())
    .where((eb) => eb.not(isOfForgottenMind(eb)))
    .select(['inputHash', 'answer', 'leaseExpiresAt'])
    .executeTakeFirst()
  if (!kept) return undefined
  if (kept.inputHash !== claim.inputHash) {
    throw new ServiceError(
      'idempotency_conflict',
      'This Idempotency-Key was already used with another request. Send a new key for a new request.',
      { field: 'Idempotency-Key' }
    )
  }
  if (kept.leaseExpiresAt === null) return JSON.parse(kept.answer)
  const leftMs = Date.parse(kept.leaseExpiresAt) - Date.now()
  if (leftMs <= 0) return undefined
  throw inProgress(leftMs)
}

/** At once, however long the deletion of what it held may take. */
const isOfForgottenMind = (eb: ExpressionBuilder<Tables, 'idempotency'>) =>
  eb.and([
    eb('idempotency.mindId', 'is not', null),
    eb.not(eb.exists(eb.selectFrom('mind').whereRef('mind.id', '=', 'idempotency.mindId').select('mind.id')))
  ])

/** The refusal of a request whose equal is worked on for `leftMs` more at most (§7: 409). */
export const inProgress = (leftMs: number): ServiceError =>
  new ServiceError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Send it again in a moment to get its answer.',
    {
      field: 'Idempotency-Key',
      retryAfterSeconds: Math.min(Math.max(1, Math.ceil(leftMs / 1_000)), LONGEST_RETRY_AFTER_S)
    }
  )

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
        .where((eb) =>
          eb.or([
            eb('idempotency.expiresAt', '<=', at),
            isOfForgottenMind(eb),
            eb.and([
              eb('idempotency.inputHash', '=', claim.inputHash),
              eb('idempotency.leaseExpiresAt', '<=', at)
            ])
          ])
        )
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
  { partnerId, operation, key, lease }: Claim,
  answer: unknown,
  mindId: string | null = null
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('idempotency')
    .set({ answer: JSON.stringify(answer), mindId, leaseOwner: null, leaseExpiresAt: null })
    .where('partnerId', '=', partnerId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('leaseOwner', lease ? '=' : 'is', lease?.owner ?? null)
    .executeTakeFirst()
  if (!numUpdatedRows) throw new AlreadyClaimed()
}
