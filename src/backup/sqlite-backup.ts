// Backups of SQLite: copied beside a running service, put in place where none runs.
import { fork } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { builtFile } from '../built-file.ts'
import { closeToOthers, remainsOf } from '../database/sqlite-files.ts'
import type { Stamp, Watch } from './backup.ts'
import { BackupError } from './backup-error.ts'

/**
 * Copies what is committed at this moment into `draft`, while others go on writing, and checks the copy.
 * @throws BackupError when the copy is damaged, which is to say the database is
 */
export async function copySqlite(file: string, draft: string, { at, signal }: Watch): Promise<Stamp> {
  const expected = await bytesInUse(file)
  const look = setInterval(() => at(Math.min(statSync(draft).size, expected), expected), LOOK_EVERY_MS)
  try {
    return await inProcess([draft, file], signal)
  } finally {
    clearInterval(look)
  }
}

/** Checks a copy from end to end and makes it a file that needs no other beside it. @throws BackupError for damage */
export const checkSqlite = (file: string, signal: AbortSignal): Promise<Stamp> => inProcess([file], signal)

const LOOK_EVERY_MS = 200

/** How long the copy will be: without the pages that hold nothing. */
const bytesInUse = (file: string) =>
  withSqlite(file, { whenDamaged: `${file} is damaged. Restore it from a backup.` }, (connection) => {
    const number = (pragma: string) => Number(connection.pragma(pragma, { simple: true }))
    return (number('page_count') - number('freelist_count')) * number('page_size')
  })

/** Opens a file that is there for `work` only; waits 5 s for others unless told. @throws BackupError `whenDamaged` */
export async function withSqlite<Result>(
  file: string,
  { whenDamaged, ...options }: { timeout?: number; whenDamaged?: string },
  work: (connection: Sqlite.Database) => Result | Promise<Result>
): Promise<Result> {
  const connection = new Sqlite(file, { fileMustExist: true, ...options })
  try {
    return await work(connection)
  } catch (error) {
    if (whenDamaged === undefined || !isDamage(error)) throw error
    throw new BackupError(whenDamaged, { cause: error })
  } finally {
    connection.close()
  }
}

/** Whether SQLite can't make sense of a file. */
const isDamage = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)

export type Outcome = { stamp: Stamp } | { message: string; code: string; isOurs: boolean }

async function inProcess(args: readonly string[], signal: AbortSignal): Promise<Stamp> {
  const program = builtFile(new URL('./sqlite-process.js', import.meta.url))
  const child = fork(program, args, { signal, killSignal: 'SIGKILL' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const told = new Promise<Outcome>((resolve, reject) => {
    child.once('message', (outcome) => resolve(outcome as Outcome))
    child.once('error', reject)
    child.once('disconnect', () => reject(new Error('The copying process ended without a result')))
  })
  try {
    return stampIn(await told)
  } finally {
    // Until then it could still write into the draft.
    await exited
  }
}

function stampIn(outcome: Outcome): Stamp {
  if ('stamp' in outcome) return outcome.stamp
  if (outcome.isOurs) throw new BackupError(outcome.message)
  throw Object.assign(new Error(outcome.message), { code: outcome.code })
}

/**
 * Keeps every other process away from the database while `work` runs, which gets it unless it is missing or damaged.
 * @throws BackupError when a process works with it
 */
export async function whileAlone<Result>(
  file: string,
  work: (connection: Sqlite.Database | undefined) => Promise<Result>
): Promise<Result> {
  if (!existsSync(file)) return work(undefined)
  return withSqlite(file, { timeout: 0 }, (connection) =>
    work(lock(connection, file) ? connection : undefined)
  )
}

/** Leaving WAL mode needs everybody else gone, the idle ones too, and brings what is in the WAL into the file. */
function lock(connection: Sqlite.Database, file: string): boolean {
  try {
    connection.pragma('locking_mode = EXCLUSIVE')
    connection.pragma('journal_mode = DELETE')
    connection.exec('begin exclusive')
    return true
  } catch (error) {
    // Nobody can work with a damaged database, and replacing it is what a backup is for.
    if (isDamage(error)) return false
    if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
    throw new BackupError(
      `A service or a command works with ${file}. Stop it first: what it writes would be lost.`,
      { cause: error }
    )
  }
}

/** Moves a database out of the way, with what SQLite keeps beside it; answers its new name if there was one. */
export async function setAside(file: string, ending: string): Promise<string[]> {
  const remains = remainsOf(file)
  remains.forEach(closeToOthers)
  for (const path of remains) await rename(path, file + ending + path.slice(file.length))
  return remains.length > 0 ? [file + ending] : []
}
