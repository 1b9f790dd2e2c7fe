import { setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { orAborted, withDeadline } from '../../src/net/deadline.ts'

const never = new Promise<never>(() => undefined)

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

describe('a deadline', () => {
  it('ends every call in time, however often garbage is collected meanwhile', async () => {
    const { signal: caller } = new AbortController()
    setMaxListeners(0, caller)
    let late = 0
    // Nobody keeps what was begun: the signal alone holds who waits for it.
    const limits = { timeoutMs: 1_000, signals: [caller] }
    const begin = () => {
      const count = () => {
        late += 1
      }
      withDeadline(limits, (signal) => orAborted(never, signal)).catch(count)
    }
    for (let i = 0; i < 500; i += 1) begin()
    for (let i = 0; i < 5; i += 1) {
      await setImmediate()
      collectGarbage()
    }
    await expect.poll(() => late, { timeout: 60_000 }).toBe(500)
  })

  it('ends with its own reason, or with that of who leaves earlier', async () => {
    const late = () => 'late'
    const wait = (signal: AbortSignal) => orAborted(never, signal)
    await expect(withDeadline({ timeoutMs: 5, late }, wait)).rejects.toBe('late')
    const caller = new AbortController()
    const left = withDeadline({ timeoutMs: 60_000, signals: [undefined, caller.signal], late }, wait)
    caller.abort('gone')
    await expect(left).rejects.toBe('gone')
    const renamed = { timeoutMs: 60_000, signals: [caller.signal], left: (why: unknown) => `${why}!` }
    await expect(withDeadline(renamed, wait)).rejects.toBe('gone!')
  })
})
