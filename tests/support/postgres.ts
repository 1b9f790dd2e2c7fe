// Finds or starts the PostgreSQL that database tests also run on, and makes the database that they begin with.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { makeTables } from './sqlite.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL; tests get databases of their own behind it. */
    postgresUrl: string
    postgresTemplate: PostgresTemplate
    /** The folder of pg_dump and its like; empty where only PATH can tell. */
    postgresPrograms: string
  }
}

/** A database that has every table and no row. */
export interface PostgresTemplate {
  name: string
  /** What `shapeOf` says of it. */
  shape: string
  /** The SQL that makes a used copy like it again. */
  emptying: string
}

const HOW_TO = `The tests need PostgreSQL. Install it (Debian: apt-get install postgresql; macOS: brew install postgresql@16),
or point TEST_DATABASE_URL at a superuser's role on a server that only tests use: postgres://user:password@host/postgres`

export default async function provide(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const binaries = given ? '' : findBinaries()
  const cluster = given ? undefined : await makeCluster(binaries)
  await cluster?.start()
  const url = cluster?.url ?? given ?? ''
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const name = `mindgate_template_${process.pid}`
  await admin.query(`create database ${name}`)
  await makeTables(databaseUrl(url, name))
  // Which databases are there to be taken again: see databases.ts.
  await admin.query(
    'create table if not exists test_database (name text primary key, template text, is_taken boolean)'
  )
  project.provide('postgresUrl', url)
  project.provide('postgresPrograms', binaries)
  project.provide('postgresTemplate', await connected(databaseUrl(url, name), describeTemplate(name)))
  return async () => {
    const made = await admin.query<{ name: string }>(
      'delete from test_database where template = $1 returning name',
      [name]
    )
    if (given) {
      for (const { name: copy } of made.rows) await admin.query(`drop database ${copy} with (force)`)
      await admin.query(`drop database ${name}`)
    }
    await admin.end()
    await cluster?.remove()
  }
}

const describeTemplate =
  (name: string) =>
  async (client: pg.Client): Promise<PostgresTemplate> => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I', relname) as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'`
    )
    const { rows: sequences } = await client.query<{ name: string }>(
      "select format('%I', sequencename) as name from pg_sequences where schemaname = 'public'"
    )
    const emptying = [
      // Without triggers and foreign keys no order is needed.
      'set session_replication_role = replica',
      ...tables.map((table) => `delete from ${table.name}`),
      ...sequences.map((sequence) => `alter sequence ${sequence.name} restart`)
    ]
    return { name, shape: await shapeOf(client), emptying: emptying.join(';\n') }
  }

/**
 * Every column, index, constraint and trigger, which migrations were applied, and whether there are statistics, by which
 * plans differ, as one short text.
 */
export async function shapeOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ shape: string }>(`
    select md5(string_agg(part, ';' order by part)) as shape from (
      select format('%s %s %s %s', attrelid::regclass, attname, atttypid, attnotnull) as part from pg_attribute
        join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and not attisdropped
      union all select conname || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select tgname from pg_trigger where not tgisinternal
      union all select format('%s %s', relname, reltuples < 0) from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r'
      union all select name from kysely_migration
    ) as parts`)
  return rows[0]?.shape ?? ''
}

/** Does `work` on a connection of its own. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The same server and role, another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** The folder of initdb and postgres. Debian keeps them off the PATH. */
export function findBinaries(): string {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const candidates = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
    ...['18', '17', '16', '15'].flatMap((version) => [
      `/opt/homebrew/opt/postgresql@${version}/bin`,
      `/usr/local/opt/postgresql@${version}/bin`
    ])
  ]
  const found = candidates.find((folder) => folder && existsSync(join(folder, 'initdb')))
  if (found) return found
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(HOW_TO)
  execFileSync('apt-get', ['update', '-q'], { stdio: 'inherit' })
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'postgresql'], {
    stdio: 'inherit'
  })
  return findBinaries()
}

/** Nothing is kept over a power cut; and no statistics come by themselves, so that a plan never depends on the moment. */
const SETTINGS = [
  'max_connections=200',
  'autovacuum=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0'
].flatMap((setting) => ['-c', setting])

/** A PostgreSQL server of one's own. */
export interface Cluster {
  url: string
  start(): Promise<void>
  /** Ends it in order, as an operator does: whoever is connected is told so. `SIGQUIT` ends it at once. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>
  /** Stops all of its processes where they are, and lets them go on (Linux): it is silent in between. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends it at once and removes what it kept. */
  remove(): Promise<void>
}

export async function makeCluster(binaries = findBinaries()): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-postgres-'))
  const user = unprivilegedUser(folder)
  const data = join(folder, 'data')
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
    {
      ...user,
      cwd: folder,
      stdio: 'pipe'
    }
  )
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    const exited = server && once(server, 'exit')
    server?.kill(signal)
    await exited
    server = undefined
  }
  return {
    url,
    async start() {
      server = spawn(
        join(binaries, 'postgres'),
        ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F', ...SETTINGS],
        { ...user, cwd: folder, stdio: 'ignore' }
      )
      await untilReady(url, server)
    },
    stop: (signal = 'SIGINT') => end(signal),
    signal(signal) {
      const pid = server?.pid ?? 0
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
      for (const one of [pid, ...children.map(Number)]) process.kill(one, signal)
    },
    async remove() {
      await end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** PostgreSQL and PgBouncer refuse to run as root. */
export function unprivilegedUser(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  const user = { uid: idOf('-u'), gid: idOf('-g') }
  chownSync(folder, user.uid, user.gid)
  return user
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL exited with ${server.exitCode}`)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await sleep(100)
    }
  }
  throw new Error('PostgreSQL did not come up within 30 s')
}

/** Of this worker's own thousand, below what the system and the SSH servers choose: nobody else takes it before it is used. */
const FIRST_PORT = 10_000 + 1_000 * (Number(process.env.VITEST_POOL_ID ?? 0) % 10)
let drawn = randomInt(1_000)

/** A TCP port that nothing listens on right now; another one each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    drawn += 1
    const port = FIRST_PORT + (drawn % 1_000)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
