// Makes one mistake impossible: using an outer handle while a transaction is open in the same flow. On SQLite it
// would wait for itself for ever; on PostgreSQL it would read around the transaction.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Holds what to do after the commit of the transaction that is open. */
const openTransaction = new AsyncLocalStorage<(() => void)[]>()
let openTransactions = 0

/** What `work` registers with `afterCommit` comes back with its result. */
export async function insideTransaction<T>(work: () => Promise<T>) {
  const actions: (() => void)[] = []
  openTransactions += 1
  try {
    const result = await openTransaction.run(actions, work)
    return { result, afterCommit: actions }
  } finally {
    openTransactions -= 1
    // In use, it makes Node 20 and 22 follow every promise of the process, and every request pays for that.
    if (openTransactions === 0) openTransaction.disable()
  }
}

/** Runs `action` once the surrounding transaction has committed; never if it rolls back. */
export function afterCommit(action: () => void): void {
  const actions = openTransaction.getStore()
  if (!actions) throw new Error('afterCommit belongs inside a transaction')
  actions.push(action)
}

/** @throws Error when the code that asks is the inside of a transaction */
export function requireOutside(): void {
  if (openTransaction.getStore()) throw new Error('An outer database handle was used inside a transaction')
}
