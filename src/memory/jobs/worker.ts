// Does the work behind the Minds, in this process beside others: who is due, a few at once. One run is a batch outside of
// any transaction, and what it made in one with the watermark. A crash at any point leaves the watermark where it was, and
// the batch is done again.
import { type RawBuilder, sql } from 'kysely'
import { fromNow, HOUR_MS, now } from '../../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts'
import { isAway, isBusy } from '../../database/faults.ts'
import { endLeases, type Lease } from '../../jobs/leases.ts'
import { createQueue } from '../../jobs/queue.ts'
import { recordUsage } from '../../llm/usage.ts'
import type { Log } from '../../log.ts'
import { backoffMs } from '../../net/backoff.ts'
import { withDeadline } from '../../net/deadline.ts'
import { queueUnseen } from './queue.ts'
import {
  keptSeqs,
  lockMindByKey,
  type MindJob,
  type MindScope,
  memoriesBehind,
  mindsIn,
  putAside,
  queuedFailure,
  setWaiting,
  takeBack
} from './store.ts'
import { type Batch, BatchRefused, type MindWork, type Performed, WorkPostponed } from './work.ts'

export type MindWorker = ReturnType<typeof startMindWork>

interface WorkerDeps {
  database: Database
  log: Log
  lookMs?: number
  scope?: MindScope
}

const LOOK_MS = 2_000
/** Beyond the work's own deadline, for its transaction. */
const LEASE_MARGIN_MS = 60_000

/** Starts one kind of work; nothing of it runs after `stop` has resolved. What is under way then is done again later. */
export function startMindWork({ database, log, lookMs = LOOK_MS, scope = {} }: WorkerDeps, work: MindWork) {
  const queue = createQueue(
    { database, log },
    {
      table: 'mindJob',
      only: jobsOf(database.read, work, scope),
      concurrency: work.concurrency,
      leaseMs: work.deadlineMs + LEASE_MARGIN_MS,
      lookMs,
      taking: () => ({ isUnsure: 1 as const }),
      messages: {
        take: 'work on Minds could not be looked for',
        perform: 'work on a Mind could not be kept'
      },
      fields: { work: work.kind },
      async begin(stopping) {
        await database.transaction((tx) => endLeases(tx))
        await queueUnseen(database, work, scope, stopping)
      }
    }
  )
  queue.start((lease) => runJob({ database, log }, work, lease))
  return queue
}

/** The rows of a kind of work; nothing of a forgotten Mind's. */
export const jobsOf = (
  db: ReadHandle,
  { kind }: Pick<MindWork, 'kind'>,
  scope: MindScope = {}
): RawBuilder<unknown> => sql`"kind" = ${kind} and "mindKey" in (${mindsIn(db, scope)})`

const BACKOFF = { firstMs: 15_000, longestMs: HOUR_MS }
/** From then on a batch is done one by one. */
const WHOLE_REFUSALS = 2
/** In a row: then a single memory is put aside. */
const MAX_REFUSALS = 5
/** Failures of whatever kind: then a single memory is put aside, if the same is done for other Minds. */
const MAX_ATTEMPTS = 8

async function runJob(
  { database, log }: { database: Database; log: Log },
  work: MindWork,
  lease: Lease<'mindJob'>
): Promise<void> {
  await beginAnew(database, work, lease)
  const job = lease.row
  const retried = await queuedFailure(database.read, job)
  const isSingle = job.refusals >= WHOLE_REFUSALS
  const behind = retried
    ? [retried]
    : await memoriesBehind(database.read, job.mindKey, job.watermark, isSingle ? 1 : sizeAfter(job, work))
  const memories = behind.slice(0, work.fitting?.(behind) ?? behind.length)
  const batch: Batch = { mindKey: job.mindKey, memories }
  const run: Run = { lease, batch, isRetry: retried !== undefined }
  const limits = {
    timeoutMs: work.deadlineMs,
    signals: [lease.signal],
    late: () => new WorkPostponed('It took too long.')
  }
  try {
    const perform = (signal: AbortSignal) => work.perform(batch, signal)
    const performed = memories.length > 0 ? await withDeadline(limits, perform) : NOTHING
    await finish(database, work, run, performed)
  } catch (error) {
    if (lease.signal.aborted) await database.transaction((tx) => lease.letGo(tx))
    else {
      log.warn('work on a Mind failed', { error, work: work.kind })
      await fail(database, work, run, error)
    }
  }
}

/** Half as many after each failure: the whole may be more than the other side can do in its time. */
const sizeAfter = ({ attempts }: MindJob, { maxBatch }: MindWork): number =>
  Math.max(1, Math.floor(maxBatch / 2 ** attempts))

const NOTHING: Performed = { apply: async () => undefined, usage: [] }

async function beginAnew(database: Database, { madeWith, ...work }: MindWork, lease: Lease<'mindJob'>) {
  const job = lease.row
  if (job.madeWith === madeWith) return
  await database.transaction(async (tx) => {
    await lockMindByKey(tx, job.mindKey)
    const anew = { watermark: 0, attempts: 0, refusals: 0, lastError: null, madeWith }
    if (!(await lease.write(tx, anew))) return
    await takeBack(tx, job)
    await work.beginAnew?.(tx, job.mindKey)
  })
}

interface Run {
  lease: Lease<'mindJob'>
  batch: Batch
  /** Whether it was a dead letter's, which leaves the watermark where it is. */
  isRetry: boolean
}

async function finish(
  database: Database,
  work: MindWork,
  { lease, batch, isRetry }: Run,
  { apply, usage }: Performed
): Promise<void> {
  const job = lease.row
  const seqs = batch.memories.map(({ seq }) => seq)
  await database.transaction(async (tx) => {
    const mind = await lockMindByKey(tx, job.mindKey)
    if (!mind) return
    const reached = isRetry ? job.watermark : (seqs.at(-1) ?? (await emptyUpTo(tx, job, mind.nextSeq)))
    const isHeld = await lease.letGo(tx, {
      watermark: reached,
      attempts: 0,
      refusals: 0,
      isUnsure: 0,
      lastDoneAt: now(),
      lastError: null,
      madeWith: work.madeWith
    })
    // Somebody else has it by now, and does the same.
    if (!isHeld) return
    await apply(tx, await keptSeqs(tx, job.mindKey, seqs))
    if (isRetry) await takeBack(tx, job, seqs)
    await recordUsage(tx, job.mindKey, usage)
    await setWaiting(tx, work, job.mindKey, reached)
  })
}

/** How far there is nothing to do. What was stored since the look at it waits. */
async function emptyUpTo(tx: WriteHandle, { mindKey, watermark }: MindJob, nextSeq: number): Promise<number> {
  const [first] = await memoriesBehind(tx, mindKey, watermark, 1)
  return (first?.seq ?? nextSeq) - 1
}

async function fail(database: Database, work: MindWork, { lease, batch, isRetry }: Run, error: unknown) {
  const job = lease.row
  const isKnown = error instanceof BatchRefused || error instanceof WorkPostponed
  // An outage, be it of our own database, says nothing about the memories; what we did wrong ourselves may be their doing.
  const refusals = job.refusals + (error instanceof WorkPostponed || isAway(error) || isBusy(error) ? 0 : 1)
  const lastError = isKnown ? error.message : 'Something went wrong inside the service; its log has more.'
  const [single] = batch.memories
  const isAlone = batch.memories.length === 1
  const isBlocked = isAlone && job.attempts + 1 >= MAX_ATTEMPTS && (await goesOnElsewhere(database.read, job))
  const isHopeless = single !== undefined && isAlone && (refusals >= MAX_REFUSALS || isBlocked)
  const askedSeconds = error instanceof WorkPostponed ? error.retryAfterSeconds : undefined
  const waitMs = backoffMs(BACKOFF, job.attempts, askedSeconds)
  await database.transaction(async (tx) => {
    if (!(await lockMindByKey(tx, job.mindKey))) return
    const isHeld = await lease.letGo(tx, {
      ...(isHopeless
        ? { watermark: isRetry ? job.watermark : single.seq, attempts: 0, refusals: 0, isUnsure: 0 }
        : { attempts: job.attempts + 1, refusals, dueAt: fromNow(waitMs) }),
      failures: job.failures + 1,
      lastError
    })
    if (!isHeld) return
    if (isKnown) await recordUsage(tx, job.mindKey, error.usage)
    if (!isHopeless) return
    await putAside(tx, { ...job, seq: single.seq }, lastError)
    await setWaiting(tx, work, job.mindKey, isRetry ? job.watermark : single.seq)
  })
}

/** Whether the same was done for another Mind of late: then it isn't for a service's being away that this one fails. */
async function goesOnElsewhere(db: ReadHandle, { kind, mindKey }: MindJob): Promise<boolean> {
  const others = db.selectFrom('mindJob').where('kind', '=', kind).where('mindKey', '!=', mindKey)
  const recent = others.where('lastDoneAt', '>', fromNow(-HOUR_MS)).select('mindKey').limit(1)
  return (await recent.executeTakeFirst()) !== undefined
}
