// Long work on the event loop, in slices: between two of them everybody else has a turn.
import { setImmediate } from 'node:timers/promises'
import { createLanes } from './fair-queue.ts'

/** Of one work at a time; so long, others wait. */
const SLICE_MS = 4
/** Of what begins in one round; most calls take a tenth of it. */
const BEGINNINGS_MS = 4
/** Whoever connects without an end must not keep everybody else from working. */
const LONGEST_ARRIVAL_MS = 10

let arrivals = 0

export function noteArrival(): void {
  arrivals += 1
}

/** Until no connection waits: one is taken in each round, and behind a hundred one would wait for as many slices. */
export async function goRound(): Promise<void> {
  const until = performance.now() + LONGEST_ARRIVAL_MS
  let before: number
  do {
    before = arrivals
    await setImmediate()
  } while (arrivals !== before && performance.now() < until)
}

let last: Promise<void> = Promise.resolve()

/** Goes round for one after the other: however many wait, one goes on in each round. */
export function nextTurn(): Promise<void> {
  last = last.then(goRound)
  return last
}

/** What resolves when something of a tenant's may begin: of what comes at once, a little does in each round, in rotation. */
function createTurns(): (tenantOf: () => string) => Promise<void> | undefined {
  const queue = createLanes(1)
  let waiting = 0
  let beginUntil = 0
  const begin = async () => {
    // By then, what began before has come to its first wait.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    if (performance.now() < beginUntil) return
    await goRound()
    beginUntil = performance.now() + BEGINNINGS_MS
  }
  const wait = async (tenant: string) => {
    waiting += 1
    try {
      await queue.run(tenant, begin)
    } finally {
      waiting -= 1
    }
  }
  // Nothing but a look at the clock where there is room in this round.
  return (tenantOf) => (waiting === 0 && performance.now() < beginUntil ? undefined : wait(tenantOf()))
}

/** Of requests, by the widest network of their client. */
export const turnOfNetwork = createTurns()
/** Of calls of operations. */
export const turnOfPartner = createTurns()

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
