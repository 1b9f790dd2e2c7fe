// Leaves a gateway alone that failed several times in a row, so that nobody waits for what will not come.
import type { Log } from '../log.ts'
import { CallFault, outage } from './fault.ts'

const FAILURES_IN_A_ROW = 3
const FIRST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 300_000

export interface Breaker {
  /**
   * Does the work, unless it is not yet time for that. After a pause one call tries the gateway for all.
   *
   * @throws CallFault `circuit_open`; whatever the work throws
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** @param clock in milliseconds, never going back */
export function createBreaker(log?: Log, clock: () => number = () => performance.now()): Breaker {
  let failures = 0
  /** 0 while calls go through. */
  let pauseMs = 0
  let pausedUntil = 0
  let isTrying = false
  /** A call that began before a pause tells nothing about the gateway after it. */
  let pauses = 0

  const pause = ({ fault, retryAfterSeconds = 0 }: CallFault) => {
    const next = pauseMs === 0 ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    pauseMs = next
    const lengthMs = Math.max(next, 1_000 * retryAfterSeconds)
    pausedUntil = clock() + lengthMs
    pauses += 1
    log?.warn('The gateway of the language models is left alone for a while', {
      code: fault,
      durationMs: lengthMs
    })
  }
  const letThrough = () => {
    if (pauseMs > 0) log?.info('The gateway of the language models answers again')
    failures = 0
    pauseMs = 0
  }
  return {
    async run(work) {
      const isTrial = pauseMs > 0
      const leftMs = pausedUntil - clock()
      if (isTrial && (isTrying || leftMs > 0))
        throw outage('circuit_open', Math.max(1, Math.ceil(leftMs / 1_000)))
      if (isTrial) isTrying = true
      const pausesBefore = pauses
      const isRecent = () => pauses === pausesBefore
      try {
        const result = await work()
        if (isRecent()) letThrough()
        return result
      } catch (error) {
        // Anything else, such as the caller's leaving, tells nothing about the gateway.
        if (error instanceof CallFault && isRecent()) {
          failures += 1
          if (!error.isOutage) letThrough()
          else if (isTrial || failures >= FAILURES_IN_A_ROW) pause(error)
        }
        throw error
      } finally {
        if (isTrial) isTrying = false
      }
    }
  }
}
