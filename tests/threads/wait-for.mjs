// Work for a thread that ends when the test says so.

/** @returns 'ok', or 'timed-out' when nobody opened the gate for five seconds */
export const waitFor = (gate) => {
  const outcome = Atomics.wait(gate, 0, 0, 5_000)
  return outcome === 'not-equal' ? 'ok' : outcome
}
