// Queries of the hottest paths: built and compiled once for each kind of database. At every call that would take
// longer than SQLite takes to answer.
import {
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type Insertable,
  type RawBuilder,
  sql
} from 'kysely'
import { onceForValue } from '../once.ts'
import type { ReadHandle, WriteHandle } from './database.ts'
import { written } from './dialect.ts'
import type { Tables } from './tables.ts'

type Value = string | number | null

/** Stands in a query for a value that each call brings. */
export type Slot<Of extends Value> = RawBuilder<Of>

/**
 * A query that is compiled at its first call. `build` gets a slot for each value that a call then gives, in the same
 * order, and depends on nothing else.
 *
 * @example
 * const emailsOf = compiledOnce((db, partnerId: Slot<string>) =>
 *   db.selectFrom('customer').where('partnerId', '=', partnerId).select('email')
 * )
 * const rows = await emailsOf(db, caller.partnerId)
 */
export function compiledOnce<Handle extends ReadHandle, Values extends readonly Value[], Row>(
  build: (db: Handle, ...slots: { [Index in keyof Values]: Slot<Values[Index]> }) => Compilable<Row>,
  valueCount = build.length - 1
): (db: Handle, ...values: Values) => Promise<Row[]> {
  const marks = Array.from({ length: valueCount }, (_, index) => Symbol(`value ${index}`))
  // Which type each stands for, only the compiler knows.
  const slots = marks.map((mark) => sql`${mark}`) as { [Index in keyof Values]: Slot<Values[Index]> }
  // A handle shares its adapter with its transactions, and with no other database.
  const known = new WeakMap<DialectAdapter, { compiled: CompiledQuery<Row>; places: number[] }>()

  const compile = (db: Handle) => {
    const compiled = build(db, ...slots).compile()
    const { parameters } = compiled
    const places = parameters.map((mark) => (typeof mark === 'symbol' ? marks.indexOf(mark) : -1))
    return { compiled, places }
  }

  return async (db, ...values) => {
    const executor = db.getExecutor()
    const { compiled, places } = known.get(executor.adapter) ?? compile(db)
    known.set(executor.adapter, { compiled, places })
    const parameters = places.map((place, at) => (place < 0 ? compiled.parameters[at] : values[place]))
    const { rows } = await executor.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

/** Inserts rows of these columns; the others have their defaults. Compiled for each number of rows: for a few at once. */
export function insertOf<Table extends keyof Tables, Column extends keyof Insertable<Tables[Table]> & string>(
  table: Table,
  columns: readonly Column[]
): (tx: WriteHandle, rows: readonly Record<Column, Value>[]) => Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const inserting = onceForValue((rowCount: number) =>
    compiledOnce((tx: WriteHandle, ...values: Slot<Value>[]) => {
      const rows = Array.from({ length: rowCount }, (_, row) => {
        const own = values.slice(row * columns.length, (row + 1) * columns.length)
        return sql`(${sql.join(own)})`
      })
      return written(tx, sql`insert into ${sql.table(table)} (${names}) values ${sql.join(rows)}`)
    }, rowCount * columns.length)
  )
  return async (tx, rows) => {
    if (rows.length === 0) return
    await inserting(rows.length)(tx, ...rows.flatMap((row) => columns.map((column) => row[column])))
  }
}
