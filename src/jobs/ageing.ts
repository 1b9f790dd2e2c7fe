// Rows that go by their age, the oldest first. Each table has an index on the column that tells it.
import { type RawBuilder, sql } from 'kysely'
import { HINT_MS } from '../calls/sync-store.ts'
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { Retention } from '../config.ts'
import type { WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { KNOWN_FOR_MS } from '../limits/sign-in-limits.ts'
import { changeSome } from './deleter.ts'

type Ageing = {
  [Table in keyof Tables]: {
    table: Table
    /** Tells the age; rows where it is null stay. */
    column: string & keyof Tables[Table]
    /** Names a row; `id` unless told. */
    key?: readonly (string & keyof Tables[Table])[]
    /** The others are still needed, however old. */
    only?: RawBuilder<unknown>
    before(kept: Retention): string | number | undefined
  }
}[keyof Tables]

const daysAgo = (days: number): string | undefined => (days === 0 ? undefined : fromNow(-days * DAY_MS))

/** Unpaid or refunded work is looked up for a day at most; the ledger tells of it for ever. */
const RESERVATION_DAYS = 30
/** An ended link lets nobody in; whoever looks into a complaint finds it for a while. */
const LINK_DAYS = 7
/** A budget asks for its own day or month alone. */
const SPENDING_DAYS = 7

export const AGEING: readonly Ageing[] = [
  { table: 'idempotency', column: 'expiresAt', key: ['partnerId', 'operation', 'key'], before: now },
  { table: 'rateLimit', column: 'expire', key: ['key'], before: () => Date.now() },
  { table: 'signInFailure', column: 'endsAt', key: ['key'], before: now },
  { table: 'knownNetwork', column: 'lastUsedAt', key: ['network'], before: () => fromNow(-KNOWN_FOR_MS) },
  // One that has ended otherwise is no longer used, and so gets here within days.
  { table: 'session', column: 'idleExpiresAt', before: now },
  {
    table: 'oauthRecord',
    column: 'expiresAt',
    key: ['kind', 'id'],
    // A registered client stays while anybody has it connected, or had.
    only: sql`("kind" <> 'Client' or not exists (select 1 from "connectedApp" where "clientId" = "oauthRecord"."id"))`,
    before: now
  },
  { table: 'accessLink', column: 'expiresAt', before: () => daysAgo(LINK_DAYS) },
  {
    table: 'creditReservation',
    column: 'createdAt',
    only: sql`"status" <> 'held' and "answer" is null`,
    before: () => daysAgo(RESERVATION_DAYS)
  },
  {
    table: 'callHint',
    column: 'createdAt',
    key: ['partnerId', 'provider', 'callId'],
    before: () => fromNow(-HINT_MS)
  },
  { table: 'aiSpending', column: 'endsAt', key: ['ownerId', 'period'], before: () => daysAgo(SPENDING_DAYS) },
  { table: 'audit', column: 'createdAt', before: (kept) => daysAgo(kept.AUDIT_DAYS) },
  {
    table: 'webhookDelivery',
    column: 'finishedAt',
    key: ['seq'],
    before: (kept) => daysAgo(kept.WEBHOOK_DAYS)
  },
  { table: 'mail', column: 'finishedAt', before: (kept) => daysAgo(kept.MAIL_DAYS) },
  {
    table: 'deploy',
    column: 'supersededAt',
    // The others' keys are alive: a deploy that failed replaces none that got through.
    only: sql`("keyAlias" is null or "keyRevokedAt" is not null)`,
    before: (kept) => daysAgo(kept.DEPLOY_DAYS)
  },
  {
    table: 'chatExchange',
    column: 'createdAt',
    only: sql`"state" <> 'waiting'`,
    before: (kept) => daysAgo(kept.CHAT_DAYS)
  },
  { table: 'aiUsage', column: 'createdAt', before: (kept) => daysAgo(kept.AI_USAGE_DAYS) }
]

/** Deletes a batch of the rows that are old enough, the oldest first; how many there were. */
export async function deleteOldest(
  tx: WriteHandle,
  { table, column, key, only = sql`true`, before }: Ageing,
  kept: Retention,
  batch: number
): Promise<number> {
  const limit = before(kept)
  if (limit === undefined) return 0
  const where = sql`${sql.ref(column)} <= ${limit} and ${only}`
  return changeSome(tx, { table, key, where, order: sql`order by ${sql.ref(column)}` }, batch)
}
