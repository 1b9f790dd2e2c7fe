// Queries of the hottest paths: built and compiled once for each kind of database. At every call that would take
// longer than SQLite takes to answer.
import { type Compilable, type CompiledQuery, type DialectAdapter, type RawBuilder, sql } from 'kysely'
import type { ReadHandle } from './database.ts'

type Value = string | number

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
export function compiledOnce<Values extends readonly Value[], Row>(
  build: (db: ReadHandle, ...slots: { [Index in keyof Values]: Slot<Values[Index]> }) => Compilable<Row>
): (db: ReadHandle, ...values: Values) => Promise<Row[]> {
  const marks = Array.from({ length: build.length - 1 }, (_, index) => Symbol(`value ${index}`))
  // Which type each stands for, only the compiler knows.
  const slots = marks.map((mark) => sql`${mark}`) as { [Index in keyof Values]: Slot<Values[Index]> }
  // A handle shares its adapter with its transactions, and with no other database.
  const known = new WeakMap<DialectAdapter, CompiledQuery<Row>>()

  return async (db, ...values) => {
    const executor = db.getExecutor()
    const compiled = known.get(executor.adapter) ?? build(db, ...slots).compile()
    known.set(executor.adapter, compiled)
    const parameters = compiled.parameters.map((parameter) =>
      typeof parameter === 'symbol' ? values[marks.indexOf(parameter)] : parameter
    )
    const { rows } = await executor.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}
