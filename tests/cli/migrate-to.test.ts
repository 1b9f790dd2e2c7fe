// From SQLite to PostgreSQL: everything as it was, by a process that may be killed, and nothing where something else is.
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { migrateTo } from '../../src/backup/migrate-to.ts'
import { quoted, tablesOf } from '../../src/backup/tables-to-copy.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import { makeEverything } from '../customers/everything.ts'
import { environmentAt, killedProcess, mindgate } from '../support/cli.ts'
import { makeEmptyPlace, makeTestPlace, type TestPlace } from '../support/databases.ts'
import { makePartner, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { connected } from '../support/postgres.ts'

/** Enough that the process is met in the middle of them; they come late in the order of tables. */
const SESSIONS = 20_000

describe('migrate-to', () => {
  let place: TestPlace
  let file: string
  let partnerId: string
  const targets: TestPlace[] = []

  beforeAll(async () => {
    place = await makeTestPlace('sqlite')
    file = join(place.dataDir, 'mindgate.db')
    const service = await openService(loadConfig(environmentAt(place)), createLog('silent'))
    partnerId = (await makePartner(service)).partnerId
    for (let count = 0; count < 3; count += 1) await makeEverything(service, partnerId)
    await service.close()
    const database = new Sqlite(file)
    database.exec(`insert into setting values ('odd', 'ü \u{1f600} "quoted", {braced}, \\ and ''NULL''')`)
    database.exec(`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${SESSIONS})
      insert into session (${sessionColumns(database)}) select ${sessionColumns(database, "'ses_' || n")} from counted,
      (select * from session limit 1)`)
    fillEmptyTables(database)
    database.close()
  })
  afterAll(async () => {
    await Promise.all([place, ...targets].map((one) => one.remove()))
  })

  /** One row each, of what is there to refer to, and of values that are easily spoiled. */
  function fillEmptyTables(database: Sqlite.Database): void {
    const names = database.prepare(
      "select name from sqlite_master where type = 'table' and sql not like '%virtual%'"
    )
    for (const name of names.pluck().all() as string[]) {
      if (/^(sqlite_|customerSearch)/.test(name) || database.prepare(`select 1 from ${quoted(name)}`).get())
        continue
      const keys = database.pragma(`foreign_key_list(${name})`) as {
        from: string
        table: string
        to: string
      }[]
      const columns = database.pragma(`table_info(${name})`) as { name: string; type: string }[]
      const values = columns.map((column) => {
        const key = keys.find(({ from }) => from === column.name)
        if (key) return `(select ${quoted(key.to)} from ${quoted(key.table)} limit 1)`
        if (/blob/i.test(column.type)) return "x'00ff5c27'"
        if (/bigint/i.test(column.type)) return '9007199254740991'
        return /int/i.test(column.type) ? '1' : "'a'"
      })
      database.exec(`insert into ${quoted(name)} select ${values.join(', ')}`)
    }
  }

  /** Its columns, with other values in those that must be unique. */
  function sessionColumns(database: Sqlite.Database, unique?: string): string {
    const columns = database.pragma('table_info(session)') as { name: string }[]
    const named = (name: string) => (unique && /^(id|tokenHash)$/.test(name) ? unique : quoted(name))
    return columns.map(({ name }) => named(name)).join(', ')
  }

  /** An empty database, and in its address the role that owns it and may nothing else, as operators have one. */
  async function makeTarget(): Promise<string> {
    const target = await makeEmptyPlace('postgres')
    const url = new URL(target.databaseUrl ?? '')
    const database = url.pathname.slice(1)
    const role = `owner_of_${database}`
    await connected(url.href, (client) =>
      client.query(`create role ${role} login password 'moving'; alter database ${database} owner to ${role}`)
    )
    targets.push({
      ...target,
      async remove() {
        await target.remove()
        await connected(inject('postgresUrl'), (client) => client.query(`drop role ${role}`))
      }
    })
    return Object.assign(url, { username: role, password: 'moving' }).href
  }

  const move = (url: string) => mindgate(environmentAt(place), ['migrate-to', url])

  /** Has the command killed while it copies sessions. */
  async function killHalfWay(url: string): Promise<void> {
    const moving = killedProcess(environmentAt(place), ['migrate-to', url])
    await connected(url, async (client) => {
      const isHalfWay = async () => {
        const { rows } = await client.query(
          "select to_regclass('session') as found, to_regclass('mind') as last"
        )
        if (rows[0].found === null || rows[0].last === null) return false
        await client.query('begin')
        // Who copies waits for it with the next rows.
        await client.query('lock table session in exclusive mode')
        const count = await countOf(client, 'session')
        if (count > 0) return true
        await client.query('rollback')
        return false
      }
      await vi.waitUntil(isHalfWay, { timeout: 30_000, interval: 5 })
      expect(await countOf(client, 'session')).toBeLessThan(SESSIONS)
      await moving.kill()
      await client.query('rollback')
    })
  }

  const countOf = async (client: pg.Client, table: string): Promise<number> =>
    (await client.query(`select count(*)::int as count from ${quoted(table)}`)).rows[0].count

  /** Every row of every table as text, in one order. */
  async function rowsIn(url: string) {
    const numbers = { getTypeParser: (type: number) => (type === 20 ? Number : pg.types.getTypeParser(type)) }
    const client = new pg.Client({ connectionString: url, types: numbers })
    await client.connect()
    const source = new Sqlite(file)
    const found: Record<string, { there: string[]; here: string[] }> = {}
    for (const { name, columns } of await tablesOf(client)) {
      const asked = `select ${columns.map((column) => quoted(column.name)).join(', ')} from ${quoted(name)}`
      const texts = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
      found[name] = {
        there: texts((await client.query(asked)).rows),
        here: texts(source.prepare(asked).all())
      }
    }
    source.close()
    await client.end()
    return found
  }

  it('moves every row, goes on after a kill, and leaves a database that works', async () => {
    const url = await makeTarget()
    await killHalfWay(url)
    const moved = await move(url)
    expect(moved).toMatchObject({ code: 0, stderr: '' })
    expect(moved.stdout).toContain('is in PostgreSQL')
    const tables = await rowsIn(url)
    for (const [name, { there, here }] of Object.entries(tables)) expect([name, there]).toEqual([name, here])
    expect(Object.keys(tables).filter((name) => tables[name]?.here.length === 0)).toEqual([])

    // Triggers count again, and no key is given twice.
    const service = await openService(
      loadConfig(environmentAt({ ...place, databaseUrl: url })),
      createLog('silent')
    )
    const counted = async () =>
      (
        await service.database.read
          .selectFrom('rowCount')
          .where('subject', '=', 'customer')
          .select('count')
          .executeTakeFirstOrThrow()
      ).count
    const before = await counted()
    const onboarded = await run(service, partnerId, 'customer_onboard', { basic: { email: uniqueEmail() } })
    expect(await counted()).toBe(before + 1)
    const customerId = stringAt(onboarded, 'data', 'id')
    await run(service, partnerId, 'customer_update', { customerId, enableAiMemory: true })
    await run(service, partnerId, 'memory_remember', { customerId, content: 'Ada likes tea.' })
    await service.close()

    expect(await move(url)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds something already')
    })
  })

  it('refuses a copy in which a sum differs, again and again', async () => {
    const url = await makeTarget()
    await killHalfWay(url)
    await connected(url, (client) =>
      client.query('update "creditEntry" set "amountMicros" = "amountMicros" + 1')
    )
    for (const _ of [1, 2])
      expect(await move(url)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /The copy differs in creditEntry: amountMicros come to \d+, and to \d+ in SQLite/
        )
      })
  })

  it('refuses to go on from an earlier state', async () => {
    const url = await makeTarget()
    await killHalfWay(url)
    const service = await openService(loadConfig(environmentAt(place)), createLog('silent'))
    await service.close()
    expect(await move(url)).toMatchObject({ code: 1, stderr: expect.stringContaining('an earlier state') })
  })

  it('refuses while a service runs, and leaves the target empty', async () => {
    const url = await makeTarget()
    const service = await openService(loadConfig(environmentAt(place)), createLog('silent'))
    expect(await move(url)).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it first') })
    await service.close()
    expect(
      await connected(
        url,
        async (client) =>
          (await client.query('select from pg_tables where schemaname = $1', ['public'])).rowCount
      )
    ).toBe(0)
  })

  it('refuses what is no address of PostgreSQL’s, and an installation that is there already', async () => {
    expect(await move('mysql://db.example/mindgate')).toMatchObject({ code: 2 })
    const url = await makeTarget()
    const env = environmentAt({ ...place, databaseUrl: url })
    expect(await mindgate(env, ['migrate-to', url])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DATABASE_URL is set')
    })
    await expect(migrateTo(join(place.dataDir, 'other.db'), url, () => undefined)).rejects.toThrow(
      /no whole database/
    )
  })
})
