// Restoring: everything is checked before anything that is there is touched.
import { createReadStream, createWriteStream, mkdirSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { now } from '../clock.ts'
import { closeToOthers, remainsOf } from '../database/sqlite-files.ts'
import { flush } from '../flush.ts'
import { type Installation, readSecretKey, type SecretKey } from '../installation.ts'
import { fits, requireKind, requireKnown, type Stamp, type Watch, writeWhole } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { inspectDump, restorePostgres } from './postgres-backup.ts'
import { checkSqlite, setAside, whileAlone } from './sqlite-backup.ts'

export interface Restored {
  /** The SQLite file, or `DATABASE_URL`. */
  database: string
  /** What was there before, under its new name. */
  setAside: string[]
  /** `SECRET_KEY`, or the file that holds it; `null` where nothing was sealed. */
  secretKeyFrom: string | null
}

interface Restoring {
  /** The backup. */
  file: string
  installation: Installation
  mayReplace: boolean
  watch: Watch
}

/**
 * Puts a backup in the place of the installation's SQLite file, or into its empty database of PostgreSQL.
 * @throws BackupError when the backup can't be used, a service runs, or a database is there and may not be replaced
 */
export async function restore(restoring: Restoring): Promise<Restored> {
  const { databaseUrl } = restoring.installation
  await requireKind(restoring.file, databaseUrl ? 'postgres' : 'sqlite')
  return databaseUrl ? restoreDump(restoring, databaseUrl) : restoreFile(restoring)
}

async function restoreFile({ file, installation, mayReplace, watch }: Restoring): Promise<Restored> {
  const target = installation.sqliteFile
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  return whileAlone(target, async () => {
    if (remainsOf(target).length > 0 && !mayReplace) {
      throw new BackupError(
        `${target} is there already. Say --force to set it aside; nothing of it is deleted.`
      )
    }
    return writeWhole(target, {
      mayReplace: true,
      async write(draft) {
        await copyFile(file, draft, watch)
        const key = fittingKey(await checkSqlite(draft, watch.signal), file, installation)
        await flush(draft)
        const ending = endingOfNow()
        const before = [...(await setAside(target, ending)), ...(await placeKey(key, installation, ending))]
        return { database: target, setAside: before, secretKeyFrom: placeOf(key, installation) }
      }
    })
  })
}

async function restoreDump({ file, installation, watch }: Restoring, url: string): Promise<Restored> {
  const key = fittingKey(await inspectDump(file), file, installation)
  await restorePostgres(url, file, watch.signal)
  mkdirSync(installation.dataDir, { recursive: true, mode: 0o700 })
  const setAside = await placeKey(key, installation, endingOfNow())
  return { database: 'DATABASE_URL', setAside, secretKeyFrom: placeOf(key, installation) }
}

async function copyFile(from: string, to: string, { at, signal }: Watch): Promise<void> {
  const { size } = statSync(from)
  let done = 0
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      done += chunk.length
      at(done, size)
      yield chunk
    }
  }
  await pipeline(createReadStream(from), counted, createWriteStream(to), { signal })
}

/** What is set aside keeps its name, with this at the end. */
const endingOfNow = () => `.before-${now().replaceAll(/[-:]|\.\d+/g, '')}`

/**
 * The key that opens what is sealed in the backup: the installation's own, or the one beside the backup.
 * @throws BackupError when neither is it, or the backup is not of this version or an earlier one
 */
function fittingKey(
  stamp: Stamp,
  file: string,
  { secretKey, secretKeyFile, previousSecretKeys }: Installation
): SecretKey | undefined {
  requireKnown(stamp, file)
  if (stamp.sealedBy === undefined) return secretKey
  // The service would go by the variable, whatever lies in a file.
  const candidates =
    secretKey?.from === 'SECRET_KEY' ? [secretKey] : [secretKey, readSecretKey(`${file}.key`)]
  const fitting = candidates.find((key) => key && fits(stamp, key.value, previousSecretKeys))
  if (fitting) return fitting
  throw new BackupError(
    `${file} was sealed with another secret key. Set SECRET_KEY or SECRET_KEY_PREVIOUS to that one, or put its secret.key at ${secretKeyFile}.`
  )
}

/** Puts a key that lies beside the backup where the service finds it; answers what it set aside. */
async function placeKey(
  key: SecretKey | undefined,
  { secretKey, secretKeyFile }: Installation,
  ending: string
): Promise<string[]> {
  if (!key || key.from === secretKey?.from) return []
  closeToOthers(secretKeyFile)
  if (secretKey) await rename(secretKeyFile, secretKeyFile + ending)
  await writeWhole(secretKeyFile, { mayReplace: false, write: (draft) => writeFile(draft, `${key.value}\n`) })
  return secretKey ? [secretKeyFile + ending] : []
}

const placeOf = (key: SecretKey | undefined, { secretKeyFile }: Installation): string | null =>
  key ? (key.from === 'SECRET_KEY' ? key.from : secretKeyFile) : null
