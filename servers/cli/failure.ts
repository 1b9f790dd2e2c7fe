// What a person at the terminal reads when a command fails, and what a script sees in the exit code.
import { CommanderError } from '@commander-js/extra-typings'
import { BackupError } from '../../src/backup/backup-error.ts'
import { ConfigError } from '../../src/config.ts'
import { codeOf, isAway, poolerRemedy } from '../../src/database/faults.ts'
import { ServiceError } from '../../src/errors.ts'
import type { Terminal } from './output.ts'

export const FAILED = 1
export const MISUSED = 2

/** Writes the error to standard error with the next step, and answers the exit code. */
export function reportFailure(error: unknown, { stderr }: Terminal): number {
  // Commander has already written its own text: the help, the version, or what was wrong with the options.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED
  stderr.write(`error: ${explain(error)}\n`)
  return FAILED
}

/** Codes of the system and of PostgreSQL that an operator can do something about. */
const REMEDIES: Record<string, string> = {
  ECONNREFUSED: 'The database refused the connection. Check that it runs and that DATABASE_URL points at it.',
  ENOTFOUND: 'The host name of the database is unknown. Check DATABASE_URL.',
  ETIMEDOUT: 'The database did not answer. Check DATABASE_URL and the firewall in between.',
  '28P01': 'The database refused the password. Check DATABASE_URL.',
  '28000': 'The database refused the login. Check DATABASE_URL.',
  '3D000': 'The database in DATABASE_URL does not exist. Create it first: createdb mindgate',
  '57P03': 'The database is starting or stopping. Try again in a moment.',
  '53100': 'The disk of the database is full.',
  EADDRINUSE: 'The port is taken. Set PORT to another one, or to 0 for any free one.',
  EACCES: 'Permission denied. Check who owns DATA_DIR, and that PORT is above 1023.',
  EROFS: 'DATA_DIR lies on a read-only file system. Set DATA_DIR to a folder that can be written.',
  ENOSPC: 'The disk is full.',
  SQLITE_FULL: 'The disk is full.',
  SQLITE_IOERR: 'The disk of the database can’t be read or written. Look at the disk first.',
  SQLITE_CANTOPEN: 'The database file can’t be opened. Check who owns DATA_DIR.',
  SQLITE_READONLY: 'The database file can’t be written. Check who owns DATA_DIR.',
  SQLITE_NOTADB: 'DATA_DIR/mindgate.db is not a database. Restore it from a backup.',
  SQLITE_CORRUPT: 'DATA_DIR/mindgate.db is damaged. Restore it from a backup.'
}

/** One or two sentences: what went wrong and what to do. */
export function explain(error: unknown): string {
  // What clients are told names no cause; who is at the terminal can do something about it.
  if (isAway(error) && error.cause !== undefined) return explain(error.cause)
  if (error instanceof Error && OURS.some((ours) => error instanceof ours)) return error.message
  const code = codeOf(error)
  const remedy = poolerRemedy(error) ?? REMEDIES[code] ?? REMEDIES[code.split('_', 2).join('_')]
  if (remedy) return `${remedy} (${code})`
  const message = error instanceof Error ? error.message : 'unknown'
  return `${message || code}. \`mindgate doctor\` looks for what is wrong.`
}

/** A command that can't be carried out, in words for the person who typed it. */
export class CommandError extends Error {}

/** Errors whose texts were written for the operator. */
const OURS = [ServiceError, ConfigError, BackupError, CommandError]
