// Real faults: somebody else who keeps the database locked, a search that takes too long (§7: 503).
import { once } from 'node:events'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MemoryEngine } from '../../src/memory/engine.ts'
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

  describe('while somebody else holds the write lock', () => {
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
      expect(JSON.stringify(await ada.call(name, input))).toContain('mnd_')
    })
  })

  it('refuses an ask with 503 when its deadline has passed, and charges nothing', async () => {
    const release = kind === 'sqlite' ? async () => undefined : await lockPostings(test)
    const hurried = ada.through({
      config: { ...test.service.config, memoryDeadlineMs: 100 },
      memoryEngine: kind === 'sqlite' ? beginningLate(test) : test.service.memoryEngine
    })
    const refused = await hurried.refusal('ask', { question: 'What is the garage code?' })
    await release()
    expect(refused).toMatchObject({ code: 'memory_unavailable', retryAfterSeconds: 5 })
    expect(await charged()).toBe(1)
  })
})

/** Holds the lock as a backup or a stuck writer would. */
async function lockFromOutside(kind: DatabaseKind, { service }: TestService): Promise<() => Promise<void>> {
  const { databaseLocation } = service.config
  if (kind === 'sqlite') {
    const connection = new Sqlite(databaseLocation)
    connection.exec('begin immediate')
    return async () => void connection.close()
  }
  const client = new pg.Client({ connectionString: databaseLocation })
  await client.connect()
  await client.query('begin; lock table "mind", "customer" in exclusive mode')
  return () => client.end()
}

/** An engine that comes to its search only once the deadline has passed: nothing holds a reader of SQLite up. */
const beginningLate = ({ service: { memoryEngine } }: TestService): MemoryEngine => ({
  ...memoryEngine,
  async ask(db, mindKey, question, signal) {
    await once(signal, 'abort')
    return memoryEngine.ask(db, mindKey, question, signal)
  }
})

/** Lets nobody search. */
async function lockPostings({ service }: TestService): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: service.config.databaseLocation })
  await client.connect()
  await client.query('begin; lock table "posting" in access exclusive mode')
  return () => client.end()
}
