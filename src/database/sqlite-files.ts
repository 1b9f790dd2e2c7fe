// A SQLite database is up to four files. They are for their owner's eyes, whatever the umask and the folder's mode say.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'

/** What SQLite keeps beside a file. Left beside another one it would be taken for its own. */
const COMPANIONS = ['', '-wal', '-shm', '-journal']

export const remainsOf = (file: string): string[] =>
  COMPANIONS.map((ending) => file + ending).filter((path) => existsSync(path))

/** Makes the file if it is missing, and closes it to others. What SQLite makes beside it has the file's mode. */
export function keepPrivate(file: string): void {
  // Made by SQLite, it would be open until its mode is changed, and stay so to whoever opened it then.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  remainsOf(file).forEach(closeToOthers)
}

export function closeToOthers(file: string): void {
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    // Another process that closes the database takes its companions away; another user's file is that one's to close.
    const isTheirs = error instanceof Error && 'code' in error && error.code === 'EPERM'
    if (existsSync(file) && !isTheirs) throw error
  }
}
