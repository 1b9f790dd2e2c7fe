// Built processes on one database, with the kit's Caddy in front, as callers meet them.
import { startFront } from '../deploy/support/front.ts'
import { type Environment, environmentAt, type RunningService, startService } from '../support/cli.ts'
import type { TestPlace } from '../support/databases.ts'
import { freePort } from '../support/postgres.ts'

export interface Fleet {
  /** Where callers ask: Caddy, or the one process that there is. */
  url: string
  /** Of how many processes `/readyz` says so at this moment. */
  ready(): Promise<number>
  size: number
  /** Ends one as `kill -9` does. */
  kill(nth: number): Promise<void>
  /** Starts it again, as whatever watches over processes does. */
  start(nth: number): Promise<void>
  /** Signals one of them. */
  signal(nth: number, signal: NodeJS.Signals): void
  /** Lines of the logs that speak of a fault of ours. */
  faults(): string[]
  close(): Promise<void>
}

/** @param environments one for each process, beside what all have */
export async function startFleet(place: TestPlace, environments: readonly Environment[]): Promise<Fleet> {
  const isAlone = environments.length === 1
  const frontPort = await freePort()
  const front = `http://127.0.0.1:${frontPort}`
  const settings: Environment[] = []
  for (const given of environments) {
    const PORT = String(isAlone ? frontPort : await freePort())
    settings.push(environmentAt(place, { PORT, PUBLIC_URL: front, TRUST_PROXY: '1', ...given }))
  }
  const started = await Promise.all(settings.map((env) => startService(env)))
  const services: (RunningService | undefined)[] = [...started]
  const former: RunningService[] = []
  const upstreams = started.map((service) => service.url)
  const caddy = isAlone ? undefined : await startFront(front, upstreams)
  const isReady = async (service: RunningService | undefined): Promise<boolean> => {
    const signal = AbortSignal.timeout(5_000)
    const answer = service && (await fetch(`${service.url}/readyz`, { signal }).catch(() => undefined))
    await answer?.body?.cancel()
    return answer?.status === 200
  }
  return {
    url: front,
    size: settings.length,
    ready: async () => (await Promise.all(services.map(isReady))).filter(Boolean).length,
    async kill(nth) {
      const service = services[nth]
      services[nth] = undefined
      if (service) former.push(service)
      await service?.stop('SIGKILL')
    },
    signal: (nth, signal) => void process.kill(services[nth]?.pid ?? 0, signal),
    async start(nth) {
      services[nth] = await startService(settings[nth] ?? {})
    },
    faults: () => [...former, ...services].flatMap((service) => faultsIn(service?.stderr() ?? '')),
    async close() {
      await caddy?.stop()
      await Promise.all(services.map((service) => service?.stop()))
    }
  }
}

/** What nobody expects, whatever is away: an error of our own code, or an answer of 500. */
function faultsIn(log: string): string[] {
  return log.split('\n').filter((line) => /"status":500|TypeError|ReferenceError|unhandled/i.test(line))
}
