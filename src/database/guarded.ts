// Code inside a transaction gets no other connection, and faults come in the service's words, the true cause within.
import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, type Kysely } from 'kysely'
import { inSpan, isTraced } from '../trace.ts'
import { translated } from './faults.ts'
import { requireOutside } from './guard.ts'

/** The dialect with a guarded driver, which begins a transaction by `begin`. */
export function guarded(dialect: Dialect, begin: string): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => dialect.createIntrospector(db),
    createDriver: () => guardedDriver(dialect.createDriver(), begin)
  }
}

/** The first fault of a transaction ends it: SQLite rolls back when a disk is full, and would keep a later write. */
function guardedDriver(driver: Driver, begin: string): Driver {
  /** What ended the transaction that is open on a connection. */
  const faults = new WeakMap<DatabaseConnection, unknown>()
  const acquire = driver.acquireConnection.bind(driver)
  const rollBack = driver.rollbackTransaction.bind(driver)
  driver.acquireConnection = async () => {
    requireOutside()
    const connection = await acquire().catch((error: unknown) => Promise.reject(translated(error)))
    if (!faults.has(connection)) guard(connection)
    faults.set(connection, undefined)
    return connection
  }
  driver.beginTransaction = async (connection) =>
    void (await connection.executeQuery(CompiledQuery.raw(begin)))
  driver.rollbackTransaction = async (connection) => {
    const ended = faults.get(connection) ?? new Error('The transaction was rolled back')
    faults.set(connection, undefined)
    // Where it fails, SQLite has done so already, or the connection is lost with all that was open on it.
    const done = rollBack(connection).catch(() => undefined)
    faults.set(connection, ended)
    await done
  }
  return driver

  function guard(connection: DatabaseConnection): void {
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = async <Row>(query: Parameters<typeof execute>[0]) => {
      const ended = faults.get(connection)
      if (ended) throw ended
      try {
        if (!isTraced()) return await execute<Row>(query)
        const { sql } = query
        const [verb = 'sql'] = /\w+/.exec(sql) ?? []
        return await inSpan(verb, () => execute<Row>(query), { 'db.query.text': sql })
      } catch (error) {
        const fault = translated(error)
        if (fault !== error) faults.set(connection, fault)
        throw fault
      }
    }
  }
}
