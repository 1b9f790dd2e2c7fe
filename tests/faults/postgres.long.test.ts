// Four processes behind Caddy on one PostgreSQL behind PgBouncer, and each fault that such a fleet meets.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { HOUR_MS } from '../../src/clock.ts'
import { type Bundle, bundle } from '../crash/bundle.ts'
import { makeFolder } from '../deploy/support/kit.ts'
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { type Cluster, makeCluster } from '../support/postgres.ts'
import { comeThrough } from './fault.ts'
import { type Kit, openKit } from './kit.ts'

describe('four processes on PostgreSQL', () => {
  const folder = makeFolder()
  let cluster: Cluster
  let pooler: PgBouncer
  let kit: Kit
  let clock: Bundle
  const clockFile = join(folder.path, 'clock')

  beforeAll(async () => {
    cluster = await makeCluster()
    await cluster.start()
    pooler = await startPgBouncer('transaction', undefined, cluster.url)
    const place = { dataDir: folder.path, databaseUrl: cluster.url, remove: async () => undefined }
    clock = await bundle(new URL('./moving-clock.ts', import.meta.url).pathname)
    const moved = { NODE_OPTIONS: `--import=${pathToFileURL(clock.file)}`, CLOCK_FILE: clockFile }
    kit = await openKit({ place, processesAt: pooler.behind(place), environments: [{}, {}, {}, moved] })
  })
  afterAll(async () => {
    await kit?.close()
    await pooler?.stop()
    await cluster?.remove()
    clock?.remove()
    folder.remove()
  })

  it('come through a PostgreSQL that is killed and started again after 10 s', () =>
    comeThrough(kit, {
      name: 'PostgreSQL killed for 10 s',
      lastsMs: 10_000,
      begin: () => cluster.stop('SIGQUIT'),
      end: () => cluster.start()
    }))

  it('come through a PostgreSQL that is silent for 10 s', () =>
    comeThrough(kit, {
      name: 'PostgreSQL silent for 10 s',
      lastsMs: 10_000,
      begin: () => cluster.signal('SIGSTOP'),
      end: () => cluster.signal('SIGCONT')
    }))

  it('come through kill -9 of one of them, which is started again after 10 s', () =>
    comeThrough(kit, {
      name: 'one of four processes killed',
      lastsMs: 10_000,
      begin: () => kit.fleet.kill(1),
      end: () => kit.fleet.start(1)
    }))

  const moveClock = (hours: number) => {
    writeFileSync(clockFile, String(hours * HOUR_MS))
    kit.fleet.signal(3, 'SIGUSR2')
  }

  it('come through a clock of one of them that is six hours slow for 10 s', () =>
    comeThrough(kit, {
      name: 'one clock six hours slow for 10 s',
      lastsMs: 10_000,
      isClockWrong: true,
      begin: () => moveClock(-6),
      end: () => moveClock(6)
    }))

  // By more than anything is ever put off.
  it('come through a clock of one of them that is seven hours fast for 10 s', () =>
    comeThrough(kit, {
      name: 'one clock seven hours fast for 10 s',
      lastsMs: 10_000,
      isClockWrong: true,
      begin: () => moveClock(7),
      end: () => moveClock(-7)
    }))
})
