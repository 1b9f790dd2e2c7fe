// What is common to backups of both databases: how one gets its name, and what it must say to be restored.
import { createReadStream, existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { migrationNames } from '../database/migrate.ts'
import { flush } from '../flush.ts'
import { keysIn } from '../sealing.ts'
import { createSecrets } from '../secrets.ts'
import { BackupError } from './backup-error.ts'

export interface Stamp {
  migrations: readonly string[]
  /** Fingerprints of the secret keys; `undefined` if no service was ever started on it. */
  sealedBy: string | undefined
}

export interface Watch {
  at(done: number, total: number): void
  signal: AbortSignal
}

/**
 * Lets `write` fill a draft beside `file` that only its owner can read. It gets the file's name once it is whole and on the
 * disk; whatever goes wrong before leaves nothing behind.
 * @throws BackupError when something is there and may not be replaced
 */
export async function writeWhole<Result>(
  file: string,
  { mayReplace, write }: { mayReplace: boolean; write(draft: string): Promise<Result> }
): Promise<Result> {
  if (!mayReplace) requireRoom(file)
  // The process's number keeps two backups into one file from writing into each other.
  const draft = `${file}.${process.pid}.part`
  await writeFile(draft, '', { flag: 'wx', mode: 0o600 }).catch((error: Error) => {
    throw new BackupError(`Nothing can be written into ${dirname(draft)}: ${error.message}.`, {
      cause: error
    })
  })
  try {
    const result = await write(draft)
    await flush(draft)
    await rename(draft, file)
    await flush(dirname(file))
    return result
  } catch (error) {
    for (const left of [draft, `${draft}-journal`, `${draft}-wal`, `${draft}-shm`])
      await rm(left, { force: true })
    throw error
  }
}

/** @throws BackupError when something is there */
export function requireRoom(file: string): void {
  if (!existsSync(file)) return
  throw new BackupError(`${file} is there already. Choose another name, or say --force to replace it.`)
}

/** @throws BackupError when it is no backup at all, or one of the other database */
export async function requireKind(file: string, wanted: 'sqlite' | 'postgres'): Promise<void> {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`)
  const beginning = await buffer(createReadStream(file, { end: 15 }))
  const isSqlite = beginning.equals(Buffer.from('SQLite format 3\0'))
  if (!isSqlite && !beginning.toString('latin1').startsWith('PGDMP'))
    throw new BackupError(`${file} is no backup: it is neither a SQLite file nor a dump of PostgreSQL.`)
  if (isSqlite === (wanted === 'sqlite')) return
  throw new BackupError(
    isSqlite
      ? `${file} is a backup of SQLite, and DATABASE_URL is set. Unset it to restore into DATA_DIR.`
      : `${file} is a dump of PostgreSQL. Set DATABASE_URL to an empty database to restore it.`
  )
}

/** @throws BackupError unless it is a database of Mindgate's, of this version or an earlier one */
export function requireKnown({ migrations }: Stamp, file: string): void {
  if (migrations[0] !== migrationNames[0]) throw new BackupError(`${file} holds no database of Mindgate’s.`)
  const unknown = migrations.filter((name) => !migrationNames.includes(name))
  if (unknown.length === 0) return
  throw new BackupError(
    `${file} was written by a newer version (${unknown.join(', ')}). Restore it with that version.`
  )
}

/** Whether the keys open everything that is sealed in the database. */
export const fits = (
  { sealedBy }: Stamp,
  secretKey: string,
  previousSecretKeys: readonly string[] = []
): boolean => keysIn(sealedBy).every(createSecrets({ secretKey, previousSecretKeys }).hasKey)
