// How far a partner's calls at a provider are read, and which ones the provider told of meanwhile.
import { type Selectable, sql } from 'kysely'
import type { Provider } from '../../schemas/voice-agent.ts'
import { DAY_MS, fromNow, HOUR_MS, now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import type { Lease } from '../jobs/leases.ts'
import { ofAccount, type ProviderAccount } from '../voice-agents/store.ts'

export type UsageSync = Selectable<Tables['usageSync']>

/** What the first pass reads. */
export const FIRST_SPAN_MS = 30 * DAY_MS
/** A sync that is further back than that is told of. */
const BEHIND_MS = DAY_MS
/** A call that was told of and can't be read for so long is left to be found by reading on. */
export const HINT_MS = HOUR_MS
/** Of a partner at a provider; what more is told of is found by reading on. */
const MOST_HINTS = 1_000

/** Reads from now on with the key that was just set: maybe of another account, and so what the first pass reads. */
export async function beginSync(tx: WriteHandle, { partnerId, provider }: ProviderAccount): Promise<void> {
  const fresh = { position: '{}', dueAt: now(), lastDoneAt: null, lastError: null, failures: 0 }
  // Whoever reads with the former key has lost the lease.
  const anew = { ...fresh, leaseOwner: null, leaseExpiresAt: null }
  await tx
    .insertInto('usageSync')
    .values({ partnerId, provider, ...anew, syncedTo: null })
    .onConflict((conflict) =>
      conflict.columns(['partnerId', 'provider']).doUpdateSet({
        ...anew,
        // What the first pass wouldn't reach is still to be read.
        syncedTo: sql`case when "usageSync"."syncedTo" < ${fromNow(-FIRST_SPAN_MS)} then "usageSync"."syncedTo" end`
      })
    )
    .execute()
}

export async function endSync(tx: WriteHandle, account: ProviderAccount): Promise<void> {
  for (const table of ['usageSync', 'callHint'] as const)
    await tx.deleteFrom(table).where(ofAccount(account)).execute()
}

/** How long providers keep calls. What wasn't read by then is lost. */
export const RETENTION_MS: Record<Provider, number> = { a: 14 * DAY_MS, b: 30 * DAY_MS }

export const isBehind = ({ syncedTo }: Pick<UsageSync, 'syncedTo'>, ms = BEHIND_MS): boolean =>
  syncedTo !== null && syncedTo < fromNow(-ms)

/** How many syncs have stopped, how many are behind, and up to when the one that is furthest back has read. */
export async function syncTotals(db: ReadHandle) {
  const { rows } = await sql<{ stopped: number; behind: number; syncedTo: string | null }>`
    select count(case when "dueAt" is null then 1 end) as "stopped",
      count(case when "dueAt" is not null and "syncedTo" < ${fromNow(-BEHIND_MS)} then 1 end) as "behind",
      min(case when "dueAt" is not null then "syncedTo" end) as "syncedTo" from "usageSync"`.execute(db)
  return rows[0] ?? { stopped: 0, behind: 0, syncedTo: null }
}

/** The calls that were told of, the longest waiting first. */
export async function hintedCalls(db: ReadHandle, account: ProviderAccount): Promise<string[]> {
  const hints = db.selectFrom('callHint').where(ofAccount(account)).orderBy('createdAt')
  const fresh = hints.where('createdAt', '>', fromNow(-HINT_MS))
  const rows = await fresh.select('callId').limit(MOST_HINTS).execute()
  return rows.map(({ callId }) => callId)
}

/** Lets go of a sync until then, or for no time at all where the provider told of calls meanwhile. */
export async function letGoUntil(
  tx: WriteHandle,
  lease: Lease<'usageSync'>,
  dueAt: string,
  columns: Partial<UsageSync>
): Promise<void> {
  const sync = await lease.letGo(tx, { ...columns, dueAt })
  // Only now: whoever notes a call waits for this row.
  if (sync && (await hintedCalls(tx, sync)).length > 0) await syncOf(tx, sync).set({ dueAt: now() }).execute()
}

const syncOf = (tx: WriteHandle, account: ProviderAccount) =>
  tx.updateTable('usageSync').where(ofAccount(account))

/** Makes a sync due, also one that has stopped. @throws ServiceError `provider_key_not_found` */
export async function requestSync(tx: WriteHandle, account: ProviderAccount): Promise<void> {
  const asked = { dueAt: now(), lastDoneAt: null, failures: 0 }
  const { numUpdatedRows } = await syncOf(tx, account).set(asked).executeTakeFirst()
  if (numUpdatedRows === 0n) refuseWithoutKey()
}

export function refuseWithoutKey(): never {
  throw new ServiceError('provider_key_not_found')
}

/** Notes a call to be read, at once unless the sync has stopped. */
export async function noteHint(tx: WriteHandle, account: ProviderAccount, callId: string): Promise<void> {
  const { partnerId, provider } = account
  const hints = tx.selectFrom('callHint').where(ofAccount(account))
  const last = hints
    .select('callId')
    .offset(MOST_HINTS - 1)
    .limit(1)
  if (!(await last.executeTakeFirst()))
    await tx
      .insertInto('callHint')
      .values({ partnerId, provider, callId, createdAt: now() })
      .onConflict((conflict) =>
        conflict.columns(['partnerId', 'provider', 'callId']).doUpdateSet({ createdAt: now() })
      )
      .execute()
  // One that waits after a failure goes on waiting, one that has stopped stays so.
  const waits = syncOf(tx, account).where('failures', '=', 0).where('dueAt', '>', now())
  await waits.set({ dueAt: now() }).execute()
}
