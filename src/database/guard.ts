// Makes one mistake impossible: using an outer handle while a transaction is open in the same flow. On SQLite it
// would wait for itself for ever; on PostgreSQL it would read around the transaction.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Dialect, Driver, Kysely } from 'kysely'

interface OpenTransaction {
  afterCommit: (() => void)[]
}

const openTransaction = new AsyncLocalStorage<OpenTransaction>()

/** Runs `work` as the inside of a transaction; what it registers with `afterCommit` comes back with its result. */
export async function insideTransaction<T>(
  work: () => Promise<T>
): Promise<{ result: T; afterCommit: (() => void)[] }> {
  const store: OpenTransaction = { afterCommit: [] }
  const result = await openTransaction.run(store, work)
  return { result, afterCommit: store.afterCommit }
}

/** Runs `action` once the surrounding transaction has committed; never if it rolls back. */
export function afterCommit(action: () => void): void {
  const store = openTransaction.getStore()
  if (!store) throw new Error('afterCommit belongs inside a transaction')
  store.afterCommit.push(action)
}

/** The dialect, refusing connections to code that already is inside a transaction. */
export function guarded(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => dialect.createIntrospector(db),
    createDriver: () => refuseInsideTransaction(dialect.createDriver())
  }
}

function refuseInsideTransaction(driver: Driver): Driver {
  const acquire = driver.acquireConnection.bind(driver)
  driver.acquireConnection = async () => {
    if (openTransaction.getStore()) throw new Error('An outer database handle was used inside a transaction')
    return acquire()
  }
  return driver
}
