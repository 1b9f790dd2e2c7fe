import Sqlite from 'better-sqlite3'

/**
 * Has SQLite take what stands in its write-ahead log into the file, as far as nobody reads there. Nobody waits for it.
 * @returns whether it was all, and has reached the disk
 */
export function checkpoint(file: string): boolean {
  const connection = new Sqlite(file, { fileMustExist: true })
  try {
    const [{ log, checkpointed }] = connection.pragma('wal_checkpoint(PASSIVE)') as [
      { log: number; checkpointed: number }
    ]
    return log === checkpointed
  } finally {
    connection.close()
  }
}
