// Calls around every midnight that matters, read while the clock goes on: each counts on the day and for the month that
// its partner's wall clock shows, to the millisecond, and statements close three of those days later.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../src/service.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run } from '../support/fixture.ts'
import { type MovedClock, moveClock } from '../support/moved-clock.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { sweepAll } from '../support/sweep.ts'
import { PROVIDER_KEY } from '../voice-agents/stand-in.ts'
import { differences } from './books.ts'
import { countCalls } from './independent-count.ts'
import type { CallsStandIn } from './providers/server.ts'
import { startVapi } from './providers/vapi.ts'
import { DAY, MINUTE, type World, type WorldCall } from './providers/world.ts'

/** When their months begin in 2028, and how many half hours a day has there where it isn't 48. */
const ZONES = [
  {
    zone: 'Pacific/Kiritimati',
    months: ['02-29T10:00', '03-31T10:00', '09-30T10:00', '10-31T10:00', '11-30T10:00'],
    halfHours: { '2028-03-12': 48 }
  },
  {
    zone: 'Pacific/Pago_Pago',
    months: ['03-01T11:00', '04-01T11:00', '10-01T11:00', '11-01T11:00', '12-01T11:00'],
    halfHours: { '2028-02-29': 48 }
  },
  {
    zone: 'Europe/Berlin',
    months: ['02-29T23:00', '03-31T22:00', '09-30T22:00', '10-31T23:00', '11-30T23:00'],
    halfHours: { '2028-03-26': 46, '2028-10-29': 50 }
  },
  {
    zone: 'America/New_York',
    months: ['03-01T05:00', '04-01T04:00', '10-01T04:00', '11-01T04:00', '12-01T05:00'],
    halfHours: { '2028-03-12': 46, '2028-11-05': 50 }
  },
  {
    zone: 'Australia/Lord_Howe',
    months: ['02-29T13:00', '03-31T13:00', '09-30T13:30', '10-31T13:00', '11-30T13:00'],
    halfHours: { '2028-04-02': 49 }
  }
].map(({ months, ...rest }) => ({ ...rest, months: months.map((at) => Date.parse(`2028-${at}Z`)) }))

/** Days around which there are calls: from the day before until two days later. */
const DAYS = ['03-01', '03-12', '03-26', '04-01', '10-01', '10-29', '11-01', '11-05', '12-01'].map((day) =>
  Date.parse(`2028-${day}`)
)
const BEGAN_AT = Date.parse('2028-02-20')
const GRACE = 3 * DAY
const AGENT = 'agent-of-all'

/** One each half hour, and three around each beginning of a month. */
const ENDS = new Set([
  ...DAYS.flatMap((day) => Array.from({ length: 3 * 48 }, (_, n) => day - DAY + (n * 30 + 7) * MINUTE)),
  ...ZONES.flatMap(({ months }) => months.flatMap((at) => [at - 1, at, at + 1]))
])
const calls = [...ENDS]
  .toSorted((a, b) => b - a)
  .map(
    (endedAt, index): WorldCall => ({
      id: `00000000-0000-4000-a000-${String(index).padStart(12, '0')}`,
      agentId: AGENT,
      ...{ createdAt: endedAt - MINUTE, startedAt: endedAt - MINUTE, messageBytes: 10 },
      // No two cost the same.
      versions: [{ at: endedAt, endedAt, cost: `0.${100_000 + index}` }]
    })
  )

describe.each(databases)('what a partner bills on %s', (kind) => {
  let clock: MovedClock
  let vapi: CallsStandIn
  let world: World
  let test: TestService
  let service: Service
  const partners = new Map<string, string>()
  /** Of each statement whose end came: how it stood a minute before the grace was over, and then. */
  const closings: string[] = []

  beforeAll(async () => {
    clock = moveClock(BEGAN_AT)
    world = {
      ...{ seed: 1, clock: clock.now, calls: { a: calls, b: [] } },
      agents: { a: [{ id: AGENT, name: 'Front desk', createdAt: new Date(BEGAN_AT).toISOString() }], b: [] }
    }
    vapi = await startVapi(world)
    test = await openTestService(kind, { PROVIDER_A_URL: vapi.url })
    service = test.service
    for (const { zone } of ZONES) partners.set(zone, await makeMappedPartner(zone))
    service.usageSync.start()
    const ends = ZONES.flatMap(({ months }) => months)
    const reads = DAYS.flatMap((day) => [day, day + 2 * DAY])
    const graces = ends.flatMap((at) => [at + GRACE - MINUTE, at + GRACE])
    for (const at of [...new Set([...reads, ...graces])].toSorted((a, b) => a - b)) {
      clock.set(at)
      await sweepAll(service)
      for (const end of new Set(ends))
        if (at === end + GRACE || at === end + GRACE - MINUTE) closings.push(...(await statesOf(end)))
      if (!reads.includes(at)) continue
      service.usageSync.wake()
      await service.usageSync.drain()
    }
  })
  afterAll(async () => {
    clock.restore()
    await service.usageSync.stop()
    await test.close()
    await vapi.close()
  })

  async function makeMappedPartner(timeZone: string): Promise<string> {
    const { partnerId } = await makePartner(service)
    const { id: customerId } = await makeCustomerRow(service, partnerId)
    await run(service, partnerId, 'provider_key_set', { provider: 'a', key: PROVIDER_KEY })
    await run(service, partnerId, 'billing_settings_set', { timeZone })
    await run(service, partnerId, 'voice_a_agent_map_customer', {
      ...{ agentId: AGENT, customerId, profitMultiplier: 1 }
    })
    return partnerId
  }

  async function statesOf(end: number): Promise<string[]> {
    const statements = service.database.read.selectFrom('statement')
    const rows = await statements.where('endsAt', '=', new Date(end).toISOString()).select('status').execute()
    return rows.map(({ status }) => status)
  }

  describe.each(ZONES)('in $zone', ({ zone, months, halfHours }) => {
    const partnerIdOf = () => partners.get(zone) ?? ''
    const counted = async () => {
      const { customerId } = await service.database.read
        .selectFrom('voiceAgent')
        .where('partnerId', '=', partnerIdOf())
        .select('customerId')
        .executeTakeFirstOrThrow()
      const mapping = { provider: 'a', agentId: AGENT, from: BEGAN_AT, customerId, multiplier: '1' } as const
      return countCalls(world, { mappings: [mapping] })
    }

    it('is what an independent count has, by day and in all', async () => {
      expect(await differences(service, partnerIdOf(), await counted(), zone)).toEqual([])
    })

    it('stands on the statement of its month, to the millisecond', async () => {
      const all = await counted()
      const rows = await service.database.read
        .selectFrom('statement')
        .where('partnerId', '=', partnerIdOf())
        .select(['startsAt', 'endsAt', 'totalMicros', 'entryCount'])
        .orderBy('startsAt')
        .execute()
      const found = rows.map(({ startsAt, endsAt, totalMicros, entryCount }) => {
        const own = all.filter(
          (call) => call.endedAt >= Date.parse(startsAt) && call.endedAt < Date.parse(endsAt)
        )
        const sum = own.reduce((total, { chargeMicros }) => total + (chargeMicros ?? 0n), 0n)
        expect([BigInt(totalMicros), entryCount]).toEqual([sum, own.length])
        return Date.parse(startsAt)
      })
      expect(found.filter((at) => months.includes(at))).toEqual(months)
      // And February, and September, whose beginnings have no calls.
      expect(found).toHaveLength(months.length + 2)
    })

    it('counts days of 23 to 25 hours', async () => {
      const days = service.database.read.selectFrom('callDay').where('partnerId', '=', partnerIdOf())
      const rows = await days.where('day', 'in', Object.keys(halfHours)).select(['day', 'calls']).execute()
      const extra = (day: string) =>
        [...ENDS].filter(
          (at) =>
            at % (30 * MINUTE) !== 7 * MINUTE &&
            new Date(at).toLocaleDateString('sv-SE', { timeZone: zone }) === day
        ).length
      expect(new Map(rows.map(({ day, calls: count }) => [day, count - extra(day)]))).toEqual(
        new Map(Object.entries(halfHours))
      )
    })
  })

  it('closes three days after the month, and not a minute before', () => {
    expect(closings.length).toBeGreaterThan(2 * ZONES.length)
    expect(closings).toEqual(closings.map((_, index) => (index % 2 === 0 ? 'draft' : 'closed')))
  })
})
