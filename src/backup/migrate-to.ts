// Moving a data set from SQLite to an empty database of PostgreSQL: row by row as it is, while nobody works with it.
import { statSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import pg from 'pg'
import { openDatabase } from '../database/database.ts'
import { isMissingTable } from '../database/faults.ts'
import { migrationNames } from '../database/migrate.ts'
import type { Watch } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { countTables } from './postgres-backup.ts'
import { whileAlone } from './sqlite-backup.ts'
import { quoted, type Table, tablesOf } from './tables-to-copy.ts'

const ROWS_AT_ONCE = 500

/**
 * Copies all rows of the file, and compares what came of it; answers how many. What was interrupted goes on where it was.
 * @throws BackupError when the file is in use or not up to date, when the target holds something else, and when the two differ
 */
export async function migrateTo(file: string, url: string, at: Watch['at']): Promise<number> {
  return whileAlone(file, async (source) => {
    if (!source) throw new BackupError(`There is no whole database at ${file}. DATA_DIR says where it looks.`)
    const names = source.prepare('select name from kysely_migration').all()
    if (names.length !== migrationNames.length)
      throw new BackupError(
        `${file} is of another version. \`mindgate doctor\` brings an older one up to date.`
      )
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    try {
      await claim(client, url, stateOf(source, file))
      const tables = await tablesOf(client)
      const rows = await copyAll(source, client, tables, at)
      await complete(source, client, tables)
      // Its plans would be those of empty tables until it gets to that by itself.
      await client.query('analyze')
      return rows
    } finally {
      await client.end()
    }
  })
}

/**
 * Tells data sets apart, and the states of one: whoever opens the file leaves a trace, if only by turning to WAL mode.
 * By `stat`, since a handle that is closed would take SQLite's locks with it.
 */
function stateOf(source: Sqlite.Database, file: string): string {
  const oldest = source.prepare('select id from partner order by createdAt, id limit 1').pluck().get()
  return `${oldest ?? 'nobody'} ${statSync(file).mtimeMs}`
}

/** Makes the tables in an empty database, beside one that says whose rows come in; it goes when all are there. */
async function claim(client: pg.Client, url: string, state: string): Promise<void> {
  if ((await countTables(url)) === 0) {
    await client.query('create table "migrateTo" (state text)')
    await client.query('insert into "migrateTo" values ($1)', [state])
  }
  const { rows } = await client.query('select state from "migrateTo"').catch((error: unknown) => {
    if (isMissingTable(error)) return { rows: [] }
    throw error
  })
  if (rows[0]?.state !== state)
    throw new BackupError(
      `The database to move to is not empty: it holds ${rows[0] ? 'a part of another data set, or of an earlier state of this one' : 'something already'}. Create a new one (createdb mindgate), and move into that.`
    )
  const options = { location: url, maxConnections: 1, busyDeadlineMs: 10_000, onIdleError: () => undefined }
  await (await openDatabase(options)).close()
  // What migrations write is in the file, too.
  await client.query('delete from "setting"')
}

/** Rows come in the order of their keys, so that as many as are there needn't be looked at again. */
async function copyAll(
  source: Sqlite.Database,
  client: pg.Client,
  tables: readonly Table[],
  at: Watch['at']
): Promise<number> {
  const countOf = ({ name }: Table) => `select cast(count(*) as integer) as count from ${quoted(name)}`
  const total = tables.reduce((sum, table) => sum + Number(source.prepare(countOf(table)).pluck().get()), 0)
  let done = 0
  for (const table of tables) {
    const there: number = (await client.query(countOf(table))).rows[0].count
    const asked = `select * from ${quoted(table.name)} order by ${table.key.map(quoted).join(', ')} limit -1 offset ?`
    const rows = source.prepare<[number], Row>(asked).safeIntegers().iterate(there)
    done += there
    for (let batch = batchOf(rows); batch.length > 0; batch = batchOf(rows)) {
      await inTransaction(client, () => insert(client, table, batch))
      done += batch.length
      at(done, total)
    }
  }
  // What was given once is never given again.
  const sequences = source
    .prepare<[], { name: string; seq: number }>('select name, seq from sqlite_sequence')
    .all()
  for (const { name, seq } of sequences) {
    const key = tables.find((table) => table.name === name)?.key[0]
    if (key && seq > 0)
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quoted(name), key, seq])
  }
  return total
}

type Row = Record<string, unknown>

const batchOf = (rows: IterableIterator<Row>): Row[] =>
  Array.from({ length: ROWS_AT_ONCE }, () => rows.next()).flatMap(({ done, value }) => (done ? [] : [value]))

/** What triggers would add is copied like everything else. */
async function insert(client: pg.Client, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const lists = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')
  const names = columns.map((column) => quoted(column.name)).join(', ')
  await client.query(`alter table ${quoted(name)} disable trigger user`)
  await client.query(
    `insert into ${quoted(name)} (${names}) overriding system value select * from unnest(${lists}) on conflict do nothing`,
    columns.map((column) => rows.map((row) => row[column.name]))
  )
  await client.query(`alter table ${quoted(name)} enable trigger user`)
}

/** @throws BackupError when counts, sums of numbers or lengths of texts differ */
const complete = (source: Sqlite.Database, client: pg.Client, tables: readonly Table[]): Promise<void> =>
  inTransaction(client, async () => {
    await client.query('set local statement_timeout = 0')
    await client.query('drop table "migrateTo"')
    for (const { name, columns } of tables) {
      const figures = columns.map(({ name: column, type }) => {
        const value = /^(integer|bigint)$/.test(type) ? quoted(column) : `length(${quoted(column)})`
        return `cast(coalesce(sum(${value}), 0) as text) as ${quoted(column)}`
      })
      const asked = `select cast(count(*) as text) as "its rows", ${figures.join(', ')} from ${quoted(name)}`
      const found: Row = (await client.query(asked)).rows[0]
      for (const [figure, wanted] of Object.entries(source.prepare<[], Row>(asked).get() ?? {}))
        if (found[figure] !== wanted)
          throw new BackupError(
            `The copy differs in ${name}: ${figure} come to ${found[figure]}, and to ${wanted} in SQLite. Don’t use it: create a new database (createdb mindgate), and move into that.`
          )
    }
  })

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
