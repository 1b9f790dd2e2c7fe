import type { TestPlace } from '../support/databases.ts'
import { connected } from '../support/postgres.ts'

/** Locks that a session could keep beyond its transaction. At rest nothing of ours has any. */
export const advisoryLocks = (place: TestPlace | undefined): Promise<unknown[]> =>
  connected(place?.databaseUrl ?? '', async (client) => {
    const { rows } = await client.query(
      `select pid from pg_locks join pg_database on pg_database.oid = database
        where locktype = 'advisory' and datname = current_database()`
    )
    return rows
  })
