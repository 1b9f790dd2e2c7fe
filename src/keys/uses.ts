// When keys, tokens and connected apps were used last, to the minute: gathered and written together. A commit for each would be one for
// every few requests where many are at work.
import pLimit from 'p-limit'
import { fromNow, MINUTE_MS, now } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { CredentialTable } from './credentials.ts'

type UsedTable = CredentialTable | 'connectedApp'

/** So many at once, or the statement would hold up others. */
const MOST_AT_ONCE = 500
/** Of few lengths alone: each makes a statement that is kept by name. */
const LENGTHS = [1, 10]

export interface Uses {
  /** Notes a use now, unless one was recorded within the last minute. Somebody waits to see the first one: it is written at once. */
  note(table: UsedTable, id: string, lastUsedAt: string | null): void
  /** Writes what was noted. @throws ServiceError what `transaction` throws; what wasn't written stays for the next time */
  flush(): Promise<void>
}

export function createUses(database: Database, inBackground: (work: Promise<unknown>) => void): Uses {
  const used = {
    apiKey: new Set<string>(),
    customerToken: new Set<string>(),
    connectedApp: new Set<string>()
  }
  const inTurn = pLimit(1)
  const write = async () => {
    for (const table of ['apiKey', 'customerToken', 'connectedApp'] as const) {
      const ids = [...used[table]]
      for (let start = 0; start < ids.length; start += MOST_AT_ONCE) {
        const some = ids.slice(start, start + MOST_AT_ONCE)
        await record(database, table, filled(some))
        for (const id of some) used[table].delete(id)
      }
    }
  }
  return {
    note(table, id, lastUsedAt) {
      if (lastUsedAt && Date.parse(lastUsedAt) >= Date.now() - MINUTE_MS) return
      used[table].add(id)
      // While one commit is under way, the first uses that come are for the next one.
      if (!lastUsedAt && inTurn.pendingCount === 0) inBackground(inTurn(write))
    },
    flush: () => inTurn(write)
  }
}

/** The first ones again, up to the next length that there is. */
const filled = (ids: readonly string[]): string[] => {
  const length = LENGTHS.find((one) => one >= ids.length) ?? MOST_AT_ONCE
  return Array.from({ length }, (_, n) => ids[n % ids.length] ?? '')
}

/** At most once a minute, whoever else records them. */
const record = (database: Database, table: UsedTable, ids: readonly string[]) =>
  database.transaction((tx) =>
    tx
      .updateTable(table)
      .set({ lastUsedAt: now() })
      .where('id', 'in', ids)
      .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', fromNow(-MINUTE_MS))]))
      .execute()
  )
