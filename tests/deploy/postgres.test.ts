// What compose.postgres.yml sets up between the service and its tables, started: the role and its database on a PostgreSQL
// of its own, and PgBouncer by the kit's settings and command. The names of the machines alone are others.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { environmentAt, startService } from '../support/cli.ts'
import {
  type Cluster,
  connected,
  findBinaries,
  freePort,
  makeCluster,
  unprivilegedUser
} from '../support/postgres.ts'
import { kit, kitFile, makeFolder } from './support/kit.ts'
import { type Program, programOf, startProgram } from './support/programs.ts'

const MINDGATE_DB_PASSWORD = '6f1b0d9c4b7e2a3d5c8f'

const Commanded = z.object({
  services: z.object({
    pgbouncer: z.object({ command: z.tuple([z.literal('sh'), z.literal('-c'), z.string()]) })
  })
})

describe('PostgreSQL behind PgBouncer', () => {
  const { path: folder, remove } = makeFolder()
  const binaries = findBinaries()
  let cluster: Cluster
  let pooler: Program
  let url: URL

  beforeAll(async () => {
    cluster = await makeCluster(binaries)
    await cluster.start()
    const server = new URL(cluster.url)
    const PATH = [binaries, process.env.PATH].join(delimiter)
    const env = { PATH, PGHOST: server.hostname, PGPORT: server.port, MINDGATE_DB_PASSWORD }
    execFileSync(join(kit, 'postgres-init.sh'), { env, stdio: 'pipe' })

    const [ini, port] = [join(folder, 'pgbouncer.ini'), await freePort()]
    const users = join(folder, 'userlist.txt')
    const settings = kitFile('pgbouncer.ini')
      .replace('host=postgres port=5432', `host=${server.hostname} port=${server.port}`)
      .replace('0.0.0.0', '127.0.0.1')
      .replace('6432', String(port))
      .replace('/tmp/userlist.txt', users)
    writeFileSync(ini, settings)
    const { services } = Commanded.parse(parse(kitFile('compose.postgres.yml'), { merge: true }))
    const command = services.pgbouncer.command[2]
      .replaceAll('$$', () => '$')
      .replace('/tmp/userlist.txt', users)
      .replace('exec pgbouncer /etc/pgbouncer/pgbouncer.ini', `exec ${programOf('pgbouncer')} ${ini}`)
    pooler = startProgram('sh', ['-c', command], {
      ...unprivilegedUser(folder),
      env: { PATH, MINDGATE_DB_PASSWORD }
    })
    url = new URL(`postgres://mindgate:${MINDGATE_DB_PASSWORD}@127.0.0.1:${port}/mindgate`)
    const isUp = () => connected(url.href, async () => true).catch(() => false)
    await vi.waitUntil(isUp, { timeout: 20_000, interval: 50 })
  })
  afterAll(async () => {
    await pooler.stop('SIGKILL')
    await cluster.remove()
    remove()
  })

  it('serves, makes the extensions that searches use, and stops', async () => {
    const service = await startService({
      ...environmentAt({ dataDir: folder, databaseUrl: url.href, remove: async () => undefined })
    })
    onTestFinished(async () => void (await service.stop('SIGKILL')))
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    const extensions = await connected(
      url.href,
      async (client) =>
        (await client.query<{ name: string }>('select extname as name from pg_extension order by name')).rows
    )
    expect(extensions.map(({ name }) => name)).toEqual(expect.arrayContaining(['btree_gin', 'pg_trgm']))
    expect(await service.stop()).toBe(0)
    expect(service.stderr()).not.toContain('"level":"error"')
  })

  it('has the settings that the pooler drops, and a role that is no superuser', async () => {
    const asked = `select current_setting('statement_timeout') as statement, current_setting('jit') as jit,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('is_superuser') as superuser`
    const { rows } = await connected(url.href, (client) => client.query(asked))
    expect(rows).toEqual([{ statement: '30s', jit: 'off', idle: '30s', superuser: 'off' }])
  })

  it('lets nobody in without the password', async () => {
    const other = new URL(url)
    other.password = 'another'
    await expect(connected(other.href, async () => true)).rejects.toThrow(/authentication failed/)
    // Written before the pooler reads it, for its user alone.
    expect(readFileSync(join(folder, 'userlist.txt'), 'utf8')).toBe(`"mindgate" "${MINDGATE_DB_PASSWORD}"\n`)
  })
})
