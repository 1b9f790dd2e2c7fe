import { vi } from 'vitest'

/** Sets the clock to noon, from where it goes on until `vi.useRealTimers`: no day ends in the middle of a test. */
export function startAtNoon(): void {
  const now = new Date().setUTCHours(12, 0, 0, 0)
  vi.useFakeTimers({ toFake: ['Date'], now, shouldAdvanceTime: true, advanceTimeDelta: 1 })
}
