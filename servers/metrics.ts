// Figures for Prometheus: this process's own, and what the database tells of all processes together.
import type { Context } from 'hono'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { syncTotals } from '../src/calls/sync-store.ts'
import { emptyAccounts } from '../src/credits/store.ts'
import type { ReadHandle } from '../src/database/database.ts'
import { waitingNow } from '../src/database/waits.ts'
import { ServiceError } from '../src/errors.ts'
import { unreachable } from '../src/instances/store.ts'
import { waitingJobs } from '../src/jobs/leases.ts'
import { usageTotals } from '../src/llm/usage.ts'
import { jobStates } from '../src/memory/jobs/store.ts'
import { onceFor } from '../src/once.ts'
import { isSameSecret } from '../src/secrets.ts'
import type { Service } from '../src/service.ts'
import { lastCheck } from '../src/statements/check.ts'
import { TALLIES, tallies } from '../src/tally.ts'
import type { RequestEnv } from './middleware/request-env.ts'
import { requestSeconds } from './request-figures.ts'

/** `GET /metrics` in Prometheus' text format, for whoever has the token. */
export async function answerMetrics(
  c: Context<RequestEnv>,
  service: Service,
  token: string
): Promise<Response> {
  const given = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  if (!isSameSecret(given, token)) {
    throw new ServiceError('unauthorized', 'The metrics need METRICS_TOKEN as bearer token.')
  }
  const { registry, read } = registryOf(service)
  await read(service.database.read)
  return c.body((await registry.metrics()) + requestSeconds(), 200, {
    'Content-Type': registry.contentType,
    'Cache-Control': 'no-store'
  })
}

const registryOf = onceFor((service: Service) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  collectTallies(registry)
  return { registry, read: gaugesOf(registry, service) }
})

const secondsSince = (at: string | null): number =>
  at === null ? 0 : Math.max(0, Date.now() - Date.parse(at)) / 1_000

/** What this process counted. */
function collectTallies(registry: Registry): void {
  for (const [name, [help, ...labelNames]] of Object.entries(TALLIES))
    new Counter({
      ...{ name, help, labelNames, registers: [registry] },
      collect() {
        this.reset()
        for (const counted of tallies())
          if (counted.name === name) this.labels(...counted.labels).inc(counted.count)
      }
    })
}

/** All accounts are looked at for it. */
const ACCOUNTS_KEPT_MS = 15_000

/** Most is read from the database: that speaks of all processes together, so each of them says the same. */
function gaugesOf(registry: Registry, { ssh }: Service): (db: ReadHandle) => Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const jobs = gauge('mindgate_jobs_waiting', 'Rows of a queue that wait or are in hand.', ['queue'])
  const oldest = gauge('mindgate_jobs_oldest_seconds', 'The same, with what is in hand.', ['queue'])
  const jobLag = gauge('mindgate_jobs_lag_seconds', 'How long the longest due of them is due.', ['queue'])
  const waiting = gauge('mindgate_memory_work_waiting', 'Memories that wait for a kind of work.', ['work'])
  const lag = gauge('mindgate_memory_work_lag_seconds', 'Age of the oldest memory that waits.', ['work'])
  const failures = gauge('mindgate_memory_work_failures', 'Failed runs on Minds that still exist.', ['work'])
  const putAside = gauge('mindgate_memory_work_put_aside', 'Memories that were given up on.', ['work'])
  const removals = gauge('mindgate_honcho_removals_waiting', 'What is yet to be deleted at Honcho.', [])
  const calls = gauge('mindgate_model_calls', 'Calls of models for Minds that still exist.', ['purpose'])
  const tokens = gauge('mindgate_model_tokens', 'Tokens of those calls.', ['purpose', 'direction'])
  const syncAge = gauge(
    'mindgate_calls_read_lag_seconds',
    'How far back the calls are read that are furthest.',
    []
  )
  const syncsStopped = gauge(
    'mindgate_calls_reading_stopped',
    'Provider keys with which no calls are read.',
    []
  )
  const cost = gauge('mindgate_model_cost', 'What they cost by the configured prices.', ['purpose'])
  const mismatches = gauge(
    'mindgate_billing_mismatches',
    'Customers whose balance or statements differed from their lines when they were last checked.',
    []
  )
  const empty = gauge('mindgate_credit_accounts_empty', 'Accounts that are used up.', ['account'])
  let lookAgainAt = 0
  const connections = gauge('mindgate_ssh_connections', 'Open ones of this process to servers.', [])
  const inLine = gauge('mindgate_database_waiting', 'Waits of this process for its database.', [])
  const silent = gauge('mindgate_agents_unreachable', 'Agents that were deployed and don’t answer.', [])
  return async (db) => {
    connections.set(ssh.open)
    inLine.set(waitingNow())
    if (performance.now() >= lookAgainAt) {
      lookAgainAt = performance.now() + ACCOUNTS_KEPT_MS
      const { partners, customers } = await emptyAccounts(db)
      empty.set({ account: 'partner' }, partners)
      empty.set({ account: 'customer' }, customers)
    }
    silent.set((await unreachable(db).select('id').execute()).length)
    mismatches.set((await lastCheck(db)).mismatches)
    const [queues, totals, usages] = [await waitingJobs(db), await jobStates(db), await usageTotals(db)]
    // What went with the last Mind that had it would be told for ever.
    for (const one of [waiting, lag, failures, putAside, calls, tokens, cost]) one.reset()
    for (const { queue, count, oldestAt, dueAt } of queues) {
      jobs.set({ queue }, count)
      jobLag.set({ queue }, secondsSince(dueAt))
      oldest.set({ queue }, secondsSince(oldestAt))
      if (queue === 'honchoRemoval') removals.set(count)
    }
    const syncs = await syncTotals(db)
    syncAge.set(secondsSince(syncs.syncedTo))
    syncsStopped.set(syncs.stopped)
    for (const { kind: work, ...total } of totals) {
      waiting.set({ work }, total.waiting)
      lag.set({ work }, secondsSince(total.waitingSince))
      failures.set({ work }, total.failures)
      putAside.set({ work }, total.putAside)
    }
    for (const { purpose, ...taken } of usages) {
      calls.set({ purpose }, taken.calls)
      tokens.set({ purpose, direction: 'in' }, taken.inputTokens)
      tokens.set({ purpose, direction: 'out' }, taken.outputTokens)
      cost.set({ purpose }, taken.costMicros / 1_000_000)
    }
  }
}
