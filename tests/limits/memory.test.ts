// How often a customer's memory may be written to and asked, over everything that can.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type MemoryFixture, makeMemoryFixture, mintToken } from '../mcp/memory-fixture.ts'
import { callTool, FACES, type Face, type Outcome } from '../mcp/tool-faces.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { at, unique } from '../support/fixture.ts'
import { openLimited, startLimited } from './limited-server.ts'

/** Making a fixture remembers once. */
const SPENT = 1

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
const openOn = async (kind: DatabaseKind, limit: number) => {
  const env = { MEMORY_RATE_LIMIT: String(limit + SPENT) }
  const server = await openLimited(kind, { quota: 0, env })
  cleanups.push(() => server.close())
  return { ...server, fixture: await makeMemoryFixture(server.service) }
}
const remember = (
  url: string,
  { token }: MemoryFixture,
  face: Face = 'plain HTTP',
  key = token,
  content = unique('Note ')
) =>
  callTool(face, {
    url,
    gateway: 'customer',
    key,
    tool: 'internal_memory_remember',
    input: { content }
  })
const rememberLong = (url: string, fixture: MemoryFixture, length: number) =>
  remember(url, fixture, 'plain HTTP', fixture.token, unique('Note ').padEnd(length, ' and so on'))
const ask = (url: string, { partner, customerId }: MemoryFixture) =>
  callTool('plain HTTP', {
    url,
    gateway: 'partner',
    key: partner.key,
    tool: 'memory_ask',
    input: { customerId, question: 'Who keeps the launch code?' }
  })
const statuses = (outcomes: readonly Outcome[]) => outcomes.map(({ status }) => status)

describe.each(databases)('a customer’s memory on %s', (kind) => {
  it('has one budget over both gateways, every token of the customer and its partner’s keys', async () => {
    const { url, fixture, service } = await openOn(kind, 4)
    const second = await mintToken(service, fixture)
    const seen = [
      await remember(url, fixture),
      await remember(url, fixture, 'MCP 2025-11-25', second.token),
      await ask(url, fixture),
      await remember(url, fixture, 'MCP 2026-07-28'),
      await ask(url, fixture),
      await remember(url, fixture, 'plain HTTP', second.token)
    ]
    expect(statuses(seen)).toEqual([200, 200, 200, 200, 429, 429])
  })

  it('is spent by long texts as by several calls', async () => {
    const { url, fixture } = await openOn(kind, 10)
    const seen = [
      await rememberLong(url, fixture, 4_000),
      await rememberLong(url, fixture, 4_001),
      await rememberLong(url, fixture, 24_001),
      await remember(url, fixture)
    ]
    // Of one, two and seven.
    expect(statuses(seen)).toEqual([200, 200, 200, 429])
  })

  it('admits no more when all calls come at once', async () => {
    const { url, fixture } = await openOn(kind, 10)
    const seen = await Promise.all(Array.from({ length: 25 }, () => remember(url, fixture)))
    expect(statuses(seen).filter((status) => status === 200)).toHaveLength(10)
    expect(statuses(seen).filter((status) => status === 429)).toHaveLength(15)
  })
})

describe('a customer’s memory', () => {
  it.each(FACES)('says over %s when it may be called again, and nothing is done or charged', async (face) => {
    const { url, fixture, service } = await openOn('sqlite', 0)
    const countOf = async (table: 'memory' | 'creditEntry') => {
      const rows = await service.database.read
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .execute()
      return rows[0]?.n
    }
    const before = [await countOf('memory'), await countOf('creditEntry')]
    const refused = await remember(url, fixture, face)
    const seconds = Number(refused.retryAfter)
    expect(refused).toMatchObject({
      status: 429,
      httpStatus: face === 'plain HTTP' ? 429 : 200,
      code: 'memory_rate_limited'
    })
    expect(seconds).toSatisfy((value: number) => value > 50 && value <= 60)
    expect(refused.text).toContain(`Try again in ${seconds} seconds.`)
    if (face !== 'plain HTTP') expect(refused.text).toContain('429 memory_rate_limited: ')
    expect([await countOf('memory'), await countOf('creditEntry')]).toEqual(before)
  })

  it('may be called again once Retry-After has passed', async () => {
    const { url, fixture } = await openOn('sqlite', 1)
    vi.useFakeTimers({ toFake: ['Date'] })
    expect(statuses([await remember(url, fixture)])).toEqual([200])
    const limited = await remember(url, fixture)
    expect(limited.status).toBe(429)
    vi.advanceTimersByTime(Number(limited.retryAfter) * 1_000)
    expect((await remember(url, fixture)).status).toBe(200)
  })

  it('has room for the longest text, however few its calls', async () => {
    const { url, fixture } = await openOn('sqlite', 1)
    vi.useFakeTimers({ toFake: ['Date'] })
    const refused = await rememberLong(url, fixture, 32_768)
    expect(refused.status).toBe(429)
    vi.advanceTimersByTime(Number(refused.retryAfter) * 1_000)
    expect((await rememberLong(url, fixture, 32_768)).status).toBe(200)
  })

  it('is another customer’s no business', async () => {
    const { url, fixture, service } = await openOn('sqlite', 1)
    const neighbour = await makeMemoryFixture(service, fixture.partner)
    expect(statuses([await remember(url, fixture), await remember(url, fixture)])).toEqual([200, 429])
    expect(statuses([await remember(url, neighbour), await remember(url, neighbour)])).toEqual([200, 429])
  })

  it('may be recalled and listed without end', async () => {
    const { url, fixture } = await openOn('sqlite', 0)
    expect((await remember(url, fixture)).status).toBe(429)
    const partner = { url, gateway: 'partner', key: fixture.partner.key } as const
    for (const tool of ['memory_recall', 'memory_list_minds']) {
      const input = { customerId: fixture.customerId }
      expect((await callTool('plain HTTP', { ...partner, tool, input })).status).toBe(200)
    }
  })

  it('is not limited where MEMORY_RATE_LIMIT is 0', async () => {
    const { url, fixture } = await openOn('sqlite', -SPENT)
    const seen = await Promise.all(Array.from({ length: 30 }, () => remember(url, fixture)))
    expect(new Set(statuses(seen))).toEqual(new Set([200]))
  })

  it('is refused in the log with its code', async () => {
    const { url, fixture, logs } = await openOn('sqlite', 0)
    await remember(url, fixture)
    await vi.waitFor(() => {
      const lines = logs
        .map((line) => JSON.parse(line))
        .filter((line) => at(line, 'code') === 'memory_rate_limited')
      expect(lines).toMatchObject([{ operation: 'memory_remember', keyId: fixture.tokenId }])
    })
  })
})

describe('processes on one PostgreSQL', () => {
  it('share each customer’s budget', async () => {
    const { url, fixture, place } = await openOn('postgres', 6)
    const beside = await startLimited(place, { quota: 0, env: { MEMORY_RATE_LIMIT: '7' } })
    cleanups.push(() => beside.stop())
    const seen = await Promise.all(
      [url, beside.url].flatMap((base) => Array.from({ length: 8 }, () => remember(base, fixture)))
    )
    expect(statuses(seen).filter((status) => status === 200)).toHaveLength(6)
    expect(statuses(seen).filter((status) => status === 429)).toHaveLength(10)
  })
})
