// Does the work behind the Minds, in this process beside others: each batch outside of any transaction, and what it made
// in one with the watermark. A crash at any point leaves the watermark where it was, and the batch is done again.

import { fromNow, now } from '../../clock.ts'
import type { Database, WriteHandle } from '../../database/database.ts'
import { newOwner } from '../../jobs/owner.ts'
import { recordUsage } from '../../llm/usage.ts'
import type { Log } from '../../log.ts'
import { forgetAllFailures, putAside, takeBack } from './failures.ts'
import { queueUnseen } from './queue.ts'
import type { MindScope } from './scope.ts'
import {
  changeHeld,
  dueJobs,
  keptSeqs,
  lockMindByKey,
  type MindJob,
  memoriesBehind,
  queuedFailure,
  releaseEnded,
  takeJob,
  waitingBehind
} from './store.ts'
import { type Batch, BatchRefused, type MindWork, type Performed, WorkPostponed } from './work.ts'

export interface MindWorker {
  /** Looks for due work now. */
  wake(): void
  /** Does what is due in this very moment, and resolves when nothing due is left. */
  drain(): Promise<void>
  /** Ends what is under way; it is done again later. */
  stop(): Promise<void>
}

export interface WorkerSurroundings {
  database: Database
  log: Log
  /** How often due work is looked for. */
  lookMs?: number
  /** The Minds for which it works; all of them when left out. */
  scope?: MindScope
}

const LOOK_MS = 2_000
/** Beyond the work's own deadline, for its transaction. */
const LEASE_MARGIN_MS = 60_000
const FIRST_BACKOFF_MS = 15_000
const LONGEST_BACKOFF_MS = 3_600_000
/** After so many refusals a batch is done one by one. */
const WHOLE_REFUSALS = 2
/** After so many in a row a single memory is put aside. */
const MAX_REFUSALS = 5

/** Starts one kind of work; nothing of it runs after `stop` has resolved. */
export function startMindWork(
  { database, log, lookMs = LOOK_MS, scope }: WorkerSurroundings,
  work: MindWork
): MindWorker {
  const owner = newOwner()
  const stopping = new AbortController()
  const inHand = new Map<number, Promise<void>>()
  let looking: Promise<void> | undefined
  let isWoken = false

  const wake = () => {
    isWoken = true
    if (!stopping.signal.aborted) looking ??= look()
  }
  const look = async () => {
    while (isWoken && !stopping.signal.aborted) {
      isWoken = false
      await takeDue().catch((error: unknown) => log.warn('work on Minds could not be looked for', { error }))
    }
    looking = undefined
  }
  const takeDue = async () => {
    const free = work.concurrency - inHand.size
    if (free <= 0) return
    for (const seen of await dueJobs(database.read, work.kind, free + inHand.size, scope)) {
      if (inHand.size >= work.concurrency || stopping.signal.aborted) return
      if (inHand.has(seen.mindKey)) continue
      inHand.set(seen.mindKey, take(seen))
    }
  }
  const take = async (seen: MindJob) => {
    let hasFailed = false
    try {
      const lease = { owner, ms: work.deadlineMs + LEASE_MARGIN_MS }
      const job = await database.transaction((tx) => takeJob(tx, seen, lease))
      if (job) await runJob({ database, log }, work, { job, mayBeDone: seen.isUnsure === 1 }, stopping.signal)
    } catch (error) {
      // A database that can't be written to refuses at once: the next look is soon enough.
      hasFailed = true
      log.error('work on a Mind could not be kept', { error, work: work.kind })
    } finally {
      inHand.delete(seen.mindKey)
      if (!hasFailed) wake()
    }
  }
  const begin = async () => {
    await database.transaction((tx) => releaseEnded(tx, work.kind))
    for (let after: number | undefined = 0; after !== undefined && !stopping.signal.aborted; ) {
      const from: number = after
      after = await database.transaction((tx) => queueUnseen(tx, work, from, scope))
    }
  }
  const beginning = begin()
    .catch((error: unknown) => log.warn('work on Minds could not begin', { error }))
    .then(wake)
  const timer = setInterval(wake, lookMs)
  timer.unref()
  return {
    wake,
    async drain() {
      await beginning
      do {
        wake()
        await looking
        await Promise.all(inHand.values())
      } while (
        !stopping.signal.aborted &&
        (inHand.size > 0 || looking || (await isDue(database, work, scope)))
      )
    },
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await beginning
      await looking
      await Promise.all(inHand.values())
    }
  }
}

const isDue = async ({ read }: Database, { kind }: MindWork, scope?: MindScope): Promise<boolean> =>
  (await dueJobs(read, kind, 1, scope)).length > 0

type Surroundings = Pick<WorkerSurroundings, 'database' | 'log'>

async function runJob(
  { database, log }: Surroundings,
  work: MindWork,
  taken: { job: MindJob; mayBeDone: boolean },
  stopping: AbortSignal
): Promise<void> {
  const job = await begunAnew(database, work, taken.job)
  const retried = await queuedFailure(database.read, job)
  const isSingle = job.refusals >= WHOLE_REFUSALS
  const behind = retried
    ? [retried]
    : await memoriesBehind(database.read, job.mindKey, job.watermark, isSingle ? 1 : sizeAfter(job, work))
  const memories = behind.slice(0, work.fitting?.(behind) ?? behind.length)
  const batch: Batch = {
    mindKey: job.mindKey,
    memories,
    attempts: job.attempts,
    mayBeDone: taken.mayBeDone
  }
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new WorkPostponed('It took too long.')), work.deadlineMs)
  const end = () => deadline.abort(new WorkPostponed('The service stopped.'))
  stopping.addEventListener('abort', end, { once: true })
  if (stopping.aborted) end()
  try {
    const performed = memories.length > 0 ? await work.perform(batch, deadline.signal) : NOTHING
    await finish(database, work, { job, batch, isRetry: retried !== undefined }, performed)
  } catch (error) {
    if (stopping.aborted) await database.transaction((tx) => changeHeld(tx, job, {}))
    else {
      log.warn('work on a Mind failed', { error, work: work.kind })
      await fail(database, work, { job, batch, isRetry: retried !== undefined }, error)
    }
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', end)
  }
}

/** Half as many after each failure: the whole may be more than the other side can do in its time. */
const sizeAfter = ({ attempts }: MindJob, { maxBatch }: MindWork): number =>
  Math.max(1, Math.floor(maxBatch / 2 ** attempts))

const NOTHING: Performed = { apply: async () => undefined, usage: [] }

/** A Mind that was done with something else begins anew. */
async function begunAnew(database: Database, work: MindWork, job: MindJob): Promise<MindJob> {
  if (job.madeWith === work.madeWith) return job
  const { madeWith } = work
  const { leaseOwner, leaseExpiresAt } = job
  await database.transaction(async (tx) => {
    await lockMindByKey(tx, job.mindKey)
    const anew = { watermark: 0, attempts: 0, refusals: 0, lastError: null, madeWith }
    if (!(await changeHeld(tx, job, { ...anew, leaseOwner, leaseExpiresAt }))) return
    await forgetAllFailures(tx, job)
    await work.beginAnew?.(tx, job.mindKey)
  })
  return { ...job, watermark: 0, attempts: 0, refusals: 0, madeWith }
}

interface Run {
  job: MindJob
  batch: Batch
  /** Whether it was a dead letter's, which leaves the watermark where it is. */
  isRetry: boolean
}

async function finish(
  database: Database,
  work: MindWork,
  { job, batch, isRetry }: Run,
  { apply, usage }: Performed
): Promise<void> {
  const seqs = batch.memories.map(({ seq }) => seq)
  await database.transaction(async (tx) => {
    const mind = await lockMindByKey(tx, job.mindKey)
    if (!mind) return
    const reached = isRetry ? job.watermark : (seqs.at(-1) ?? (await emptyUpTo(tx, job, mind.nextSeq)))
    const isHeld = await changeHeld(tx, job, {
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
    await tx
      .updateTable('mindJob')
      .set(await waitingBehind(tx, job, reached, work))
      .where('kind', '=', job.kind)
      .where('mindKey', '=', job.mindKey)
      .execute()
  })
}

/** How far there is nothing to do. What was stored since the look at it waits. */
async function emptyUpTo(tx: WriteHandle, { mindKey, watermark }: MindJob, nextSeq: number): Promise<number> {
  const [first] = await memoriesBehind(tx, mindKey, watermark, 1)
  return (first?.seq ?? nextSeq) - 1
}

async function fail(
  database: Database,
  work: MindWork,
  { job, batch, isRetry }: Run,
  error: unknown
): Promise<void> {
  const isKnown = error instanceof BatchRefused || error instanceof WorkPostponed
  // An outage says nothing about the memories; what we did wrong ourselves may be their doing.
  const refusals = job.refusals + (error instanceof WorkPostponed ? 0 : 1)
  const lastError = isKnown ? error.message : 'Something went wrong inside the service; its log has more.'
  const [single] = batch.memories
  const isHopeless = single !== undefined && batch.memories.length === 1 && refusals >= MAX_REFUSALS
  await database.transaction(async (tx) => {
    if (!(await lockMindByKey(tx, job.mindKey))) return
    const isHeld = await changeHeld(tx, job, {
      ...(isHopeless
        ? { watermark: isRetry ? job.watermark : single.seq, attempts: 0, refusals: 0, isUnsure: 0 }
        : { attempts: job.attempts + 1, refusals, dueAt: fromNow(backoffMs(job.attempts, error)) }),
      failures: job.failures + 1,
      lastError
    })
    if (!isHeld) return
    if (isKnown) await recordUsage(tx, job.mindKey, error.usage)
    if (!isHopeless) return
    await putAside(tx, { ...job, seq: single.seq }, lastError)
    await tx
      .updateTable('mindJob')
      .set(await waitingBehind(tx, job, isRetry ? job.watermark : single.seq, work))
      .where('kind', '=', job.kind)
      .where('mindKey', '=', job.mindKey)
      .execute()
  })
}

function backoffMs(attempts: number, error: unknown): number {
  const asked = error instanceof WorkPostponed ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
  const doubled = Math.min(FIRST_BACKOFF_MS * 2 ** attempts, LONGEST_BACKOFF_MS)
  return Math.max(asked, doubled * (0.5 + Math.random() / 2))
}
