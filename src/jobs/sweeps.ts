// Housekeeping: what a crash left is ended or given back, and what grew old deleted, a few milliseconds at a time.
import pLimit from 'p-limit'
import { HOUR_MS } from '../clock.ts'
import type { Retention } from '../config.ts'
import { eraseOldAnswers } from '../credits/kept-answers.ts'
import { refundExpired } from '../credits/reservations.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import type { Log } from '../log.ts'
import { closeDue } from '../statements/life.ts'
import { advanceDue } from '../subscriptions/change.ts'
import { AGEING, deleteOldest } from './ageing.ts'
import { unhurried } from './deleter.ts'
import { endLeases } from './leases.ts'
import { type Looker, startLooking } from './looker.ts'

export interface Sweep {
  /** Does a batch and tells how many there were; fewer than a batch are the last ones. */
  run(tx: WriteHandle, batch: number): Promise<number>
  everyMs: number
  /** A transaction takes no further batch after so long. */
  holdMs: number
}

/** Small enough that the write lock is held for a few milliseconds. */
const BATCH = 25
const HOLD_MS = 10
const SOON_MS = 5_000

export const sweepsOf = (kept: Retention): Sweep[] => [
  // What a crash left is missed at once.
  { run: endLeases, everyMs: SOON_MS, holdMs: 0 },
  // One batch at a time, because accounts are locked in one order within it.
  { run: refundExpired, everyMs: SOON_MS, holdMs: 0 },
  {
    // Accounts are locked in one order within a batch.
    run: async (tx, batch) => (await closeDue(tx, batch)).length,
    everyMs: HOUR_MS,
    holdMs: 0
  },
  { run: advanceDue, everyMs: SOON_MS, holdMs: 0 },
  { run: eraseOldAnswers, everyMs: HOUR_MS, holdMs: HOLD_MS },
  ...AGEING.map((ageing) => ({
    run: (tx: WriteHandle, batch: number) => deleteOldest(tx, ageing, kept, batch),
    everyMs: HOUR_MS,
    holdMs: HOLD_MS
  }))
]

/** Sweeps once, in one transaction; whether there may be more. */
export const sweepSome = (database: Database, { run, holdMs }: Sweep): Promise<boolean> =>
  unhurried(database, async (tx) => {
    const startedAt = performance.now()
    let isFull: boolean
    do isFull = (await run(tx, BATCH)) === BATCH
    while (isFull && performance.now() - startedAt < holdMs)
    return isFull
  })

/** Sweeps now and then again and again. */
export function startSweeps(database: Database, kept: Retention, log: Log): Looker[] {
  // In rotation, one transaction at a time.
  const turn = pLimit(1)
  const step = (sweep: Sweep, stopping: AbortSignal): Promise<boolean> =>
    turn(async () => !stopping.aborted && (await sweepSome(database, sweep)))
  return sweepsOf(kept).map((sweep) =>
    startLooking(
      async (stopping) => {
        while (await step(sweep, stopping));
      },
      { everyMs: sweep.everyMs, onError: (error) => log.error('a sweep failed', { error }) }
    )
  )
}
