// Which process reads which partner's calls, and when.
import { sql } from 'kysely'
import { MINUTE_MS } from '../clock.ts'
import { holdLease, type JobKind, takeDue } from '../jobs/leases.ts'
import { newOwner } from '../jobs/owner.ts'
import { createQueue } from '../jobs/queue.ts'
import { overtaken, readCalls, type SyncDeps } from './sync.ts'
import { requestSync, type UsageSync } from './sync-store.ts'

const KIND: JobKind<'usageSync'> = { table: 'usageSync', leaseMs: MINUTE_MS, isRenewed: true }

const CONCURRENCY = 6
const CONCURRENCY_OF_PARTNER = 2
const LOOK_MS = 5_000

export function createUsageSync(deps: SyncDeps) {
  const queue = createQueue(deps, {
    ...KIND,
    concurrency: CONCURRENCY,
    ofPartner: CONCURRENCY_OF_PARTNER,
    lookMs: LOOK_MS,
    messages: { take: 'calls could not be looked for', perform: 'calls could not be read' }
  })
  return {
    start: () => queue.start((lease) => readCalls(deps, lease)),
    wake: queue.wake,
    drain: queue.drain,
    stop: queue.stop
  }
}

/**
 * Reads a partner's calls at a provider here and now.
 *
 * @throws ServiceError `provider_key_not_found`, `rate_limited` while another process reads them, `provider_unavailable`
 */
export async function readCallsNow(
  deps: SyncDeps,
  { partnerId, provider }: Pick<UsageSync, 'partnerId' | 'provider'>,
  { signal, onProgress }: { signal: AbortSignal; onProgress(calls: number): void }
): Promise<void> {
  const { database } = deps
  const only = sql`"partnerId" = ${partnerId} and "provider" = ${provider}`
  const taken = await database.transaction(async (tx) => {
    await requestSync(tx, partnerId, provider)
    return takeDue(tx, database.kind, { ...KIND, only }, { owner: newOwner() })
  }, partnerId)
  if (!taken) throw overtaken()
  const lease = holdLease(database, KIND, taken, signal)
  await readCalls(deps, lease, onProgress).finally(lease.close)
}
