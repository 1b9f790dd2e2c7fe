// A real PgBouncer in front of the tests' PostgreSQL; where it is missing and may be installed, it is, before all tests.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import type { TestPlace } from './databases.ts'
import { connected, databaseUrl, freePort, unprivilegedUser } from './postgres.ts'

const HOW_TO = `PgBouncer is needed. Install it (Debian: apt-get install pgbouncer; macOS: brew install pgbouncer),
or point PGBOUNCER at the program.`

/** Before all tests: where nothing can be installed, only the tests behind a pooler fail, and say why. */
export function setup(): void {
  if (find() || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update', '-q'], options)
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'pgbouncer'], options)
}

export type PoolMode = 'session' | 'transaction' | 'statement'

export interface PgBouncer {
  /** The place's database, by way of the pooler. */
  behind(place: TestPlace): TestPlace
  stop(): Promise<void>
}

/** What docs/operating.md tells to set. */
const IGNORED = 'options, statement_timeout, lock_timeout, idle_in_transaction_session_timeout'

/** Starts one on a free port. It has few connections to PostgreSQL where many can share them. */
export async function startPgBouncer(
  mode: PoolMode,
  ignored = IGNORED,
  serverUrl = inject('postgresUrl')
): Promise<PgBouncer> {
  const program = find()
  if (!program) throw new Error(HOW_TO)
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-pgbouncer-'))
  const [file, log, port] = [join(folder, 'ini'), join(folder, 'log'), await freePort()]
  const server = new URL(serverUrl)
  const login = `user=${server.username}${server.password ? ` password=${server.password}` : ''}`
  writeFileSync(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port || 5432} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 100 : 5}
max_client_conn = 300
server_login_retry = 1
ignore_startup_parameters = ${ignored}
`
  )
  const child = spawn(program, ['-q', file], {
    ...unprivilegedUser(folder),
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe']
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => writeFileSync(log, text, { flag: 'a' }))
  const ended = new Promise((resolve) => child.once('close', resolve))
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const url = `postgres://${server.username}@127.0.0.1:${port}/postgres`
  const isUp = () => connected(url, async () => true).catch(() => sleep(20, false))
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${readFileSync(log, 'utf8')}`)
  }
  return {
    behind: (place) => ({
      ...place,
      databaseUrl: databaseUrl(url, new URL(place.databaseUrl ?? '').pathname.slice(1))
    }),
    async stop() {
      process.off('exit', end)
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function find(): string | undefined {
  const folders = ['/usr/sbin', '/opt/homebrew/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const candidates = [process.env.PGBOUNCER ?? '', ...folders.map((folder) => join(folder, 'pgbouncer'))]
  return candidates.find((path) => path !== '' && existsSync(path))
}
