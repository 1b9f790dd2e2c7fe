// Work for a thread.
import { readlinkSync } from 'node:fs'
import { getPriority } from 'node:os'

/** @returns 'ok' once the test opens the gate, or 'timed-out' when it doesn't for five seconds */
export const waitFor = (gate) => {
  const outcome = Atomics.wait(gate, 0, 0, 5_000)
  return outcome === 'not-equal' ? 'ok' : outcome
}

/** @returns the priority that the operating system gives the thread */
export const ownPriority = () => getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)))
