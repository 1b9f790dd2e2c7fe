// Idempotency-Key: the first answer to a key is kept for a day and answers every repetition.
import { createHash } from 'node:crypto'
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'

/** One caller's use of one key on one operation. */
export interface Claim {
  partnerId: string
  operation: string
  key: string
  inputHash: string
}

/** Keys are the client's own: anything printable of at most 255 characters. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/

/** @throws ServiceError `invalid_input` when the key is malformed */
export function claimFor(partnerId: string, operation: string, key: string, input: unknown): Claim {
  if (!KEY_FORM.test(key)) {
    throw new ServiceError('invalid_input', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
      field: 'Idempotency-Key'
    })
  }
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  return { partnerId, operation, key, inputHash }
}

/**
 * The kept answer to an equal request, if there is one.
 *
 * @throws ServiceError `idempotency_conflict` when the key came with another input
 */
export async function keptAnswer(db: ReadHandle, claim: Claim): Promise<unknown> {
  const kept = await db
    .selectFrom('idempotency')
    .where('partnerId', '=', claim.partnerId)
    .where('operation', '=', claim.operation)
    .where('key', '=', claim.key)
    .where('expiresAt', '>', now())
    .select(['inputHash', 'answer'])
    .executeTakeFirst()
  if (!kept) return undefined
  if (kept.inputHash !== claim.inputHash) {
    throw new ServiceError(
      'idempotency_conflict',
      'This Idempotency-Key was already used with another request. Send a new key for a new request.',
      { field: 'Idempotency-Key' }
    )
  }
  return JSON.parse(kept.answer)
}

/** Thrown inside the transaction that lost the race for a key; the winner's answer is there once this one is undone. */
export class AlreadyClaimed extends Error {}

/**
 * Takes the key for this transaction. An equal claim in another transaction waits here until this one ends.
 *
 * @throws AlreadyClaimed when another transaction has answered to the key
 */
export async function claimKey(tx: WriteHandle, claim: Claim): Promise<void> {
  const { partnerId, operation, key, inputHash } = claim
  await tx
    .deleteFrom('idempotency')
    .where('partnerId', '=', partnerId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('expiresAt', '<=', now())
    .execute()
  const inserted = await tx
    .insertInto('idempotency')
    .values({
      partnerId,
      operation,
      key,
      inputHash,
      answer: 'null',
      expiresAt: fromNow(DAY_MS),
      createdAt: now()
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (!inserted.numInsertedOrUpdatedRows) throw new AlreadyClaimed()
}

/** Keeps the answer beside the work that it reports. */
export async function keepAnswer(tx: WriteHandle, claim: Claim, answer: unknown): Promise<void> {
  await tx
    .updateTable('idempotency')
    .set({ answer: JSON.stringify(answer) })
    .where('partnerId', '=', claim.partnerId)
    .where('operation', '=', claim.operation)
    .where('key', '=', claim.key)
    .execute()
}

/** Removes a batch of answers that are older than a day; how many there were. */
export async function forgetExpiredAnswers(tx: WriteHandle, batch: number): Promise<number> {
  const expired = await tx
    .selectFrom('idempotency')
    .where('expiresAt', '<=', now())
    .select(['partnerId', 'operation', 'key'])
    .limit(batch)
    .execute()
  for (const { partnerId, operation, key } of expired) {
    await tx
      .deleteFrom('idempotency')
      .where('partnerId', '=', partnerId)
      .where('operation', '=', operation)
      .where('key', '=', key)
      .execute()
  }
  return expired.length
}
