import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createLanes } from '../../src/fair-queue.ts'

/** Something that ends when it is told to. */
function gate() {
  let open: (value: string) => void = () => undefined
  const opened = new Promise<string>((resolve) => {
    open = resolve
  })
  return { work: () => opened, open: (value: string) => open(value) }
}

describe('turns', () => {
  it('come one after the other, in the order in which they were taken', async () => {
    const lanes = createLanes()
    const done: number[] = []
    const first = gate()
    const taken = [
      lanes.run('a', () => first.work().then(() => done.push(1))),
      lanes.run('a', async () => done.push(2)),
      lanes.run('a', async () => done.push(3))
    ]
    expect(lanes.count('a')).toBe(3)
    await lanes.run('b', async () => undefined)
    expect(done).toEqual([])
    first.open('')
    await Promise.all(taken)
    expect(done).toEqual([1, 2, 3])
    await expect.poll(() => lanes.count('a')).toBe(0)
  })

  it('go on after one that fails', async () => {
    const lanes = createLanes()
    const failing = lanes.run('a', () => Promise.reject(new Error('broken')))
    const next = lanes.run('a', async () => 'fine')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('fine')
  })

  it('are given up at once by who waits no longer, and never begun', async () => {
    const lanes = createLanes()
    const first = gate()
    const running = lanes.run('a', first.work)
    const controller = new AbortController()
    let hasBegun = false
    const waiting = lanes.run(
      'a',
      async () => {
        hasBegun = true
      },
      controller.signal
    )
    controller.abort(new Error('no longer'))
    await expect(waiting).rejects.toThrow('no longer')
    first.open('first')
    expect(await running).toBe('first')
    expect(await lanes.run('a', async () => 'third')).toBe('third')
    expect(hasBegun).toBe(false)
  })

  it('are not taken back once begun', async () => {
    const lanes = createLanes()
    const first = gate()
    const controller = new AbortController()
    const running = lanes.run('a', first.work, controller.signal)
    await lanes.run('b', async () => undefined)
    controller.abort()
    first.open('done')
    expect(await running).toBe('done')
  })

  it('are kept by no signal, which lasts far longer, once they are over', async () => {
    const { signal } = new AbortController()
    await createLanes().run('a', async () => undefined, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
