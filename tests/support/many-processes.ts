// `TEST_PROCESSES=4 npm test`: each test's server is so many processes on one PostgreSQL, behind PgBouncer in transaction
// mode, with the deploy kit's Caddy in front. The test's own process is one of them.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { kit } from '../deploy/support/kit.ts'
import { programOf, startProgram } from '../deploy/support/programs.ts'
import { type Environment, environmentAt, startService } from './cli.ts'
import type { TestPlace } from './databases.ts'
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts'
import { freePort } from './postgres.ts'

export const processes = Number(process.env.TEST_PROCESSES ?? 1)

let pooler: Promise<PgBouncer> | undefined

/** The place as all of its processes reach it. The pooler ends with this worker. */
export async function behindPooler(place: TestPlace): Promise<TestPlace> {
  pooler ??= startPgBouncer('transaction')
  return (await pooler).behind(place)
}

/** Where the test's own process has to listen, and where all of them are reached. */
export interface Front {
  port: number
  url: string
}

export async function makeFront(): Promise<Front> {
  return { port: await freePort(), url: `http://127.0.0.1:${await freePort()}` }
}

/** The other processes, and Caddy once the test's own is up. */
export async function startOthers(
  { port, url }: Front,
  { place, env, onLog }: { place: TestPlace; env: Environment; onLog(line: string): void }
): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'mindgate-front-'))
  const services = await Promise.all(
    Array.from({ length: processes - 1 }, () =>
      startService(environmentAt(place, { ...env, PORT: '0' }), undefined, onLog)
    )
  )
  const hosts = [`127.0.0.1:${port}`, ...services.map((service) => new URL(service.url).host)]
  const caddy = startProgram(programOf('caddy'), ['run', '--config', join(kit, 'Caddyfile')], {
    env: {
      HOME: folder,
      // Whatever host is asked for: portals have their own.
      PUBLIC_URL: `http://:${new URL(url).port}`,
      MINDGATE_UPSTREAMS: hosts.join(' '),
      ASK_PORT: String(await freePort()),
      CADDY_GLOBAL_OPTIONS: `admin off\nskip_install_trust\nstorage file_system ${folder}\nhttps_port ${await freePort()}`
    }
  })
  const isUp = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200
  await vi.waitUntil(isUp, { timeout: 60_000 })
  return {
    async stop() {
      await caddy.stop()
      await Promise.all(services.map((service) => service.stop()))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
