// The SQL of mails on their way. What people look at afterwards is in history.ts.
import { fromNow, now } from '../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../database/database.ts'
import type { MailTable } from '../database/tables.ts'
import type { Letter, Notice } from './outbox.ts'

/** A mail that this process has claimed: nobody else touches it until the lease ends. */
export type ClaimedMail = MailTable & { leaseOwner: string }

export async function insertMail(
  tx: WriteHandle,
  { partnerId, customerId, template, recipient, params }: Letter | Notice,
  { id, messageId, sealedSecret }: { id: string; messageId: string; sealedSecret: string | null }
): Promise<void> {
  const createdAt = now()
  await tx
    .insertInto('mail')
    .values({
      id,
      partnerId,
      customerId,
      template,
      recipient,
      messageId,
      params: JSON.stringify(params),
      sealedSecret,
      status: 'queued',
      attempts: 0,
      nextAttemptAt: createdAt,
      leaseOwner: null,
      leaseExpiresAt: null,
      lastError: null,
      createdAt,
      finishedAt: null
    })
    .execute()
}

/**
 * Milliseconds until the next unclaimed mail is due: 0 if one is, undefined if none waits. Reads one row of the index
 * on (status, nextAttemptAt), past the few that are claimed.
 */
export async function untilNextDue(db: ReadHandle, inHand: readonly string[]): Promise<number | undefined> {
  const next = await unclaimed(db, inHand)
    .select('nextAttemptAt')
    .orderBy('nextAttemptAt')
    .limit(1)
    .executeTakeFirst()
  return next && Math.max(0, Date.parse(next.nextAttemptAt) - Date.now())
}

/** Queued mails without a lease that still holds. `inHand`: those that this process works on whatever their lease. */
const unclaimed = (db: Pick<ReadHandle, 'selectFrom'>, inHand: readonly string[]) =>
  db
    .selectFrom('mail')
    .where('status', '=', 'queued')
    .where((eb) => eb.or([eb('leaseExpiresAt', 'is', null), eb('leaseExpiresAt', '<=', now())]))
    .$if(inHand.length > 0, (query) => query.where('id', 'not in', inHand))

interface Claim {
  owner: string
  leaseMs: number
  limit: number
  /** Mails that this process works on, whatever their lease. */
  inHand: readonly string[]
}

/**
 * Claims due mails, the longest due first, and counts the attempt: a mail that kills its process is given up one day,
 * too. One statement, so that two processes never get the same row.
 */
export async function claimDueMails(
  tx: WriteHandle,
  kind: Database['kind'],
  { owner, leaseMs, limit, inHand }: Claim
): Promise<ClaimedMail[]> {
  const claimed = await tx
    // A common table expression and not an IN (SELECT … FOR UPDATE): PostgreSQL may run a subselect more than once.
    .with('due', (db) =>
      unclaimed(db, inHand)
        .where('nextAttemptAt', '<=', now())
        .orderBy('nextAttemptAt')
        .orderBy('id')
        .limit(limit)
        .select('id')
        .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
    )
    .updateTable('mail')
    .set((eb) => ({ leaseOwner: owner, leaseExpiresAt: fromNow(leaseMs), attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', (eb) => eb.selectFrom('due').select('id'))
    .returningAll()
    .execute()
  return claimed.map((mail) => ({ ...mail, leaseOwner: owner }))
}

/** The mail is out. Holds whoever has the lease by now: it must not be sent again. */
export async function markSent(tx: WriteHandle, { id }: ClaimedMail): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ ...finished('sent'), lastError: null })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
}

/** Nothing will be sent; the secret goes. Whether the mail was still ours to give up. */
export async function markGivenUp(
  tx: WriteHandle,
  mail: ClaimedMail,
  { status, reason, attempts }: { status: 'failed' | 'dropped'; reason: string; attempts: number }
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('mail')
    .set({ ...finished(status), lastError: reason, attempts })
    .where('id', '=', mail.id)
    .where('status', '=', 'queued')
    .where('leaseOwner', '=', mail.leaseOwner)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const finished = (status: 'sent' | 'failed' | 'dropped') => ({
  status,
  sealedSecret: null,
  leaseOwner: null,
  leaseExpiresAt: null,
  finishedAt: now()
})

/** Gives the mail back, due again in `delayMs`. */
export async function postpone(
  tx: WriteHandle,
  mail: ClaimedMail,
  { delayMs, lastError, attempts }: { delayMs: number; lastError: string | null; attempts: number }
): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ attempts, nextAttemptAt: fromNow(delayMs), leaseOwner: null, leaseExpiresAt: null, lastError })
    .where('id', '=', mail.id)
    .where('status', '=', 'queued')
    .where('leaseOwner', '=', mail.leaseOwner)
    .execute()
}
