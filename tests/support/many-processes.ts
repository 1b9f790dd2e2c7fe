// `TEST_PROCESSES=4 npm test`: each test's server is so many processes on one PostgreSQL, behind PgBouncer in transaction
// mode, with the deploy kit's Caddy in front. The test's own process is one of them.
import { startFront } from '../deploy/support/front.ts'
import { type Environment, environmentAt, startService } from './cli.ts'
import type { TestPlace } from './databases.ts'
import { freePort } from './postgres.ts'

const processes = Number(process.env.TEST_PROCESSES)

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
  const services = await Promise.all(
    Array.from({ length: processes - 1 }, () =>
      startService(environmentAt(place, { ...env, PORT: '0' }), undefined, onLog)
    )
  )
  const upstreams = [`http://127.0.0.1:${port}`, ...services.map((service) => service.url)]
  // Whatever host is asked for: portals have their own.
  const caddy = await startFront(url, upstreams, `http://:${new URL(url).port}`)
  return {
    async stop() {
      await caddy.stop()
      await Promise.all(services.map((service) => service.stop()))
    }
  }
}
