// kill -9 in the middle of reading calls, over and over on the same books, while the world goes on and mappings change.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { type Bundle, bundle } from '../crash/bundle.ts'
import { type DatabaseKind, makeTestPlace } from '../support/databases.ts'
import { makePartner, run } from '../support/fixture.ts'
import { type MovedClock, moveClock } from '../support/moved-clock.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { PROVIDER_KEY } from '../voice-agents/stand-in.ts'
import { differences } from './books.ts'
import { countCalls } from './independent-count.ts'
import { makeMapper } from './mapper.ts'
import { makeDice } from './providers/dice.ts'
import { startRetell } from './providers/retell.ts'
import type { CallsStandIn } from './providers/server.ts'
import { startVapi } from './providers/vapi.ts'
import { DAY, HOUR, makeWorld } from './providers/world.ts'

const BEGAN_AT = Date.UTC(2026, 8, 1)
const FIRST_READ_AT = BEGAN_AT + 29 * DAY
/** All within a day: the first pass is to read what it would have read, and whoever reads daily misses no cost. */
const BETWEEN_KILLS = HOUR
const CALLS = 1_200

/** When nobody is killed any more, since the last call; costs come that late. */
const CALM = [4 * HOUR, 28 * HOUR, 52 * HOUR, 68 * HOUR]

/** Where a process dies: as it asks a provider, or around and within what it writes. */
const POINTS = ['asked', 'begun', 'written', 'committed'] as const

interface Survived {
  /** How each process ended that was to be killed. */
  ends: string[]
  /** What the last one said. */
  said: string
  differences: string[]
  charged: number
  /** What is held or put off for good. */
  stuck: unknown[]
}

export async function expectBalanced(kind: DatabaseKind, kills: number, seed: number): Promise<void> {
  const { ends, said, differences, charged, stuck } = await surviveKills(kind, kills, seed)
  expect(ends.filter((end) => !end.endsWith(': SIGKILL'))).toEqual([])
  expect(said).toBe('done')
  expect(differences).toEqual([])
  expect(stuck).toEqual([])
  expect(charged).toBeGreaterThan(CALLS / 4)
}

async function surviveKills(kind: DatabaseKind, kills: number, seed: number): Promise<Survived> {
  const lastCallAt = FIRST_READ_AT + kills * BETWEEN_KILLS
  const clock = moveClock(FIRST_READ_AT)
  const place = await makeTestPlace(kind)
  const program = await bundle(new URL('./syncing-service.ts', import.meta.url).pathname)
  const world = makeWorld({
    ...{ seed, calls: CALLS, from: BEGAN_AT, to: lastCallAt, watchedFrom: FIRST_READ_AT, clock: clock.now }
  })
  const providers = { a: await startVapi(world), b: await startRetell(world) }
  const env = {
    ...{ PATH: process.env.PATH ?? '', DATA_DIR: place.dataDir, LOG_LEVEL: 'silent' },
    ...{ PROVIDER_A_URL: providers.a.url, PROVIDER_B_URL: providers.b.url },
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {})
  }
  // Beside the processes that are killed.
  const service = await openService(loadConfig(env), createLog('silent'))
  const children = new Set<ChildProcess>()
  const load = () => loadChild(program, env, children)
  try {
    const { partnerId } = await makePartner(service)
    const customers = await makeCustomers(service, partnerId)
    const dice = makeDice(`kills ${seed}`)
    const mapper = makeMapper(service, partnerId, { customers, dice, clock: clock.now })
    for (const provider of PROVIDERS)
      await run(service, partnerId, 'provider_key_set', { provider, key: PROVIDER_KEY })

    const ends: string[] = []
    let next = load()
    for (let kill = 0; kill < kills; kill += 1) {
      clock.set(FIRST_READ_AT + kill * BETWEEN_KILLS)
      for (const provider of PROVIDERS)
        for (const { id } of dice.some(world.agents[provider], kill === 0 ? 20 : 2))
          await mapper.act(provider, id)
      const dying = next
      next = load()
      const point = POINTS[kill % POINTS.length] ?? 'asked'
      // Later there is less to do: a request to each, and what it brings.
      const passes = dice.between(0, kill === 0 ? 12 : 1)
      if (point === 'asked') killWhenAsked(Object.values(providers), passes, dying.kill)
      dying.open(clock, `${point} ${passes}`)
      const { signal, said } = await dying.ended
      ends.push(`${point} ${passes}: ${signal}${said}`)
      for (const provider of PROVIDERS) providers[provider].onRequest(undefined)
    }
    let said = ''
    for (const laterMs of CALM) {
      const calm = next
      next = load()
      clock.set(lastCallAt + laterMs)
      calm.open(clock, 'never')
      said = (await calm.ended).said
    }
    const counted = countCalls(world, { mappings: mapper.said })
    return {
      ...{ ends, said, stuck: await stuckIn(service) },
      differences: await differences(service, partnerId, counted, 'UTC'),
      charged: counted.filter(({ chargeMicros }) => chargeMicros).length
    }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await service.close()
    for (const provider of PROVIDERS) await providers[provider].close()
    program.remove()
    await place.remove()
    clock.restore()
  }
}

const makeCustomers = async (service: Service, partnerId: string): Promise<string[]> => {
  const rows = await Promise.all(Array.from({ length: 6 }, () => makeCustomerRow(service, partnerId)))
  return rows.map(({ id }) => id)
}

/** A process, loaded and waiting for where it is to die. */
function loadChild({ file }: Bundle, env: Record<string, string>, children: Set<ChildProcess>) {
  const child = spawn(process.execPath, [file], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  children.add(child)
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'close').then(() => {
    children.delete(child)
    return { signal: child.signalCode, said: said.trim() }
  })
  return {
    open: (clock: MovedClock, point: string) => child.stdin.end(`${clock.now()} ${point}\n`),
    kill: () => child.kill('SIGKILL'),
    ended
  }
}

/** Kills it while a provider has its request and has not answered. */
function killWhenAsked(providers: readonly CallsStandIn[], passes: number, kill: () => void): void {
  let left = passes
  const listen = async () => {
    left -= 1
    if (left >= 0) return
    kill()
    await new Promise(() => undefined)
  }
  for (const provider of providers) provider.onRequest(listen)
}

/** Whatever somebody holds, and what is never tried again. */
async function stuckIn({ database: { read } }: Service): Promise<unknown[]> {
  const syncs = await read.selectFrom('usageSync').selectAll().execute()
  const hints = await read.selectFrom('callHint').selectAll().execute()
  const agents = await read
    .selectFrom('voiceAgent')
    .where('repriceFrom', 'is not', null)
    .selectAll()
    .execute()
  return [
    ...syncs.filter(
      ({ leaseOwner, dueAt, failures }) => leaseOwner !== null || dueAt === null || failures > 0
    ),
    ...hints,
    ...agents
  ]
}
