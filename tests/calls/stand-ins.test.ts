// The stand-ins keep to what the providers document, bad manners included: else they would prove nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at } from '../support/fixture.ts'
import { PROVIDER_KEY } from '../voice-agents/stand-in.ts'
import { countCalls, sumsBy } from './independent-count.ts'
import { startRetell } from './providers/retell.ts'
import type { CallsStandIn } from './providers/server.ts'
import { startVapi } from './providers/vapi.ts'
import { retellEvent, vapiReport } from './providers/webhooks.ts'
import { DAY, HOUR, makeWorld, type World } from './providers/world.ts'

const NOW = Date.UTC(2026, 4, 20, 12)
let clock = NOW
const world: World = makeWorld({
  ...{ seed: 7, calls: 3_000, from: NOW - 40 * DAY, to: NOW, clock: () => clock }
})
let vapi: CallsStandIn
let retell: CallsStandIn

beforeAll(async () => {
  ;[vapi, retell] = await Promise.all([startVapi(world), startRetell(world)])
})
afterAll(() => Promise.all([vapi.close(), retell.close()]))

const headers = { authorization: `Bearer ${PROVIDER_KEY}`, 'content-type': 'application/json' }
async function getCalls(query: Record<string, string>) {
  const answer = await fetch(`${vapi.url}/call?${new URLSearchParams(query)}`, { headers })
  return { status: answer.status, text: await answer.text() }
}
async function listCalls(body: unknown) {
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${retell.url}/v3/list-calls`, init)
  const page: unknown = await answer.json()
  return { status: answer.status, page }
}
const itemsOf = (text: string): unknown[] => JSON.parse(text)

describe('the stand-in for Vapi', () => {
  it('lists newest first, at most 1,000 at a time, and more than fifty of one instant', async () => {
    const { text } = await getCalls({ limit: '1000', createdAtLe: new Date(NOW - 6 * DAY).toISOString() })
    const times = itemsOf(text).map((item) => String(at(item, 'createdAt')))
    expect(times).toEqual(times.toSorted().toReversed())
    expect(times.some((time, index) => time === times[index + 50])).toBe(true)
    expect(await getCalls({ limit: '1001' })).toMatchObject({ status: 400 })
    expect(await getCalls({ createdBefore: 'noon' })).toMatchObject({ status: 400 })
  })

  it('has pages of fifty that are too large to read', async () => {
    const sizes = world.calls.a.map(({ messageBytes }) => messageBytes)
    const sizeOfPage = (start: number) => sizes.slice(start, start + 50).reduce((sum, size) => sum + size, 0)
    const long = world.calls.a.find(
      ({ messageBytes }, index) => messageBytes > 100_000 && sizeOfPage(index) > 9 * 1024 * 1024
    )
    const createdAtLe = new Date(long?.createdAt ?? 0).toISOString()
    const { text } = await getCalls({ limit: '50', createdAtLe })
    expect(text.length).toBeGreaterThan(8 * 1024 * 1024)
  })

  it('tells a call that goes on without an end, and its cost late and as its own digits', async () => {
    const late = world.calls.a.find(
      ({ versions }) => versions[1]?.cost === null && versions[2]?.cost !== null
    )
    const [running, ended, told] = late?.versions ?? []
    if (!late || !running || !ended || !told) throw new Error('There is no such call')
    const read = async (then: number) => {
      clock = then + HOUR / 10
      const answer = await fetch(`${vapi.url}/call/${late.id}`, { headers })
      clock = NOW
      return answer.text()
    }
    expect(JSON.parse(await read(running.at - HOUR))).toMatchObject({ statusCode: 404 })
    expect(JSON.parse(await read(ended.at - HOUR / 10))).toMatchObject({ status: 'in-progress' })
    expect(await read(ended.at)).not.toContain('"cost"')
    expect(await read(told.at)).toContain(`"cost":${told.cost},`)
  })

  it('forgets what is older than it keeps', async () => {
    const oldest = world.calls.a.at(-1)
    expect((await fetch(`${vapi.url}/call/${oldest?.id}`, { headers })).status).toBe(404)
    expect((await fetch(`${vapi.url}/call/nobody`, { headers })).status).toBe(400)
  })
})

describe('the stand-in for Retell', () => {
  it('lists every call of a range once, page by page', async () => {
    const filter_criteria = { end_timestamp: { type: 'range', op: 'bt', value: [NOW - 30 * DAY, NOW] } }
    const ids: unknown[] = []
    let pagination_key: unknown
    do {
      const { page } = await listCalls({ filter_criteria, limit: 400, pagination_key })
      ids.push(...[at(page, 'items')].flat().map((item) => at(item, 'call_id')))
      pagination_key = at(page, 'pagination_key')
      expect(at(page, 'has_more')).toBe(pagination_key !== undefined)
    } while (pagination_key !== undefined)
    const within = countCalls(world, { mappings: [] }).filter(
      ({ provider, endedAt }) => provider === 'b' && endedAt >= NOW - 30 * DAY
    )
    expect(new Set(ids)).toEqual(new Set(within.map(({ callId }) => callId)))
    expect(ids).toHaveLength(within.length)
  })

  it('refuses what it doesn’t know, and has no v2', async () => {
    expect(await listCalls({ filter_criteria: { end_timestamp: { lower_threshold: 1 } } })).toMatchObject({
      status: 422
    })
    expect(await listCalls({ limit: 1_001 })).toMatchObject({ status: 422 })
    const v2 = await fetch(`${retell.url}/v2/list-calls`, { method: 'POST', headers, body: '{}' })
    expect(v2.status).toBe(404)
  })

  it('lets end and cost of a call grow that goes on without its agent', () => {
    const ends = world.calls.b.map(({ versions }) => new Set(versions.map(({ endedAt }) => endedAt ?? 0)))
    expect(ends.filter(({ size }) => size === 3).length).toBeGreaterThan(50)
  })
})

describe('both stand-ins', () => {
  it('refuse another key', async () => {
    const answer = await fetch(`${vapi.url}/call`, { headers: { authorization: 'Bearer other' } })
    expect(answer.status).toBe(401)
  })

  it.each([
    ['fails', 500],
    ['is-away-for-seconds', 503],
    ['limits', 429]
  ] as const)('%s on demand, once', async (fault, status) => {
    vapi.next(fault)
    expect(await getCalls({ limit: '1' })).toMatchObject({ status })
    expect(await getCalls({ limit: '1' })).toMatchObject({ status: 200 })
  })

  it('break off in the middle, and cut JSON', async () => {
    vapi.next('resets', 'cuts')
    await expect(getCalls({ limit: '5' })).rejects.toThrow()
    const { text } = await getCalls({ limit: '5' })
    expect(() => JSON.parse(text)).toThrow()
  })

  it('say things twice', async () => {
    const ids = (items: unknown[]) => items.map((item) => at(item, 'id') ?? at(item, 'call_id'))
    vapi.next('doubles')
    const twice = ids(itemsOf((await getCalls({ limit: '50' })).text))
    expect(new Set(twice).size).toBeLessThan(twice.length)
    const { page: first } = await listCalls({ limit: 10 })
    retell.next('repeats')
    const { page: second } = await listCalls({ limit: 10, pagination_key: at(first, 'pagination_key') })
    expect(at(second, 'items', 0, 'call_id')).toBe(at(first, 'items', 8, 'call_id'))
  })
})

describe('what is sent when a call has ended', () => {
  const [ofVapi, ofRetell] = [world.calls.a[100], world.calls.b[100]]
  if (!ofVapi || !ofRetell) throw new Error('There are too few calls')
  const digestOf = async (secret: string, text: string) => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const bytes = new TextEncoder().encode(secret)
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
    return Buffer.from(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))).toString('hex')
  }

  it('by Vapi names the call and shows in one of three ways who sends it', async () => {
    const secret = 'hook-secret'
    const { body, headers: signed } = vapiReport(world, ofVapi, { secret, proof: 'hmac', sentAt: NOW })
    expect(at(JSON.parse(body), 'message')).toMatchObject({
      ...{ type: 'end-of-call-report', call: { id: ofVapi.id, status: 'ended' } }
    })
    expect(signed).toMatchObject({ 'x-signature': await digestOf(secret, `${NOW}.${body}`) })
    expect(vapiReport(world, ofVapi, { secret, proof: 'secret' }).headers['x-vapi-secret']).toBe(secret)
    expect(vapiReport(world, ofVapi, { secret, proof: 'bearer' }).headers.authorization).toContain(secret)
  })

  it('by Retell is signed with the account’s key and the time', async () => {
    const event = { key: PROVIDER_KEY, sentAt: NOW }
    const { body, headers: signed } = retellEvent(world, ofRetell, 'call_ended', event)
    expect(JSON.parse(body)).toMatchObject({ event: 'call_ended', call: { call_id: ofRetell.id } })
    expect(signed['x-retell-signature']).toBe(`v=${NOW},d=${await digestOf(PROVIDER_KEY, body + NOW)}`)
  })
})

it('the count rounds each cost to a millionth and each charge half up', () => {
  const endedAt = NOW - DAY
  const told = (cost: string) => ({
    ...{ id: `call ${cost}`, agentId: 'agent', createdAt: endedAt - HOUR, startedAt: endedAt - 90_000 },
    ...{ versions: [{ at: endedAt, endedAt, cost }] as const, messageBytes: 0 }
  })
  const small: World = {
    ...world,
    calls: { a: ['5e-7', '0.0000004', '0.10', '2'].map(told), b: ['0.00005', '12.3456789'].map(told) }
  }
  const mappings = (['a', 'b'] as const).map((provider) => ({
    ...{ provider, agentId: 'agent', from: 0, customerId: 'ada', multiplier: '1.5' }
  }))
  const counted = countCalls(small, { mappings, minutePrices: { a: '0.03' } })
  const own = 45_000n
  expect(counted.map(({ costMicros }) => costMicros)).toEqual([
    ...[1n + own, own, 100_000n + own, 2_000_000n + own, 1n, 123_457n]
  ])
  expect(sumsBy(counted, ({ customerId }) => customerId).get('ada')?.chargeMicros).toBe(
    67_502n + 67_500n + 217_500n + 3_067_500n + 2n + 185_186n
  )
})
