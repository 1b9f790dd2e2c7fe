import { setTimeout } from 'node:timers/promises'

/** Waits until the clock moves on. Lists go by the millisecond: what a test makes in an order must not share one. */
export async function nextInstant(): Promise<void> {
  const before = Date.now()
  while (Date.now() === before) await setTimeout(1)
}
