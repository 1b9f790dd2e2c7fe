// Real faults: another process that keeps the database locked, a search that takes too long (§7: 503).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importMemories } from '../../src/memory/import.ts'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type MemoryCaller, makeMemoryCaller } from './caller.ts'

const BUSY_DEADLINE_MS = 400

describe.each(databases)('a memory that can’t be reached on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  beforeAll(async () => {
    test = await openTestService(kind, { BUSY_DEADLINE_MS: String(BUSY_DEADLINE_MS) })
  })
  afterAll(async () => {
    await expectCreditsToAddUp(test.service.database.read)
    await test.close()
  })
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
    await ada.call('remember', { content: 'Ada: The garage code is 4711.' })
  })

  const charged = async () => {
    const { sum } = await test.service.database.read
      .selectFrom('creditEntry')
      .where('partnerId', '=', ada.partnerId)
      .where('kind', 'in', ['charge', 'hold', 'refund'])
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amountMicros'), eb.lit(0)).as('sum'))
      .executeTakeFirstOrThrow()
    return -Number(sum) / 1_000_000
  }

  describe('while another process holds the write lock', () => {
    let unlock: () => Promise<void>
    beforeEach(async () => {
      unlock = await lockFromOutside(kind, test)
    })
    afterEach(() => unlock())

    it.each([
      ['remember', { content: 'Another one.' }],
      ['ask', { question: 'What is the garage code?' }],
      ['create_mind', { name: 'Contracts' }]
    ])('refuses %s with 503 and when to try again, and charges nothing', async (name, input) => {
      const refused = await ada.refusal(name, input)
      expect(refused).toMatchObject({ code: 'memory_unavailable', retryAfterSeconds: 1 })
      expect(refused.message).not.toMatch(/lock|database|sql/i)
      await expect(ada.call(name, input, { idempotencyKey: `${name}-1` })).rejects.toMatchObject({
        code: 'memory_unavailable'
      })
      await unlock()
      expect(await charged()).toBe(1)
      // The keys are free again.
      await ada.call(name, input, { idempotencyKey: `${name}-1` })
    })

    it.each([
      ['recall', {}],
      ['list_minds', {}]
    ])('answers %s all the same', async (name, input) => {
      const startedAt = performance.now()
      expect(JSON.stringify(await ada.call(name, input))).toContain('mnd_')
      expect(performance.now() - startedAt).toBeLessThan(BUSY_DEADLINE_MS)
    })
  })

  it('refuses an ask with 503 when its deadline has passed, and charges nothing', async () => {
    const isSqlite = kind === 'sqlite'
    if (isSqlite) await tellMuch()
    const release = isSqlite ? async () => undefined : await lockPostings(test)
    const hurried = ada.through({
      config: { ...test.service.config, memoryDeadlineMs: isSqlite ? 1 : 100 }
    })
    const refused = await hurried.refusal('ask', {
      question: 'Which river, bridge, tower, garden and street did number 17 name?',
      reasoningLevel: 'deep'
    })
    await release()
    expect(refused).toMatchObject({ code: 'memory_unavailable', retryAfterSeconds: 5 })
    expect(await charged()).toBe(1)
  })

  /** So much that a search of it takes longer than a millisecond. */
  const tellMuch = () =>
    importMemories(
      test.service,
      { owner: ada, mindId: undefined },
      Array.from({ length: 600 }, (_, i) => ({
        content: `Number ${i} named the river, the bridge, the tower, the garden and the street.`,
        occurredAt: undefined
      })),
      () => undefined
    )
})

/** Holds the lock in a process of its own, as a backup or a stuck writer would. */
async function lockFromOutside(kind: DatabaseKind, { service }: TestService): Promise<() => Promise<void>> {
  const script =
    kind === 'sqlite'
      ? `const Sqlite = require('better-sqlite3')
         const connection = new Sqlite(process.argv[1])
         connection.exec('begin immediate')
         console.log('locked')
         setInterval(() => connection, 1000)`
      : `const pg = require('pg')
         const client = new pg.Client({ connectionString: process.argv[1] })
         client.connect()
           .then(() => client.query('begin; lock table "mind", "customer" in exclusive mode'))
           .then(() => console.log('locked'))`
  const child = spawn(process.execPath, ['-e', script, service.config.databaseLocation], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  return async () => {
    child.kill('SIGKILL')
    await ended
  }
}

/** Lets nobody search. */
async function lockPostings({ service }: TestService): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: service.config.databaseLocation })
  await client.connect()
  await client.query('begin; lock table "posting" in access exclusive mode')
  return () => client.end()
}
