// Litestream by the kit's settings, beside a service that writes: what a lost machine leaves is the replica, and what comes of
// that is whole and up to date. Its program comes from the npm registry.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { callApi, environmentAt, makePartner, type RunningService, startService } from '../support/cli.ts'
import { kit, makeFolder } from './support/kit.ts'
import { type Program, startProgram } from './support/programs.ts'

/** The release that compose.sqlite.yml names: 0.3.13. */
const PACKAGE = '@flydotio/litestream@1.0.1'

const run = promisify(execFile)

const { path: folder, remove } = makeFolder()
const place = { dataDir: join(folder, 'data'), databaseUrl: undefined, remove: async () => undefined }
const again = { ...place, dataDir: join(folder, 'again') }
const env = { LITESTREAM_REPLICA_URL: `file://${folder}/replica` }
const config = ['-config', join(kit, 'litestream.yml')]
let command: string
let litestream: Program
const services: RunningService[] = []

/** Ends with the tests, also where one fails. */
async function start(at: typeof place): Promise<RunningService> {
  const service = await startService(environmentAt(at))
  services.push(service)
  return service
}

beforeAll(async () => {
  await run('npm', ['install', '--prefix', folder, '--no-fund', '--no-audit', PACKAGE])
  command = join(folder, `node_modules/@flydotio/litestream-${process.platform}-${process.arch}/litestream`)
  for (const { dataDir } of [place, again]) mkdirSync(dataDir)
})
afterAll(async () => {
  await Promise.all([litestream, ...services].map((one) => one.stop('SIGKILL')))
  remove()
})

const count = (dataDir: string) => {
  const database = new Sqlite(join(dataDir, 'mindgate.db'), { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  const { count } =
    database.prepare<[], { count: number }>('select count(*) as count from customer').get() ?? {}
  database.close()
  return count
}

it('replicates all that was acknowledged while the service takes its log in, and restores it', async () => {
  const service = await start(place)
  litestream = startProgram(command, ['replicate', ...config], { env: { ...env, DATA_DIR: place.dataDir } })
  await vi.waitUntil(() => litestream.said().includes('replicating to'))
  const { key } = await makePartner(environmentAt(place))
  // Many times what has the service take its log in, and Litestream as well.
  const CUSTOMERS = 1_500
  const onboard = async (index: number) => {
    const basic = { email: `c${index}@example.com`, firstName: 'Ada', lastName: `No ${index}` }
    const body = { basic, business: { companyName: `Company ${index}` } }
    const { status } = await callApi(service.url, key, '/customers/onboard', { method: 'POST', body })
    expect(status).toBe(200)
  }
  let next = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < CUSTOMERS) {
        next += 1
        await onboard(next)
      }
    })
  )
  expect(count(place.dataDir)).toBe(CUSTOMERS)
  // Within a second; then both are gone at once, as with the machine.
  const file = join(again.dataDir, 'mindgate.db')
  const restore = async () => {
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
    await run(command, ['restore', ...config, '-o', file, join(place.dataDir, 'mindgate.db')], {
      env: { ...env, DATA_DIR: place.dataDir }
    })
    return count(again.dataDir)
  }
  await vi.waitUntil(async () => (await restore()) === CUSTOMERS, { timeout: 60_000, interval: 500 })
  await Promise.all([service.stop('SIGKILL'), litestream.stop('SIGKILL')])
  copyFileSync(join(place.dataDir, 'secret.key'), join(again.dataDir, 'secret.key'))
  const restored = await start(again)
  const { status } = await callApi(restored.url, key, '/customers/c1@example.com')
  expect([status, (await fetch(`${restored.url}/readyz`)).status]).toEqual([404, 200])
  expect(await restored.stop()).toBe(0)
})
