// Reads partners' calls from their providers, page by page. Where it stands is written with each page, so that a crash
// loses and doubles nothing; that calls are told twice makes no difference.
import { z } from 'zod'
import type { Provider } from '../../schemas/voice-agent.ts'
import { fromNow, HOUR_MS, MINUTE_MS, now } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import { isAway, isBusy } from '../database/faults.ts'
import { ServiceError } from '../errors.ts'
import { LEAST_STEP_MS } from '../jobs/clock.ts'
import { unhurried } from '../jobs/deleter.ts'
import { holdLease, type JobKind, type Lease, LeaseLost, takeDue } from '../jobs/leases.ts'
import { newOwner } from '../jobs/owner.ts'
import { createQueue } from '../jobs/queue.ts'
import type { Log } from '../log.ts'
import { type Backoff, backoffMs } from '../net/backoff.ts'
import { UpstreamError } from '../net/fetch-json.ts'
import type { Secrets } from '../secrets.ts'
import { tally } from '../tally.ts'
import { ADAPTERS, connectionOf, providerUnavailable } from '../voice-agents/providers/ask.ts'
import type { ProviderCall, ProviderConnection } from '../voice-agents/providers/port.ts'
import { ofAccount, type ProviderAccount } from '../voice-agents/store.ts'
import { recordCalls } from './record.ts'
import {
  FIRST_SPAN_MS,
  hintedCalls,
  isBehind,
  letGoUntil,
  RETENTION_MS,
  refuseWithoutKey,
  requestSync,
  type UsageSync
} from './sync-store.ts'

interface SyncDeps {
  config: Config
  database: Database
  secrets: Secrets
  log: Log
}

/** Clocks differ, and what a provider has just noted may not be in its lists yet. */
const OVERLAP_MS: Record<Provider, number> = { a: 15 * MINUTE_MS, b: HOUR_MS }
/** Provider B doesn't tell what changed: costs and transfer legs come for so long after a call's end. */
const LATE_MS: Record<Provider, number> = { a: 0, b: 72 * HOUR_MS }
const READ_LATE_EVERY_MS = HOUR_MS

/** In one transaction: some 12 ms of SQLite's write lock where all are new and many customers', 1 where none is. */
const BATCH = 50
const HINTS_AT_ONCE = 10
/** Then the next partner has its turn. */
const PAGES_IN_TURN = 50
/** Of a whole pass: a provider that always has another page must not be asked for ever. */
const MOST_PAGES = 100_000
const BACKOFF: Backoff = { firstMs: 2_000, longestMs: HOUR_MS }

const KIND: JobKind<'usageSync'> = { table: 'usageSync', leaseMs: MINUTE_MS, isRenewed: true }

/** Which process reads which partner's calls, and when. */
export function createUsageSync(deps: SyncDeps) {
  const queue = createQueue(deps, {
    ...KIND,
    ...{ concurrency: 6, ofPartner: 2, lookMs: 5_000 },
    messages: { take: 'calls could not be looked for', perform: 'calls could not be read' }
  })
  return { ...queue, start: () => queue.start((lease) => readCalls(deps, lease)) }
}

/**
 * Reads a partner's calls at a provider here and now; answers how many.
 *
 * @throws ServiceError `provider_key_not_found`, `rate_limited` while another process reads them, `provider_unavailable`
 */
export async function readCallsNow(
  deps: SyncDeps,
  account: ProviderAccount,
  { signal, onProgress }: { signal: AbortSignal; onProgress?(calls: number): void }
): Promise<number> {
  const { database } = deps
  const taken = await database.transaction(async (tx) => {
    await requestSync(tx, account)
    return takeDue(tx, database.kind, { ...KIND, only: ofAccount(account) }, { owner: newOwner() })
  }, account.partnerId)
  if (!taken) throw overtaken()
  const lease = holdLease(database, KIND, taken, signal)
  let count = 0
  const onRead = (calls: number) => {
    count += calls
    onProgress?.(count)
  }
  await readCalls(deps, lease, onRead).finally(lease.close)
  return count
}

interface Reading extends SyncDeps {
  lease: Lease<'usageSync'>
  connection: ProviderConnection
  onRead: ((calls: number) => void) | undefined
}

/**
 * Reads what is new and writes how it went: first the calls that the provider told of, then all that changed since. A run
 * that was asked for reads to the end; another one leaves off in between for the next partner.
 *
 * @param onRead is told of calls that were read, where that was asked for; then it throws why they can't be, once that is
 *   written
 */
async function readCalls(
  deps: SyncDeps,
  lease: Lease<'usageSync'>,
  onRead?: Reading['onRead']
): Promise<void> {
  const { config, database } = deps
  const { partnerId, provider } = lease.row
  try {
    const found = (await connectionOf({ ...deps, db: database.read }, lease.row)) ?? refuseWithoutKey()
    const reading = { ...deps, lease, connection: { ...found, signal: lease.signal }, onRead }
    const hintsFailed = await readHinted(reading)
    const isDone = await readPages(reading, onRead ? MOST_PAGES : PAGES_IN_TURN)
    if (hintsFailed) throw hintsFailed
    const intervalMs = config.usageSyncSeconds * 1_000
    const next = new Date(Date.parse(lease.row.lastDoneAt ?? now()) + intervalMs).toISOString()
    const fine = { failures: 0, lastError: null }
    await database.transaction((tx) => letGoUntil(tx, lease, isDone ? next : now(), fine), partnerId)
    tally('mindgate_work_ended_total', ['usageSync', 'succeeded'])
  } catch (error) {
    await endWith(deps, lease, error)
    if (onRead) throw error instanceof LeaseLost ? overtaken() : providerUnavailable(provider, error)
  }
}

const overtaken = (): ServiceError =>
  new ServiceError('rate_limited', 'These calls are being read already. Look again in a moment.', {
    retryAfterSeconds: 10
  })

/** Nothing that one call is refused or answered with keeps the others from being read. Answers what kept all of them. */
async function readHinted(reading: Reading): Promise<UpstreamError | undefined> {
  const { database, lease, connection } = reading
  const { findCall } = ADAPTERS[lease.row.provider]
  const callIds = await hintedCalls(database.read, lease.row)
  try {
    for (let start = 0; start < callIds.length; start += HINTS_AT_ONCE) {
      const some = callIds.slice(start, start + HINTS_AT_ONCE)
      const found = await Promise.all(
        some.map((callId) => findCall(connection, callId).catch(undefinedIfItsOwn))
      )
      const calls = found.filter((call) => call !== undefined)
      await record(reading, calls, {}, async (tx) => {
        await tx.deleteFrom('callHint').where(ofAccount(lease.row)).where('callId', 'in', some).execute()
      })
    }
    return undefined
  } catch (error) {
    if (error instanceof UpstreamError && !lease.signal.aborted) return error
    throw error
  }
}

function undefinedIfItsOwn(error: unknown): undefined {
  const { fault, status } = error instanceof UpstreamError ? error : {}
  if (fault !== 'malformed' && fault !== 'too_large' && !isRefusal(status)) throw error
}

/** Of the request as it was, rather than of the key or for now. */
const isRefusal = (status = 0): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)

const Pass = z.object({
  from: z.string(),
  to: z.string(),
  isLate: z.boolean(),
  cursor: z.string().nullable(),
  pages: z.int()
})
const Position = z.object({ pass: Pass.optional(), lateReadAt: z.string().optional() })

const positionOf = ({ position }: UsageSync) => Position.parse(JSON.parse(position))

/** Whether it came to the end; a pass that was interrupted goes on where it stood. */
async function readPages(reading: Reading, mostPages: number): Promise<boolean> {
  const { config, lease, connection, log } = reading
  const { partnerId, provider, lastDoneAt } = lease.row
  const position = positionOf(lease.row)
  const isDue =
    lastDoneAt === null ||
    lastDoneAt <= fromNow(-config.usageSyncSeconds * 1_000) ||
    isAhead(lastDoneAt) ||
    isAhead(lease.row.syncedTo)
  if (!position.pass && !isDue) return true
  if (isBehind(lease.row, RETENTION_MS[provider]))
    log.warn('calls may have been deleted before they were read', { partnerId })
  else if (isBehind(lease.row)) log.warn('calls were not read for a day', { partnerId })
  let pass = position.pass ?? newPass(lease.row, position.lateReadAt)
  // Before anything is asked: what keeps failing must not move on what is still to be read.
  if (!position.pass) await lease.change({ position: JSON.stringify({ ...position, pass }) })
  for (let page = 0; page < mostPages; page += 1) {
    const { calls, next } = await ADAPTERS[provider].listCalls(connection, pass, pass.cursor)
    pass = { ...pass, cursor: next, pages: pass.pages + 1 }
    const isEndless = pass.pages >= MOST_PAGES
    if (isEndless) log.error('a provider has pages without end', { partnerId })
    if (next === null || isEndless) {
      const lateReadAt = pass.isLate ? pass.to : position.lateReadAt
      const done = { position: JSON.stringify({ lateReadAt }), syncedTo: pass.to, lastDoneAt: now() }
      await record(reading, calls, done)
      return true
    }
    await record(reading, calls, { position: JSON.stringify({ ...position, pass }) })
  }
  return false
}

/** What a clock that ran ahead wrote: up to when was truly read then is not known. */
const isAhead = (at: string | null): boolean => at !== null && at > fromNow(LEAST_STEP_MS)

function newPass(
  { provider, syncedTo: writtenTo }: UsageSync,
  lateReadAt: string | undefined
): z.infer<typeof Pass> {
  const syncedTo = isAhead(writtenTo) ? null : writtenTo
  const isLate = !(syncedTo && lateReadAt) || lateReadAt <= fromNow(-READ_LATE_EVERY_MS)
  const backMs = isLate ? Math.max(OVERLAP_MS[provider], LATE_MS[provider]) : OVERLAP_MS[provider]
  const from = syncedTo && new Date(Date.parse(syncedTo) - backMs).toISOString()
  return { from: from ?? fromNow(-FIRST_SPAN_MS), to: now(), isLate, cursor: null, pages: 0 }
}

/** Where the sync stands is written with the last of the calls; whoever lost the lease writes nothing. */
async function record(
  { database, lease, onRead }: Reading,
  calls: readonly ProviderCall[],
  columns: Partial<UsageSync>,
  also?: (tx: WriteHandle) => Promise<void>
): Promise<void> {
  for (let start = 0; start === 0 || start < calls.length; start += BATCH) {
    const isLast = start + BATCH >= calls.length
    const write = async (tx: WriteHandle) => {
      // What gets on is no failure any more.
      if (!(await lease.write(tx, isLast ? { failures: 0, ...columns } : {}))) throw new LeaseLost()
      await recordCalls(tx, lease.row, calls.slice(start, start + BATCH))
      if (isLast) await also?.(tx)
    }
    await unhurried(database, write, lease.row.partnerId)
  }
  onRead?.(calls.length)
}

/** @throws what says that the database is away: then the lease ends by itself */
async function endWith(
  { database, log }: SyncDeps,
  lease: Lease<'usageSync'>,
  error: unknown
): Promise<void> {
  const { partnerId, provider, failures } = lease.row
  const end = (columns: Partial<UsageSync>) =>
    database.transaction((tx) => lease.letGo(tx, columns), partnerId)
  if (isAway(error) || isBusy(error)) throw error
  // Somebody else has it, or the next process takes it up where it stands.
  if (error instanceof LeaseLost || lease.signal.aborted) return void (await end({}))
  const told = providerUnavailable(provider, error)
  const isTold = told instanceof ServiceError
  tally('mindgate_work_ended_total', ['usageSync', 'failed'])
  log[isTold ? 'warn' : 'error']('calls could not be read', { partnerId, error })
  const { status, retryAfterSeconds } = error instanceof UpstreamError ? error : {}
  // Without a key that is taken nothing gets better by itself.
  const isStopped = status === 401 || status === 403 || (isTold && told.code === 'provider_key_not_found')
  const { pass, ...position } = positionOf(lease.row)
  const anew = pass && { ...pass, cursor: null, pages: 0 }
  await end({
    dueAt: isStopped ? null : fromNow(backoffMs(BACKOFF, failures, retryAfterSeconds)),
    failures: failures + 1,
    lastError: isTold ? told.message : 'Something went wrong on our side. It is tried again.',
    // Its cursor may have grown too old: from the start.
    ...(isRefusal(status) ? { position: JSON.stringify({ ...position, pass: anew }) } : {})
  })
}
