// One instance's messages take turns in the order of their coming: the agent resumes one thread, and two runs at once
// would both go on from the same place.
import { orAborted } from '../ssh/deadline.ts'

export interface Turns {
  /** How many of that key are at work or wait for their turn. */
  count(key: string): number
  /**
   * Does the work once all earlier work of the same key has ended. When `signal` aborts before that, the work is never
   * begun; once begun, the signal is the work's own to heed.
   *
   * @throws the signal's reason when it aborts first
   */
  take<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

interface Lane {
  count: number
  last: Promise<unknown>
}

/** Lanes of their own, one for each key. */
export function createTurns(): Turns {
  const lanes = new Map<string, Lane>()
  return {
    count: (key) => lanes.get(key)?.count ?? 0,
    take(key, work, signal) {
      const lane = lanes.get(key) ?? { count: 0, last: Promise.resolve() }
      lanes.set(key, lane)
      lane.count += 1
      const earlier = lane.last
      const turn = signal ? orAborted(earlier, signal) : earlier
      const mine = turn.then(() => {
        signal?.throwIfAborted()
        return work()
      })
      lane.last = earlier
        .then(() => mine)
        .catch(() => undefined)
        .then(() => {
          lane.count -= 1
          if (lane.count === 0) lanes.delete(key)
        })
      return mine
    }
  }
}
