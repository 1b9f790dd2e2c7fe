// Makes one mistake impossible: using an outer handle while a transaction is open in the same flow. On SQLite it
// would wait for itself for ever; on PostgreSQL it would read around the transaction.
import { AsyncLocalStorage } from 'node:async_hooks'

interface OpenTransaction {
  afterCommit: (() => void)[]
}

const openTransaction = new AsyncLocalStorage<OpenTransaction>()
let openTransactions = 0

/** Runs `work` as the inside of a transaction; what it registers with `afterCommit` comes back with its result. */
export async function insideTransaction<T>(work: () => Promise<T>) {
  const store: OpenTransaction = { afterCommit: [] }
  openTransactions += 1
  try {
    const result = await openTransaction.run(store, work)
    return { result, afterCommit: store.afterCommit }
  } finally {
    openTransactions -= 1
    // In use, it makes Node 20 and 22 follow every promise of the process, and every request pays for that.
    if (openTransactions === 0) openTransaction.disable()
  }
}

/** Runs `action` once the surrounding transaction has committed; never if it rolls back. */
export function afterCommit(action: () => void): void {
  const store = openTransaction.getStore()
  if (!store) throw new Error('afterCommit belongs inside a transaction')
  store.afterCommit.push(action)
}

/** @throws Error when the code that asks is the inside of a transaction */
export function requireOutside(): void {
  if (openTransaction.getStore()) throw new Error('An outer database handle was used inside a transaction')
}
