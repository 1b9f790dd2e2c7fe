// Long work on the event loop, in slices: between two of them everybody else has a turn.
import { setImmediate } from 'node:timers/promises'

/** Of one work at a time; so long, others wait. */
const SLICE_MS = 8

let last: Promise<void> = Promise.resolve()

/** Resolves once the event loop has gone round, for one after the other: however many wait, one goes on in each round. */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}

/** Called by long work every millisecond or so: gives others their turn when a slice is over. */
export type Pause = () => Promise<void>

/** The pauses of one work; each throws what the signal aborted with, if it did. */
export function inSlices(signal?: AbortSignal): Pause {
  let beganAt = performance.now()
  return async () => {
    if (performance.now() - beganAt >= SLICE_MS) {
      await nextTurn()
      beganAt = performance.now()
    }
    signal?.throwIfAborted()
  }
}
