// Finds or starts the PostgreSQL that every database test also runs on.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** An administrator's URL; each test makes a database of its own behind it. */
    postgresUrl: string
    /** The folder of pg_dump and its like; empty where only PATH can tell. */
    postgresPrograms: string
  }
}

const HOW_TO = `The tests need PostgreSQL. Install it (Debian: apt-get install postgresql; macOS: brew install postgresql@16),
or point TEST_DATABASE_URL at a server on which a role may create databases: postgres://user:password@host/postgres`

export default async function provide(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    project.provide('postgresUrl', given)
    project.provide('postgresPrograms', '')
    return undefined
  }
  const binaries = findBinaries()
  const { url, stop } = await startPostgres(binaries)
  project.provide('postgresUrl', url)
  project.provide('postgresPrograms', binaries)
  return stop
}

/** The folder of initdb and postgres. Debian keeps them off the PATH. */
function findBinaries(): string {
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

async function startPostgres(binaries: string): Promise<{ url: string; stop(): Promise<void> }> {
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
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F', '-c', 'max_connections=200'],
    { ...user, cwd: folder, stdio: 'ignore' }
  )
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url, server)
  return {
    url,
    async stop() {
      const exited = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGQUIT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(folder: string): { uid?: number; gid?: number } {
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

/** A TCP port that nothing listens on right now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
