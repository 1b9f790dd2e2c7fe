import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queueMemoryWrite } from '../../src/memory/write-queue.ts'
import { stringAt, unique } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { makeMemoryCaller } from './caller.ts'

describe('turns of one customer', () => {
  it('come one after the other, in the order in which they were asked for', async () => {
    const key = unique('cus_')
    const events: string[] = []
    const turn = (name: string) =>
      queueMemoryWrite(key, 10_000, async () => {
        events.push(`${name} begins`)
        await setImmediate()
        events.push(`${name} ends`)
        return name
      })
    expect(await Promise.all(['one', 'two', 'three'].map(turn))).toEqual(['one', 'two', 'three'])
    expect(events).toEqual(['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  })

  it('go on after one that fails, and are nobody else’s', async () => {
    const key = unique('cus_')
    const failed = queueMemoryWrite(key, 10_000, async () => {
      await setImmediate()
      throw new Error('broken')
    })
    const next = queueMemoryWrite(key, 10_000, async () => 'next')
    expect(await queueMemoryWrite(unique('cus_'), 10_000, async () => 'other')).toBe('other')
    await expect(failed).rejects.toThrow('broken')
    expect(await next).toBe('next')
  })

  it('are refused when they come too late, without doing anything', async () => {
    const key = unique('cus_')
    const first = queueMemoryWrite(key, 50, () => sleep(80))
    let isDone = false
    const late = queueMemoryWrite(key, 50, async () => {
      isDone = true
    })
    await expect(late).rejects.toMatchObject({ code: 'database_busy', retryAfterSeconds: 1 })
    await first
    expect(isDone).toBe(false)
  })

  it('leave turns to everybody else in between', async () => {
    const key = unique('cus_')
    let rounds = 0
    let isOver = false
    const others = (async () => {
      for (; !isOver; rounds += 1) await setImmediate()
    })()
    const seen = await Promise.all(
      Array.from({ length: 10 }, () => queueMemoryWrite(key, 10_000, async () => rounds))
    )
    isOver = true
    await others
    expect(new Set(seen).size).toBe(10)
  })

  it('are refused when too many wait for theirs', async () => {
    const key = unique('cus_')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, () => queueMemoryWrite(key, 10_000, () => setImmediate()))
    )
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(9)
    expect(refused[0]).toMatchObject({ reason: { code: 'memory_rate_limited', retryAfterSeconds: 1 } })
  })
})

describe('a burst of one customer on postgres', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('postgres', { DATABASE_POOL: '4', BUSY_DEADLINE_MS: '120000' })
  })
  afterAll(() => test.close())

  it('leaves connections for the others while its own writes wait', async () => {
    const ada = await makeMemoryCaller(test.service)
    const bob = await makeMemoryCaller(test.service)
    const mindId = stringAt(await ada.call('recall'), 'mindId')
    await bob.call('recall')
    const holder = new pg.Client({ connectionString: test.service.config.databaseLocation })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select 1 from "mind" where "id" = $1 for update', [mindId])
    // Had the burst all connections, the others would wait for it longer than a test may take.
    const burst = Array.from({ length: 20 }, (_, i) => ada.call('remember', { content: `Number ${i}` }))
    const isWaiting = () => holder.query('select 1 from pg_locks where not granted')
    while ((await isWaiting()).rowCount === 0) await setImmediate()

    await bob.call('remember', { content: 'I like tea.' })
    await bob.call('ask', { question: 'What does Bob like?' })
    await holder.query('rollback')
    await holder.end()
    expect(await Promise.all(burst)).toHaveLength(20)
  })
})
