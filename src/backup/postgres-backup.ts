import { execFile } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Stamp, Watch } from './backup.ts'
import { BackupError } from './backup-error.ts'

/** Roles and grants belong to a server, not to what is kept there. */
const WITHOUT_ROLES = ['--no-owner', '--no-acl']

/**
 * Dumps what is committed at this moment into `draft`, while others go on writing, and checks the dump.
 * @throws BackupError when `pg_dump` is missing or fails
 */
export async function dumpPostgres(url: string, draft: string, { at, signal }: Watch): Promise<Stamp> {
  const total = await countTables(url)
  const dumping = ['--format=custom', '--verbose', '--file', draft, '--dbname', bare(url), ...WITHOUT_ROLES]
  let done = 0
  await run('pg_dump', dumping, {
    url,
    signal,
    onMessage(line) {
      if (line.includes('dumping contents of table')) at(++done, total)
    }
  })
  return inspectDump(draft)
}

/**
 * Restores a dump into an empty database, whole or not at all.
 * @throws BackupError when something is in the database, when `pg_restore` is missing or fails
 */
export async function restorePostgres(url: string, file: string, signal: AbortSignal): Promise<void> {
  if ((await countTables(url)) > 0) {
    throw new BackupError(
      'The database in DATABASE_URL is not empty. Create a new one (createdb mindgate_restored), restore into that, and start the service with it.'
    )
  }
  const restoring = ['--single-transaction', '--exit-on-error', '--dbname', bare(url), ...WITHOUT_ROLES, file]
  await run('pg_restore', restoring, { url, signal })
}

export async function inspectDump(file: string): Promise<Stamp> {
  const reading = ['--data-only', '--table=kysely_migration', '--table=setting', '--file=-', file]
  const script = await run('pg_restore', reading)
  const rows = (table: string) =>
    (new RegExp(`^COPY \\S*\\b${table} \\(.*\\n((?:.*\\n)*?)\\\\\\.$`, 'm').exec(script)?.[1] ?? '')
      .split('\n')
      .filter(Boolean)
      .map((row) => row.split('\t'))
  return {
    migrations: rows('kysely_migration')
      .map(([name = '']) => name)
      .toSorted(),
    sealedBy: rows('setting').find(([name]) => name === 'secretKeyFingerprint')?.[1]
  }
}

/** Of any schema. @throws BackupError where a pooler shares the session */
export async function countTables(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  const beside = new pg.Client({ connectionString: url })
  // A pooler that refuses a transaction hangs up as well.
  beside.on('error', () => undefined)
  try {
    await Promise.all([client.connect(), beside.connect()])
    await requireOwnSession(client, beside)
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int from pg_tables where schemaname not in ('pg_catalog', 'information_schema')"
    )
    return rows[0]?.count ?? 0
  } finally {
    await Promise.all([client.end(), beside.end()])
  }
}

/**
 * The programs empty their session's search_path. A pooler that lends its connections by the transaction would lend out
 * that one, and whoever gets it finds no table any more. @throws BackupError
 */
async function requireOwnSession(client: pg.Client, beside: pg.Client): Promise<void> {
  const session = async (of: pg.Client) =>
    (await of.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const own = await session(client)
  await beside.query('begin')
  if ((await session(beside)) !== own && (await session(client)) === own) return
  throw new BackupError(
    'The address leads through a pooler that shares sessions (pool_mode = transaction). Say PostgreSQL’s own address for this command.'
  )
}

/** Without the password: every user of the machine can read a command line. */
function bare(url: string): string {
  const address = new URL(url)
  address.password = ''
  return address.href
}

interface Run {
  url?: string
  signal?: AbortSignal
  onMessage?(line: string): void
}

/** Answers the program's standard output. */
async function run(program: string, args: readonly string[], { url, signal, onMessage }: Run = {}) {
  const password = url && decodeURIComponent(new URL(url).password)
  const env = { ...process.env, ...(password ? { PGPASSWORD: password } : {}) }
  const running = promisify(execFile)(program, args, { env, signal, maxBuffer: Number.POSITIVE_INFINITY })
  running.child.stdin?.end()
  if (running.child.stderr) createInterface(running.child.stderr).on('line', (line) => onMessage?.(line))
  try {
    return (await running).stdout
  } catch (error) {
    const { code, stderr = '' } = Object(error)
    if (code === 'ENOENT') {
      throw new BackupError(
        `${program} is not installed here. It comes with PostgreSQL’s client programs (Debian: apt-get install postgresql-client), of the server’s version or newer.`,
        { cause: error }
      )
    }
    if (typeof code === 'string') throw error
    const faults = String(stderr)
      .split('\n')
      .filter((line) => /error|fatal/i.test(line))
    throw new BackupError(`${program} failed: ${faults.join(' ')}`)
  }
}
