import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createFairQueue } from '../../src/fair-queue.ts'

const refused = new Error('Too much waits')

/** A queue whose work ends when the test says so. */
function fixture(options: Partial<Parameters<typeof createFairQueue>[0]> = {}) {
  const queue = createFairQueue({
    atOnce: 2,
    atOncePerTenant: 2,
    waitingPerTenant: 100,
    refusal: () => refused,
    ...options
  })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (tenant: string, name: string, signal?: AbortSignal): Promise<string> => {
    const work = () =>
      new Promise<string>((resolve) => {
        begun.push(name)
        ends.set(name, () => resolve(name))
      })
    return queue.run(tenant, work, signal)
  }
  return {
    begun,
    add,
    /** As `add`, where what becomes of it interests nobody. */
    put(tenant: string, name: string) {
      add(tenant, name).catch(() => undefined)
    },
    async end(name: string) {
      ends.get(name)?.()
      await setImmediate()
    }
  }
}

describe('a fair queue', () => {
  it('gives its places in rotation, however much one tenant has waiting', async () => {
    const { put, end, begun } = fixture()
    for (let i = 1; i <= 5; i += 1) put('greedy', `greedy ${i}`)
    put('modest', 'modest 1')
    put('modest', 'modest 2')
    await setImmediate()
    expect(begun).toEqual(['greedy 1', 'greedy 2'])
    for (const name of ['greedy 1', 'greedy 2', 'greedy 3', 'modest 1']) await end(name)
    expect(begun.slice(2)).toEqual(['greedy 3', 'modest 1', 'greedy 4', 'modest 2'])
  })

  it('keeps places free that one tenant may not have', async () => {
    const { put, begun } = fixture({ atOncePerTenant: 1 })
    put('greedy', 'greedy 1')
    put('greedy', 'greedy 2')
    put('modest', 'modest 1')
    await setImmediate()
    expect(begun).toEqual(['greedy 1', 'modest 1'])
  })

  it('refuses what is more than one tenant may have waiting, and nobody else’s', async () => {
    const { add, put, end, begun } = fixture({ atOncePerTenant: 1, waitingPerTenant: 1 })
    put('greedy', 'greedy 1')
    put('greedy', 'greedy 2')
    await expect(add('greedy', 'greedy 3')).rejects.toBe(refused)
    put('modest', 'modest 1')
    await end('greedy 1')
    expect(begun).toEqual(['greedy 1', 'modest 1', 'greedy 2'])
  })

  it('when full, takes from whoever has most waiting', async () => {
    const { add, put, begun, end } = fixture({ atOnce: 1, waiting: 2 })
    put('greedy', 'greedy 1')
    put('greedy', 'greedy 2')
    const last = add('greedy', 'greedy 3')
    put('modest', 'modest 1')
    await expect(last).rejects.toBe(refused)
    await end('greedy 1')
    await end('greedy 2')
    expect(begun).toEqual(['greedy 1', 'greedy 2', 'modest 1'])
  })

  it('lets go of what waits when its caller has gone, and begins nothing for who is gone', async () => {
    const { add, put, begun, end } = fixture({ atOnce: 1 })
    const caller = new AbortController()
    put('one', 'one 1')
    const gone = add('one', 'one 2', caller.signal)
    put('one', 'one 3')
    caller.abort(new Error('gone'))
    await expect(gone).rejects.toThrow('gone')
    await expect(add('one', 'one 4', caller.signal)).rejects.toThrow('gone')
    await end('one 1')
    expect(begun).toEqual(['one 1', 'one 3'])
  })

  it('goes on after work that fails', async () => {
    const queue = createFairQueue({
      atOnce: 1,
      atOncePerTenant: 1,
      waitingPerTenant: 1,
      refusal: () => refused
    })
    const failed = queue.run('one', () => Promise.reject(new Error('broken')))
    const next = queue.run('one', async () => 'next')
    await expect(failed).rejects.toThrow('broken')
    expect(await next).toBe('next')
  })
})
