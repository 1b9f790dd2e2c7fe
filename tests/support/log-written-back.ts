import Sqlite from 'better-sqlite3'
import { vi } from 'vitest'

/** Has SQLite write its log back into the file and empty it, once a checkpoint of the service's own is over. */
export const writeLogBack = (file: string): Promise<void> =>
  vi.waitFor(() => {
    const connection = new Sqlite(file)
    const busy = connection.pragma('wal_checkpoint(TRUNCATE)', { simple: true })
    connection.close()
    if (busy !== 0) throw new Error('Somebody else takes the log in, or reads there')
  }, 10_000)
