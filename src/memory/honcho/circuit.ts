// Leaves a service alone for a while once it has failed a few times in a row, so that callers don't wait for nothing.
import { UpstreamError } from '../../http/fetch-json.ts'

export interface Circuit {
  /** What `work` comes to; `undefined` where the service failed, or is left alone for now. */
  through<T>(work: () => Promise<T>): Promise<T | undefined>
}

const MAX_FAILURES = 2

export function createCircuit(pauseMs: number): Circuit {
  let failures = 0
  let closedUntil = 0
  return {
    async through(work) {
      const isProbe = failures >= MAX_FAILURES
      if (isProbe && performance.now() < closedUntil) return undefined
      // One call finds out whether it is back; the others don't wait for that.
      if (isProbe) closedUntil = performance.now() + pauseMs
      try {
        const result = await work()
        failures = 0
        return result
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error
        failures += 1
        closedUntil = performance.now() + Math.max(pauseMs, (error.retryAfterSeconds ?? 0) * 1_000)
        return undefined
      }
    }
  }
}
