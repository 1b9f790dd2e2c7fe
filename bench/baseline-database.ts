// The baseline's database, as plainly as its library has it: one way to run the same statement on either.
import Sqlite from 'better-sqlite3'
import pg from 'pg'

type Row = Record<string, unknown>
type Value = string | number

/** Runs one statement, prepared once; on SQLite its rows are there at once. */
export type Statement = (...values: Value[]) => Row[] | Promise<Row[]>
/** @param text with a `?` for each value, or as the database numbers them */
export type Prepare = (text: string) => Statement

export const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:/.test(location)

/** A SQLite file, of which writes are to survive a power cut, or a PostgreSQL URL. */
export function openBaseline(location: string, { isReadOnly }: { isReadOnly: boolean }): Prepare {
  return isPostgresUrl(location) ? onPostgres(location) : onSqlite(location, isReadOnly)
}

function onSqlite(file: string, readonly: boolean): Prepare {
  const database = new Sqlite(file, { readonly })
  if (!readonly) {
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
  }
  return (text) => {
    const statement = database.prepare<Value[], Row>(text)
    return statement.reader
      ? (...values) => statement.all(...values)
      : (...values) => {
          statement.run(...values)
          return []
        }
  }
}

/** As many connections as the service's own pool has. */
const MAX_CONNECTIONS = 10

function onPostgres(connectionString: string): Prepare {
  const pool = new pg.Pool({ connectionString, max: MAX_CONNECTIONS, types: { getTypeParser } })
  let count = 0
  return (text) => {
    count += 1
    const name = `by_hand_${count}`
    const [first = '', ...others] = text.split('?')
    const numbered = others.reduce((before, part, place) => `${before}$${place + 1}${part}`, first)
    return async (...values) => (await pool.query<Row>({ name, text: numbered, values })).rows
  }
}

const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid, format) =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)
