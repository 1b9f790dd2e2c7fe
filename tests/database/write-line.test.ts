// On SQLite one process writes at a time, and one transaction of it; on PostgreSQL some. What stands in that line, and who
// has to wait.
import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { createUses } from '../../src/keys/uses.ts'
import { databases, makeEmptyPlace, type TestPlace } from '../support/databases.ts'

describe('writing to SQLite', () => {
  let place: TestPlace
  let patient: Database
  let hurried: Database
  const open = (busyDeadlineMs: number) =>
    openDatabase({
      location: `${place.dataDir}/mindgate.db`,
      maxConnections: 1,
      busyDeadlineMs,
      onIdleError: () => undefined
    })

  beforeAll(async () => {
    place = await makeEmptyPlace('sqlite')
    patient = await open(60_000)
    hurried = await open(50)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  afterAll(async () => {
    await patient.close()
    await hurried.close()
    await place.remove()
  })

  /** Holds the write lock as another process does. */
  const lock = () => {
    const connection = new Sqlite(`${place.dataDir}/mindgate.db`)
    connection.exec('begin immediate')
    return { release: () => connection.close() }
  }

  /** Tells of every statement that begins so how long it kept the process. */
  const watch = (beginning: string) => {
    const probe = new Sqlite(':memory:')
    const statements = Object.getPrototypeOf(probe.prepare('select 1'))
    const run = statements.run
    probe.close()
    const seen: { keptMs: number }[] = []
    vi.spyOn(statements, 'run').mockImplementation(function (this: Sqlite.Statement, ...values: unknown[]) {
      const startedAt = performance.now()
      try {
        return run.apply(this, values)
      } finally {
        if (this.source.startsWith(beginning)) seen.push({ keptMs: performance.now() - startedAt })
      }
    })
    return seen
  }

  /** Writes for a partner; its name is noted once the write has the lock. */
  const writers = (database: Database) => {
    const begun: string[] = []
    const write = (name: string, partnerId?: string) =>
      database.transaction(async () => void begun.push(name), partnerId)
    return { begun, write }
  }

  it('lets one of many try, and keeps the process from nothing while another one holds the lock', async () => {
    const attempts = watch('begin immediate')
    const startedAt = performance.now()
    const { release } = lock()
    const { begun, write } = writers(patient)
    const names = Array.from({ length: 30 }, (_, i) => `write ${i}`)
    const written = Promise.all(names.map((name) => write(name)))
    await vi.waitUntil(() => attempts.length >= 10, { timeout: 60_000 })
    const keptMs = attempts.reduce((sum, attempt) => sum + attempt.keptMs, 0)
    expect(keptMs).toBeLessThan((performance.now() - startedAt) / 4)
    const failed = attempts.length
    release()
    await written
    // In the order in which they came, which only holds if nobody tried but the first.
    expect(begun).toEqual(names)
    expect(attempts.length - failed).toBeLessThanOrEqual(names.length + 1)
  })

  it('refuses whoever could not begin by its deadline', async () => {
    const { release } = lock()
    const { begun, write } = writers(hurried)
    const refused = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => write(`write ${i}`, `p${i % 3}`))
    )
    release()
    for (const one of refused)
      expect(one).toMatchObject({
        status: 'rejected',
        reason: { code: 'database_busy', retryAfterSeconds: 1 }
      })
    await write('afterwards')
    expect(begun).toEqual(['afterwards'])
  })

  it('refuses who stands behind a write that doesn’t end, although that one goes on', async () => {
    let end = () => {}
    const stuck = hurried.transaction(
      () =>
        new Promise<string>((resolve) => {
          end = () => resolve('written')
        })
    )
    const behind = hurried.transaction(async () => 'never')
    await expect(behind).rejects.toMatchObject({ code: 'database_busy' })
    end()
    expect(await stuck).toBe('written')
  })

  it('lets partners take turns, however many writes one of them has waiting', async () => {
    const { release } = lock()
    const { begun, write } = writers(patient)
    const greedy = [1, 2, 3, 4].map((i) => write(`greedy ${i}`, 'greedy'))
    const modest = [1, 2].map((i) => write(`modest ${i}`, 'modest'))
    const own = write('own')
    release()
    await Promise.all([...greedy, ...modest, own])
    expect(begun.slice(0, 4)).toEqual(['greedy 1', 'greedy 2', 'modest 1', 'own'])
    expect(begun.slice(4)).toEqual(['greedy 3', 'modest 2', 'greedy 4'])
  })

  it('lets everything else have a turn between two writes', async () => {
    let turn = 0
    let isOver = false
    const count = async () => {
      for (; !isOver; turn += 1) await nextTurn()
    }
    const counted = count()
    const turns: number[] = []
    await Promise.all([1, 2, 3, 4].map(() => patient.transaction(async () => void turns.push(turn))))
    isOver = true
    await counted
    expect(new Set(turns).size).toBe(4)
  })

  it('records the use of a key once, however many requests come meanwhile', async () => {
    const { release } = lock()
    const updates = watch('update "apiKey"')
    const flushes: Promise<unknown>[] = []
    const uses = createUses(patient, (flush) => flushes.push(flush))
    for (let request = 0; request < 20; request += 1) uses.note('apiKey', 'key_1', null)
    release()
    await Promise.all(flushes)
    expect(updates).toHaveLength(1)
  })

  it('opens once a lock is released that another process holds', async () => {
    const { release } = lock()
    const opening = open(60_000)
    for (let turns = 0; turns < 100; turns += 1) await nextTurn()
    release()
    const opened = await opening
    expect(await opened.read.selectFrom('setting').selectAll().execute()).toEqual([
      { name: 'schemaMajor', value: '1' }
    ])
    await opened.close()
  })
})

describe.runIf(databases.includes('postgres'))('writing to PostgreSQL', () => {
  it.each([
    { count: 2, ofOne: 1, inAll: 1 },
    { count: 3, ofOne: 1, inAll: 1 },
    { count: 10, ofOne: 3, inAll: 6 }
  ])('leaves of $count connections some to who reads, however many write', async (places) => {
    const { count, ofOne, inAll } = places
    const place = await makeEmptyPlace('postgres')
    const { read, transaction, close } = await openDatabase({
      ...{ location: place.databaseUrl ?? '', maxConnections: count, busyDeadlineMs: 60_000 },
      onIdleError: () => undefined
    })
    try {
      let end = () => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      let begun = 0
      const work = () => {
        begun += 1
        return ended
      }
      const writers = (partnerId: string) =>
        Array.from({ length: 2 * count }, () => transaction(work, partnerId))
      const greedy = writers('greedy')
      const readNow = () => read.selectFrom('setting').selectAll().execute()
      await expect.poll(() => begun).toBe(ofOne)
      expect(await Promise.all([readNow(), readNow()])).toHaveLength(2)
      // Of fewer, one is all that writers have.
      if (count === 10) expect(await transaction(async () => 'written', 'modest')).toBe('written')
      const modest = writers('modest')
      await expect.poll(() => begun).toBe(inAll)
      expect(await Promise.all([readNow(), readNow()])).toHaveLength(2)
      expect(begun).toBe(inAll)
      end()
      await Promise.all([...greedy, ...modest])
    } finally {
      await close()
      await place.remove()
    }
  })
})
