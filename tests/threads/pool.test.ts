// Threads for long work: who gets one, and what becomes of work whose thread ends.
import { getPriority } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { readCompletion } from '../../src/ai-gateway/embedded/completion.ts'
import { createLog } from '../../src/log.ts'
import { readMemory } from '../../src/memory/embedded/read-memory.ts'
import { openThreadPool, type ThreadPool, ThreadsUnavailable } from '../../src/threads/pool.ts'
import type { ownPriority, waitFor } from './work.mjs'

const TOLD_AT = '2026-05-03T10:00:00.000Z'
const reading = {
  name: 'readMemory',
  file: new URL('../../src/memory/embedded/read-memory.js', import.meta.url)
}
const completing = {
  name: 'readCompletion',
  file: new URL('../../src/ai-gateway/embedded/completion.js', import.meta.url)
}

const inTests = { file: new URL('./work.mjs', import.meta.url) }

const pools: ThreadPool[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})
const open = (
  ...options: Parameters<typeof openThreadPool> extends [unknown, ...infer Rest] ? Rest : never
) => {
  const pool = openThreadPool(createLog('silent'), ...options)
  pools.push(pool)
  return pool
}
const told = (content: string) => ({ content, occurredAt: TOLD_AT })
const read = (pool: ThreadPool, tenant: string, content = 'Dana: I live in Lisbon.') =>
  pool.run<typeof readMemory>(tenant, reading, told(content))

/** As much as a body may hold, and more in memory than a thread of a few megabytes has. */
const ofManyValues = () => {
  const keys = Array.from({ length: 48_000 }, (_, i) => `"${`key${i}`.padEnd(80, '-')}":1`)
  return Buffer.from(`{"model":"auto","messages":[{${keys.join(',')}}]}`)
}

describe('a thread', () => {
  it('makes of a text what the event loop would', async () => {
    const content = 'Dana: I live in Lisbon and work at Acme. 我住在里斯本。'
    expect(await read(open(), 'one', content)).toEqual(readMemory(told(content)))
  })

  it('takes over what it is told to, without a copy', async () => {
    const bytes = Buffer.from(JSON.stringify({ model: 'auto', messages: ['Hello'.repeat(10_000)] }))
    const asked = { bytes, models: ['small'], limit: { tokens: 100, field: 'max_tokens' } }
    const expected = readCompletion(asked)
    const moved = bytes.buffer
    expect(await open().run<typeof readCompletion>('one', { ...completing, moved }, asked)).toEqual(expected)
    expect(moved.byteLength).toBe(0)
  })

  it('comes behind the event loop where cores are few', async () => {
    expect(await open().run<typeof ownPriority>('one', { ...inTests, name: 'ownPriority' }, undefined)).toBe(
      getPriority() + 5
    )
  })

  it('that ends in the middle of its work refuses it, and the next one does what comes then', async () => {
    const pool = open({ heapMb: 16 })
    const asked = { bytes: ofManyValues(), models: ['small'], limit: { tokens: 100, field: 'max_tokens' } }
    await expect(pool.run<typeof readCompletion>('one', completing, asked)).rejects.toThrow(
      ThreadsUnavailable
    )
    // Small work: the engine's word tables alone fill most of so small a heap.
    expect(await pool.run<typeof ownPriority>('one', { ...inTests, name: 'ownPriority' }, undefined)).toBe(
      getPriority() + 5
    )
  })

  it('that isn’t there by the deadline is not waited for', async () => {
    const pool = open({ deadlineMs: 1 })
    await expect(read(pool, 'one')).rejects.toThrow(ThreadsUnavailable)
  })
})

describe('threads', () => {
  it('are shared: a tenant’s long line leaves one to others', async () => {
    const pool = open()
    const gate = new Int32Array(new SharedArrayBuffer(4))
    const line = Array.from({ length: 10 }, () =>
      pool.run<typeof waitFor>('greedy', { ...inTests, name: 'waitFor' }, gate)
    )
    await read(pool, 'modest')
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
    expect(await Promise.all(line)).toEqual(Array(10).fill('ok'))
  })

  it('refuse what is more than one tenant may have waiting', async () => {
    const pool = open()
    const outcomes = await Promise.allSettled(Array.from({ length: 52 }, () => read(pool, 'greedy')))
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: expect.any(ThreadsUnavailable) }])
  })
})
