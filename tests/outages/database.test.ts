// What the database layer makes of a fault, on a real file and a real server.
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { explain } from '../../servers/cli/failure.ts'
import { translated } from '../../src/database/faults.ts'
import { ServiceError } from '../../src/errors.ts'
import { sparingly } from '../../src/log.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { fullDisk, leaveLittleRoom, limitPages } from './outages.ts'

const put = (name: string, value = '') => sql`insert into setting (name, value) values (${name}, ${value})`

describe.each(databases)('a transaction on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())

  const kept = async (...names: string[]) => {
    const rows = await test.service.database.read
      .selectFrom('setting')
      .where('name', 'in', names)
      .select('name')
      .execute()
    return rows.map(({ name }) => name)
  }

  it('keeps nothing of what it goes on with after a fault, and tells that one', async () => {
    const { database } = test.service
    if (kind === 'sqlite') await leaveLittleRoom(test.service)
    const fault =
      kind === 'sqlite'
        ? put('large', 'x'.repeat(5_000_000))
        : sql`select pg_terminate_backend(pg_backend_pid())`
    const failing = database.transaction(async (tx) => {
      await put('before').execute(tx)
      await expect(fault.execute(tx)).rejects.toMatchObject({ code: 'database_unavailable' })
      await put('after').execute(tx)
    })
    await expect(failing).rejects.toMatchObject({
      code: 'database_unavailable',
      retryAfterSeconds: 5,
      cause: { code: kind === 'sqlite' ? 'SQLITE_FULL' : '57P01' }
    })
    expect(await kept('before', 'after', 'large')).toEqual([])
    if (kind === 'sqlite') await limitPages(test.service, 2 ** 30)
    await database.transaction((tx) => put('later').execute(tx))
    expect(await kept('later')).toEqual(['later'])
  })

  it('keeps nothing that still comes while it is rolled back', async () => {
    const { database } = test.service
    const failing = database.transaction(async (tx) => {
      const stragglers = Array.from({ length: 20 }, async (_, i) => {
        for (let turn = 0; turn < i; turn += 1) await Promise.resolve()
        await put(`straggler-${i}`).execute(tx)
      })
      void Promise.allSettled(stragglers)
      throw new Error('refused')
    })
    await expect(failing).rejects.toThrow('refused')
    const names = Array.from({ length: 20 }, (_, i) => `straggler-${i}`)
    expect(await kept(...names)).toEqual([])
  })

  it('tells a mistake of ours as it is', async () => {
    const { database } = test.service
    const twice = database.transaction(async (tx) => {
      await put('twice').execute(tx)
      await put('twice').execute(tx)
    })
    await expect(twice).rejects.not.toBeInstanceOf(ServiceError)
    const unknown = database.transaction((tx) => sql`select nothing`.execute(tx))
    await expect(unknown).rejects.not.toBeInstanceOf(ServiceError)
  })
})

describe('a read', () => {
  it('is refused in the service’s words, too', async () => {
    const test = await openTestService('sqlite')
    // The one fault of a disk that a reader meets at will: its connection is read-only.
    const writing = sql`insert into setting values ('a', 'b') returning name`.execute(
      test.service.database.read
    )
    await expect(writing).rejects.toMatchObject({
      code: 'database_unavailable',
      cause: { code: 'SQLITE_READONLY' }
    })
    await test.close()
  })
})

describe('readiness', () => {
  it('costs one write in five seconds, however often it is asked', async () => {
    const test = await openTestService('sqlite')
    const { database } = test.service
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const lastTried = () =>
      database.read
        .selectFrom('setting')
        .where('name', '=', 'lastTriedWrite')
        .select('value')
        .executeTakeFirst()
    expect(await database.takesWrites()).toBe(true)
    const first = await lastTried()
    expect(first).toBeDefined()
    vi.advanceTimersByTime(4_000)
    for (let i = 0; i < 20; i += 1) expect(await database.takesWrites()).toBe(true)
    expect(await lastTried()).toEqual(first)
    vi.advanceTimersByTime(2_000)
    await Promise.all(Array.from({ length: 20 }, () => database.takesWrites()))
    expect(await lastTried()).not.toEqual(first)
    vi.useRealTimers()
    await test.close()
  })

  it('ends with the first write that fails', async () => {
    const { server, begin, close } = await fullDisk({})
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await begin()
    const write = server.service.database.transaction((tx) => put('any').execute(tx))
    await expect(write).rejects.toMatchObject({ code: 'database_unavailable' })
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    await close()
  })
})

describe('an outage in words', () => {
  const ioError = translated(new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE'))

  it('is its cause to who is at the terminal', () => {
    expect(explain(ioError)).toBe(
      'The disk of the database can’t be read or written. Look at the disk first. (SQLITE_IOERR_WRITE)'
    )
    expect(explain(translated(new Error('Connection terminated unexpectedly')))).toContain('mindgate doctor')
  })

  it('stands in the log once a minute for work that nobody asked for, and other errors always', () => {
    const lines: string[] = []
    const write = (message: string) => lines.push(message)
    const log = sparingly({ debug: write, info: write, warn: write, error: write })
    for (let i = 0; i < 3; i += 1) {
      log.warn('mails', { error: ioError })
      log.error('work', { error: ioError })
      log.error('work', { error: new Error('a mistake') })
      log.info('work')
    }
    expect(lines.toSorted()).toEqual(['mails', ...Array.from({ length: 7 }, () => 'work')])
  })
})
