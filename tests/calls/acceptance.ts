// Six weeks of calls at both providers, read by a real service while agents are mapped, faults happen and webhooks get
// lost: at the end the books say what an independent count says.
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { repriceCalls } from '../../src/calls/reprice.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { makePartner, run } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { moveClock } from '../support/moved-clock.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { sweepAll } from '../support/sweep.ts'
import { PROVIDER_KEY } from '../voice-agents/stand-in.ts'
import { differences } from './books.ts'
import { makeHookSender } from './hook-sender.ts'
import { countCalls } from './independent-count.ts'
import { makeMapper } from './mapper.ts'
import { makeDice } from './providers/dice.ts'
import { startRetell } from './providers/retell.ts'
import { FAULTS } from './providers/server.ts'
import { startVapi } from './providers/vapi.ts'
import { DAY, HOUR, MINUTE, makeWorld } from './providers/world.ts'

const BEGAN_AT = Date.UTC(2026, 2, 2)
/** The first pass reads thirty days. */
const FIRST_READ_AT = BEGAN_AT + 29 * DAY
const LAST_CALL_AT = FIRST_READ_AT + 8 * DAY
/** Whatever is to be told of the last call is told by then. */
const ENDS_AT = LAST_CALL_AT + 3 * DAY
const STEP = 8 * HOUR
/** Its clocks go forward on 29 March. */
const TIME_ZONE = 'Europe/Lisbon'
const CUSTOMERS = 12
/** What a minute costs beside what provider A charges. */
const MINUTE_PRICE = '0.0333'
const REFUSALS = {
  a: { from: FIRST_READ_AT + 6 * STEP, to: FIRST_READ_AT + 8 * STEP },
  b: { from: FIRST_READ_AT + 11 * STEP, to: FIRST_READ_AT + 12 * STEP }
}

export interface Outcome {
  /** What the books say otherwise than the count. */
  differences: string[]
  /** Webhooks that were answered otherwise than they should be, or that nothing came of. */
  unexpected: string[]
  /** How many calls the count has, and how many of them somebody is charged for. */
  counted: number
  charged: number
  /** Requests that were answered by each of the stand-ins. */
  requests: number[]
}

export async function readSixWeeks(kind: DatabaseKind, calls: number, seed: number): Promise<Outcome> {
  const clock = moveClock(FIRST_READ_AT)
  const world = makeWorld({
    seed,
    calls,
    from: BEGAN_AT,
    to: LAST_CALL_AT,
    watchedFrom: FIRST_READ_AT,
    clock: clock.now
  })
  const providers = { a: await startVapi(world), b: await startRetell(world) }
  let server: TestServer | undefined
  try {
    server = await startTestServer(
      kind,
      {
        ...{ PROVIDER_A_URL: providers.a.url, PROVIDER_B_URL: providers.b.url },
        ...{ LOG_LEVEL: 'warn', RATE_LIMIT: '0' }
      },
      { alone: 'the clock that moves is this process’s' }
    )
    const { service } = server
    const { partnerId } = await makePartner(service)
    const rows = await Promise.all(
      Array.from({ length: CUSTOMERS }, () => makeCustomerRow(service, partnerId))
    )
    const customers = rows.map(({ id }) => id)
    const dice = makeDice(`acceptance ${seed}`)
    const mapper = makeMapper(service, partnerId, { customers, dice, clock: clock.now })
    const setKey = (provider: 'a' | 'b') =>
      run(service, partnerId, 'provider_key_set', { provider, key: PROVIDER_KEY })
    for (const provider of PROVIDERS) await setKey(provider)
    await run(service, partnerId, 'billing_settings_set', {
      ...{ timeZone: TIME_ZONE, minutePrices: { a: Number(MINUTE_PRICE) } }
    })

    const tell = await makeHookSender(server, partnerId, { world, dice })
    const unexpected: string[] = []

    for (let at = FIRST_READ_AT; at <= ENDS_AT; at += STEP) {
      clock.set(at)
      const isLast = at + STEP > ENDS_AT
      for (const provider of PROVIDERS) {
        const agents =
          at === FIRST_READ_AT ? world.agents[provider].slice(0, 18) : dice.some(world.agents[provider], 2)
        for (const { id } of agents) await mapper.act(provider, id)
        // Each fault once while most is read, and any of them by chance later.
        if (at === FIRST_READ_AT) providers[provider].next(...dice.some(FAULTS, FAULTS.length))
        providers[provider].misbehave(isLast ? 0 : 0.02)
        // For a while each of them takes no key.
        providers[provider].refuseKey(REFUSALS[provider].from <= at && at < REFUSALS[provider].to)
        if (at === REFUSALS[provider].to) await setKey(provider)
      }
      if (at > FIRST_READ_AT) unexpected.push(...(await tell(at - STEP)))
      await settle(server, partnerId, clock)
    }
    await repriceCalls(service.database)
    const counted = countCalls(world, { mappings: mapper.said, minutePrices: { a: MINUTE_PRICE } })
    // What was told of while no key was taken is too old to be asked for.
    await sweepAll(service)
    const hints = await service.database.read.selectFrom('callHint').selectAll().execute()
    return {
      differences: await differences(service, partnerId, counted, TIME_ZONE),
      unexpected: [
        ...unexpected,
        ...hints.map(({ callId }) => `${callId} was told of, and is still to be read`)
      ],
      counted: counted.length,
      charged: counted.filter(({ chargeMicros }) => chargeMicros).length,
      requests: PROVIDERS.map((provider) => providers[provider].requests.length)
    }
  } finally {
    await server?.close()
    for (const provider of PROVIDERS) await providers[provider].close()
    clock.restore()
  }
}

/** Lets the service read until it has read everything; what failed is tried again when the clock says so. */
async function settle(
  { service }: TestServer,
  partnerId: string,
  clock: { now(): number; set(at: number): void }
): Promise<void> {
  for (let times = 0; times < 200; times += 1) {
    await service.usageSync.drain()
    const syncs = service.database.read.selectFrom('usageSync').where('partnerId', '=', partnerId)
    const rows = await syncs.select(['dueAt', 'failures']).execute()
    // One without a key that is taken has stopped.
    if (rows.every(({ dueAt, failures }) => dueAt === null || failures === 0)) return
    clock.set(clock.now() + 5 * MINUTE)
  }
  throw new Error('The calls are never read')
}
