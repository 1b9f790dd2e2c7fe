// Checks of the database: reachable, up to date, writable, sealed with our key, and what lies in it.
import { syncTotals } from '../calls/sync-store.ts'
import { fromNow, MINUTE_MS, now } from '../clock.ts'
import type { Config } from '../config.ts'
import { type Database, openDatabase, type ReadHandle, tryWrite } from '../database/database.ts'
import { isAway, isBusy, poolerRemedy } from '../database/faults.ts'
import { rowsWhere } from '../database/known.ts'
import { countOf } from '../database/page.ts'
import { countGivenUp } from '../mail/store.ts'
import { countSealed, MISSING_KEY, notedKeys } from '../sealing.ts'
import { createSecrets } from '../secrets.ts'
import { type Finding, faultOf, findingsOf } from './finding.ts'
import { checkRemovals } from './honcho-check.ts'

const storage = findingsOf('database')
const seal = findingsOf('secret key')
const clock = findingsOf('clock')
const outbox = findingsOf('outbox')
const calls = findingsOf('calls')

/** A doctor doesn't wait as long as a writer may. */
const LONGEST_WAIT_MS = 3_000
const SLOW_WRITE_MS = 500
const ROOM_REMEDY = 'Make room on its disk, or have its file or server take writes again.'
const BUSY_REMEDY = 'Look for a long import, backup or transaction beside the service, and try again.'

/** Opens the database as the service would, which also brings its tables up to date, and looks around in it. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  let database: Database
  try {
    database = await openDatabase({
      location: config.databaseLocation,
      maxConnections: 2,
      busyDeadlineMs: Math.min(config.busyDeadlineMs, LONGEST_WAIT_MS),
      onIdleError: () => undefined
    })
  } catch (error) {
    return [cantOpen(config, error)]
  }
  try {
    return [
      await checkWrite(database),
      await checkSeal(database.read, config),
      await checkClock(database.read),
      await checkLetters(database.read),
      ...(await checkSyncs(database.read)),
      ...(await checkRemovals(database.read, config.honcho))
    ]
  } catch (error) {
    return [storage.fail(`It stopped answering (${faultOf(error)}).`, 'Look into the database’s own log.')]
  } finally {
    await database.close()
  }
}

function cantOpen({ databaseLocation }: Config, error: unknown): Finding {
  if (isBusy(error)) return storage.fail('It is locked by another process.', BUSY_REMEDY)
  const isPostgres = databaseLocation.includes('://')
  return storage.fail(
    `${isPostgres ? 'PostgreSQL' : databaseLocation} can’t be opened (${faultOf(error)}).`,
    isPostgres
      ? (poolerRemedy(error) ??
          'Check that it runs, and host, user, password and database name in DATABASE_URL.')
      : 'Check who owns the file and its folder; restore it from a backup if it is damaged.'
  )
}

async function checkWrite(database: Database): Promise<Finding> {
  const kind = database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const startedAt = performance.now()
  try {
    await tryWrite(database)
  } catch (error) {
    if (isAway(error)) return storage.fail(`${kind} takes no writes (${faultOf(error)}).`, ROOM_REMEDY)
    if (!isBusy(error)) throw error
    return storage.fail(`${kind} is open, but locked by another process.`, BUSY_REMEDY)
  }
  const tookMs = Math.round(performance.now() - startedAt)
  return tookMs > SLOW_WRITE_MS
    ? storage.warn(`${kind} is up to date, but a write took ${tookMs} ms.`, BUSY_REMEDY)
    : storage.ok(`${kind} is up to date; a write took ${tookMs} ms.`)
}

async function checkSeal(db: ReadHandle, config: Config): Promise<Finding> {
  const secrets = createSecrets(config)
  const noted = await notedKeys(db)
  if (noted.length === 0) return seal.ok('The first start of the service will tie the database to it.')
  const used = [...noted, ...(await countSealed(db)).keys()]
  const remedy = 'Set SECRET_KEY to the original, or put the original secret.key back into DATA_DIR.'
  if (!used.every(secrets.hasKey)) return seal.fail(MISSING_KEY, remedy)
  if (config.previousSecretKeys.length === 0)
    return seal.ok('It is the one that this database was sealed with.')
  const isLeft = used.some((key) => !key.startsWith(secrets.keyId))
  const message = isLeft ? 'Not everything is sealed under it yet.' : 'Nothing needs SECRET_KEY_PREVIOUS.'
  return seal.warn(message, '`mindgate secrets rotate`, then unset SECRET_KEY_PREVIOUS.')
}

const TOLERATED_SKEW_MS = 5 * MINUTE_MS

/** What was written in the future tells that this clock is behind, or another process's was ahead. */
async function checkClock(db: ReadHandle): Promise<Finding> {
  const partner = await db
    .selectFrom('partner')
    .select((eb) => eb.fn.max('updatedAt').as('latest'))
    .executeTakeFirst()
  const key = await db
    .selectFrom('apiKey')
    .select((eb) => [eb.fn.max('lastUsedAt').as('used'), eb.fn.max('createdAt').as('made')])
    .executeTakeFirst()
  const latest = [partner?.latest, key?.used, key?.made].filter((time) => typeof time === 'string')
  const ahead = latest.find((time) => time > fromNow(TOLERATED_SKEW_MS))
  if (!ahead) return clock.ok(`It is ${now()}.`)
  return clock.warn(
    `It is ${now()} here, but the database holds something of ${ahead}.`,
    'Set the clock by NTP on every machine: expiries depend on it.'
  )
}

async function checkLetters(db: ReadHandle): Promise<Finding> {
  const givenUp = await countGivenUp(db)
  const queued = rowsWhere(db, 'mail', { status: 'queued' })
  const overdue = await countOf(queued.where('nextAttemptAt', '<', fromNow(-TOLERATED_SKEW_MS)))
  if (overdue > 0) {
    return outbox.warn(
      `Mails that are due but wait: ${overdue}; given up: ${givenUp}.`,
      'They leave once the service runs: mindgate serve'
    )
  }
  if (givenUp > 0) {
    return outbox.warn(
      `Mails that were given up in the last 7 days: ${givenUp}.`,
      '`mindgate mail list --status failed` tells why; repeat the invite or reset to send a new one.'
    )
  }
  return outbox.ok('No mail is overdue, none was given up in the last 7 days.')
}

async function checkSyncs(db: ReadHandle): Promise<Finding[]> {
  const { stopped, behind } = await syncTotals(db)
  if (stopped + behind === 0) return []
  const message = `Provider keys with which no calls are read any more: ${stopped}; not for a day: ${behind}.`
  return [calls.warn(message, '`mindgate usage sync --partner <id>` reads them, or says why it can’t.')]
}
