// Housekeeping: what has expired leaves the database, a small batch at a time.
import { forgetOldUsage } from '../ai-gateway/embedded/store.ts'
import { HOUR_MS, MINUTE_MS } from '../clock.ts'
import { eraseOldAnswers } from '../credits/kept-answers.ts'
import { refundExpired } from '../credits/reservations.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import { forgetExpiredAnswers } from '../idempotency/idempotency.ts'
import { failAbandoned } from '../instances/chat/store.ts'
import { forgetEndedWindows } from '../limits/ended-windows.ts'
import { forgetEndedFailures } from '../limits/sign-in-limits.ts'
import { forgetEndedSessions } from '../portal-access/sessions.ts'

interface Sweep {
  /** Does a batch and tells how many there were. */
  run(tx: WriteHandle, batch: number): Promise<number>
  /** Small enough that the write lock is held for a few milliseconds. */
  batch: number
  everyMs: number
}

const SWEEPS: readonly Sweep[] = [
  // Somebody's credits are held for an answer that a crash took: they are missed at once.
  { run: refundExpired, batch: 25, everyMs: MINUTE_MS },
  { run: failAbandoned, batch: 200, everyMs: MINUTE_MS },
  { run: forgetExpiredAnswers, batch: 200, everyMs: HOUR_MS },
  { run: eraseOldAnswers, batch: 200, everyMs: HOUR_MS },
  { run: forgetEndedWindows, batch: 200, everyMs: HOUR_MS },
  { run: forgetEndedSessions, batch: 200, everyMs: HOUR_MS },
  { run: forgetEndedFailures, batch: 200, everyMs: HOUR_MS },
  { run: forgetOldUsage, batch: 200, everyMs: HOUR_MS }
]

/** Sweeps now and then again and again, until the returned function is called. */
export function startSweeps(database: Database, inBackground: (work: Promise<unknown>) => void): () => void {
  const stops = SWEEPS.map((sweep) => repeat(database, inBackground, sweep))
  return () => {
    for (const stop of stops) stop()
  }
}

function repeat(
  database: Database,
  inBackground: (work: Promise<unknown>) => void,
  { run, batch, everyMs }: Sweep
): () => void {
  let isStopped = false
  let isRunning = false
  const sweep = async () => {
    if (isRunning) return
    isRunning = true
    try {
      while (!isStopped && (await database.transaction((tx) => run(tx, batch))) === batch);
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(() => inBackground(sweep()), everyMs)
  timer.unref()
  inBackground(sweep())
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
