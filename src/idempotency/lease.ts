// Work that goes beyond the database can't be one transaction: it holds its Idempotency-Key by a lease instead.
import type { WriteHandle } from '../database/database.ts'
import { newOwner } from '../jobs/owner.ts'
import { AlreadyClaimed, type Claim, type Lease } from './idempotency.ts'

export type LeasedClaim = Claim & { lease: Lease }

/** What keeping the answer may take beyond the wait for a locked database. */
const KEEP_MARGIN_MS = 30_000

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
 * Makes the transaction one that commits only while the key is this call's: until it ends, nobody can take over.
 *
 * @throws AlreadyClaimed when the lease lapsed and another call took the key
 */
export async function holdKey(tx: WriteHandle, claim: LeasedClaim): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('idempotency')
    .set({ leaseOwner: claim.lease.owner })
    .where('partnerId', '=', claim.partnerId)
    .where('operation', '=', claim.operation)
    .where('key', '=', claim.key)
    .where('leaseOwner', '=', claim.lease.owner)
    .executeTakeFirst()
  if (!numUpdatedRows) throw new AlreadyClaimed()
}

/** Frees the key after a failure. One that is another call's by now, or answered, stays as it is. */
export async function releaseKey(tx: WriteHandle, claim: LeasedClaim): Promise<void> {
  await tx
    .deleteFrom('idempotency')
    .where('partnerId', '=', claim.partnerId)
    .where('operation', '=', claim.operation)
    .where('key', '=', claim.key)
    .where('leaseOwner', '=', claim.lease.owner)
    .execute()
}
