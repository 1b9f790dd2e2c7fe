/** Long enough for what doesn't wait: turns of the event loop, and a round trip to the database. */
export async function untilWaiting(): Promise<'waits'> {
  for (let turn = 0; turn < 2_000; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  return 'waits'
}

/** Something that another flow waits for. */
export function gate() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}
