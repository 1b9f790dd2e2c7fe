import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  fits,
  requireKnown,
  requireRoom,
  type Stamp,
  type Watch,
  writeWhole
} from '../../src/backup/backup.ts'
import { BackupError } from '../../src/backup/backup-error.ts'
import { dumpPostgres } from '../../src/backup/postgres-backup.ts'
import { copySqlite } from '../../src/backup/sqlite-backup.ts'
import { findInstallation, type Installation, type SecretKey } from '../../src/installation.ts'
import { command } from './command.ts'
import { watched } from './progress.ts'

export const backupCommand = command('backup', {
  about: 'copy the database into one file, beside a running service',
  note: `The backup is what was committed at one moment, and is checked before it gets its name. Sealed in it are secrets that
open with the secret key only, so keep that as well, and apart. On PostgreSQL it is a dump by pg_dump.`,
  example: [
    'mindgate backup --to /backup/mindgate-$(date +%F).db',
    'mindgate restore --from /backup/mindgate-2026-05-01.db'
  ],
  options: (bare) =>
    bare
      .requiredOption('--to <file>', 'the file to write; readable by its owner only')
      .option('--with-secret-key', 'also write the secret key, into <file>.key')
      .option('--force', 'replace the file if it is there'),
  async run({ terminal, printCard }, { to, withSecretKey = false, force: mayReplace = false }) {
    const file = resolve(to)
    const installation = findInstallation(terminal.env)
    const { databaseUrl, sqliteFile } = installation
    const keyFile = `${file}.key`
    const secretKey = withSecretKey ? presentKey(installation) : undefined
    if (secretKey && !mayReplace) requireRoom(keyFile)
    const stamp = await watched(terminal, 'Backing up', (watch) =>
      writeWhole(file, {
        mayReplace,
        async write(draft) {
          const stamp = await copy(installation, draft, watch)
          requireKnown(stamp, databaseUrl ? 'The database in DATABASE_URL' : sqliteFile)
          if (secretKey) requireFit(stamp, secretKey)
          return stamp
        }
      })
    )
    if (secretKey) {
      const content = `${secretKey.value}\n`
      await writeWhole(keyFile, { mayReplace: true, write: (draft) => writeFile(draft, content) })
    }
    const answer = {
      file,
      bytes: statSync(file).size,
      database: databaseUrl ? 'postgres' : 'sqlite',
      secretKey: { from: keyPlace(stamp, installation), copiedTo: secretKey ? keyFile : null }
    }
    printCard(answer, `${file} holds the whole database`, {
      Size: size(answer.bytes),
      'Secret key': keyNote(answer.secretKey, stamp),
      Restore: `mindgate restore --from ${file}`
    })
  }
})

async function copy({ databaseUrl, sqliteFile }: Installation, draft: string, watch: Watch): Promise<Stamp> {
  if (databaseUrl) return dumpPostgres(databaseUrl, draft, watch)
  if (!existsSync(sqliteFile)) {
    throw new BackupError(
      `There is no database at ${sqliteFile}. DATA_DIR and DATABASE_URL say where it looks.`
    )
  }
  return copySqlite(sqliteFile, draft, watch)
}

/** @throws BackupError when there is no key to write */
function presentKey({ secretKey, secretKeyFile }: Installation): SecretKey {
  if (secretKey) return secretKey
  throw new BackupError(`There is no secret key: SECRET_KEY is not set and ${secretKeyFile} is missing.`)
}

/** @throws BackupError when it would be kept for nothing */
function requireFit(stamp: Stamp, { value, from }: SecretKey): void {
  if (fits(stamp, value)) return
  throw new BackupError(
    `${from} is not the secret key that the database was sealed with, or not all of it. Find that one, or end \`mindgate secrets rotate\` first.`
  )
}

/** Where the installation has what opens the backup. */
function keyPlace(stamp: Stamp, { secretKey, previousSecretKeys }: Installation): string | null {
  if (!secretKey || stamp.sealedBy === undefined) return null
  if (fits(stamp, secretKey.value)) return secretKey.from
  return fits(stamp, secretKey.value, previousSecretKeys)
    ? `${secretKey.from} with SECRET_KEY_PREVIOUS`
    : null
}

function keyNote(
  { from, copiedTo }: { from: string | null; copiedTo: string | null },
  { sealedBy }: Stamp
): string {
  if (sealedBy === undefined) return 'none yet: the service was never started on this database'
  if (copiedTo) return `needed with it; copied to ${copiedTo}, keep that apart`
  const where = from === 'SECRET_KEY' ? 'in the variable SECRET_KEY' : from
  return where
    ? `needed with it and not in it; it is ${where}`
    : 'needed with it and not in it; the one that is here is another one'
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

function size(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1_000 ** power).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${UNITS[power]}`
}
