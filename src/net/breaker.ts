// Leaves a service alone that failed several times in a row, so that nobody waits for what will not come.
// Not cockatiel's: while one call tries for all, it has the others wait for that one, and doesn't tell how long its
// pause still lasts.
import { type Backoff, doubledMs } from './backoff.ts'

export type Breaker = ReturnType<typeof createBreaker>

interface Failure {
  /** Whether the next call would most likely fail as well. */
  isOutage: boolean
  retryAfterSeconds?: number | undefined
}

interface BreakerOptions<F extends Failure> {
  failuresInARow: number
  /** A pause, which is longer where the service asks for that, and doubles while it doesn't come back. */
  pause: Backoff
  /** Nothing of an error that tells nothing, as where the caller left. */
  read(error: unknown): F | undefined
  refusal(retryAfterSeconds: number): Error
  onPause?(lengthMs: number, failure: F): void
  onReturn?(): void
  /** Milliseconds, never going back. */
  clock?: () => number
}

export function createBreaker<F extends Failure>(options: BreakerOptions<F>) {
  const { failuresInARow, pause, clock = () => performance.now() } = options
  let failures = 0
  /** Since it last worked; 0 while calls go through. */
  let pausesInARow = 0
  let pausedUntil = 0
  let isTrying = false
  /** A call that began before a pause tells nothing about the service after it. */
  let pauses = 0

  const beginPause = (failure: F) => {
    const lengthMs = Math.max(doubledMs(pause, pausesInARow), 1_000 * (failure.retryAfterSeconds ?? 0))
    pausedUntil = clock() + lengthMs
    pausesInARow += 1
    pauses += 1
    options.onPause?.(lengthMs, failure)
  }
  const letThrough = () => {
    if (pausesInARow > 0) options.onReturn?.()
    failures = 0
    pausesInARow = 0
  }
  return {
    /** After a pause one call tries the service for all. @throws the breaker's refusal; whatever the work throws */
    async run<T>(work: () => Promise<T>): Promise<T> {
      const isTrial = pausesInARow > 0
      const leftMs = pausedUntil - clock()
      if (isTrial && (isTrying || leftMs > 0)) throw options.refusal(Math.max(1, Math.ceil(leftMs / 1_000)))
      if (isTrial) isTrying = true
      const pausesBefore = pauses
      const isRecent = () => pauses === pausesBefore
      try {
        const result = await work()
        if (isRecent()) letThrough()
        return result
      } catch (error) {
        const failure = options.read(error)
        if (failure && isRecent()) {
          failures += 1
          if (!failure.isOutage) letThrough()
          else if (isTrial || failures >= failuresInARow) beginPause(failure)
        }
        throw error
      } finally {
        if (isTrial) isTrying = false
      }
    }
  }
}
