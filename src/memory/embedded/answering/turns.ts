// A long memory takes up to a third of a second to read, and a question may find fifty: others get their turn in between.
import { setImmediate } from 'node:timers/promises'

/** @throws what the signal aborted with, if it did */
export async function takeTurns(signal: AbortSignal): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}
