import Sqlite from 'better-sqlite3'

/**
 * Has SQLite take what stands in its write-ahead log into the file, as far as nobody reads there. Nobody waits for it.
 * @returns whether it was all, and has reached the disk; not where somebody else, such as Litestream, is at it
 */
export function checkpoint(file: string): boolean {
  const connection = new Sqlite(file, { fileMustExist: true })
  try {
    const [{ busy, log, checkpointed }] = connection.pragma('wal_checkpoint(PASSIVE)') as [
      { busy: number; log: number; checkpointed: number }
    ]
    return busy === 0 && log === checkpointed
  } finally {
    connection.close()
  }
}
