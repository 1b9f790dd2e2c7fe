// Several at once: each charged and kept once by itself, and told of each what became of it.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_TOLD_AT_ONCE } from '../../schemas/mind.ts'
import { type MemoryFixture, makeMemoryFixture } from '../mcp/memory-fixture.ts'
import { callTool, FACES, type Outcome } from '../mcp/tool-faces.ts'
import { databases } from '../support/databases.ts'
import { at, unique } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

describe.each(databases)('remembering several on %s', (kind) => {
  let server: TestServer
  let fixture: MemoryFixture
  beforeAll(async () => {
    server = await startTestServer(kind, { MEMORY_RATE_LIMIT: '30' })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    fixture = await makeMemoryFixture(server.service)
  })

  const keep = (
    input: Record<string, unknown>,
    more: { face?: (typeof FACES)[number]; idempotencyKey?: string } = {}
  ) =>
    callTool(more.face ?? 'MCP 2025-11-25', {
      url: server.url,
      gateway: 'customer',
      key: fixture.token,
      tool: 'internal_memory_remember_many',
      input,
      ...(more.idempotencyKey ? { idempotencyKey: more.idempotencyKey } : {})
    })
  const recalled = async () => {
    const { output } = await callTool('plain HTTP', {
      url: server.url,
      gateway: 'customer',
      key: fixture.token,
      tool: 'internal_memory_recall',
      input: {}
    })
    const messages = at(output, 'messages')
    return Array.isArray(messages) ? messages.map((message: unknown) => at(message, 'content')) : []
  }
  const errors = ({ output }: Outcome) => {
    const memories = at(output, 'memories')
    return Array.isArray(memories) ? memories.map((memory: unknown) => at(memory, 'error')) : []
  }
  const setBalance = (credits: number) =>
    server.service.database.transaction((tx) =>
      tx
        .updateTable('creditAccount')
        .set({ balanceMicros: credits * 1_000_000 })
        .where('partnerId', '=', fixture.partner.partnerId)
        .where('customerId', 'is', null)
        .execute()
    )
  const texts = (count: number) => Array.from({ length: count }, (_, i) => unique(`Note ${i}: `))

  it.each(FACES)('keeps ten by one call over %s, in their order', async (face) => {
    const contents = texts(10)
    const { output } = await keep({ contents, occurredAt: '2026-01-31' }, { face })
    expect(output).toMatchObject({ kept: 10, credits: 10, message: 'All 10 are kept.' })
    expect(await recalled()).toEqual(contents.toReversed())
  })

  it('charges what is there already nothing, within the call as well', async () => {
    const [first = '', second = ''] = texts(2)
    await keep({ contents: [first] })
    const { output } = await keep({ contents: [first, second, second] })
    expect(output).toMatchObject({ kept: 3, credits: 1 })
    expect(at(output, 'memories', 0)).toMatchObject({ duplicate: true, credits: 0, error: null })
    expect(at(output, 'memories', 2, 'memoryId')).toBe(at(output, 'memories', 1, 'memoryId'))
    expect(await recalled()).toEqual([second, first])
  })

  it('keeps what credits are there for and says what to send again', async () => {
    await setBalance(3)
    const contents = texts(5)
    const answer = await keep({ contents })
    expect(answer.output).toMatchObject({ kept: 3, credits: 3 })
    expect(errors(answer)).toEqual([null, null, null, 'insufficient_credits', 'insufficient_credits'])
    expect(at(answer.output, 'message')).toMatch(/^3 of 5 are kept; send the other 2 again\. .*credits/)
    expect(await recalled()).toEqual(contents.slice(0, 3).toReversed())
    const none = await keep({ contents: contents.slice(3) })
    expect([none.status, none.code]).toEqual([402, 'insufficient_credits'])
    await setBalance(9)
    expect((await keep({ contents })).output).toMatchObject({ kept: 5, credits: 2 })
  })

  it('counts each against the customer’s limit, and stops there', async () => {
    await keep({ contents: texts(20) })
    const answer = await keep({ contents: texts(20) })
    expect(errors(answer).filter(Boolean)).not.toHaveLength(0)
    expect(new Set(errors(answer).filter(Boolean))).toEqual(new Set(['memory_rate_limited']))
    // Where several processes count, each knows of the others' a moment later.
    await vi.waitFor(async () =>
      expect((await keep({ contents: texts(1) })).code).toBe('memory_rate_limited')
    )
  })

  it.each([
    ['none', { contents: [] }, 'contents'],
    ['too many', { contents: Array.from({ length: MAX_TOLD_AT_ONCE + 1 }, () => 'x') }, 'contents'],
    ['an empty one', { contents: ['x', ' '] }, 'contents.1'],
    ['one that is too long', { contents: ['x', 'y'.repeat(32_769)] }, 'contents.1'],
    ['what is to come', { contents: ['x'], occurredAt: '2999-01-01' }, 'occurredAt']
  ])('refuses %s before anything is kept', async (_case, input, field) => {
    expect(await keep(input)).toMatchObject({ status: 400, code: 'invalid_input', field })
    expect(await recalled()).toEqual([])
  })

  it('answers a repeated key as the first time, and charges nothing', async () => {
    const contents = texts(2)
    const idempotencyKey = unique('key-')
    const first = await keep({ contents }, { idempotencyKey })
    const again = await keep({ contents }, { idempotencyKey })
    expect([again.isReplay, again.output]).toEqual([true, first.output])
  })

  it('keeps nothing in another one’s Mind', async () => {
    const sibling = await makeMemoryFixture(server.service, fixture.partner)
    const stranger = await makeMemoryFixture(server.service)
    for (const { mindId } of [sibling, stranger])
      expect((await keep({ contents: texts(2), mindId })).code).toBe('mind_not_found')
    const body = { contents: texts(2) }
    const path = `/customers/${stranger.customerId}/memories`
    expect((await server.api('POST', path, { key: fixture.partner.key, body })).status).toBe(404)
    const own = await server.api('POST', `/customers/${sibling.customerId}/memories`, {
      key: fixture.partner.key,
      body
    })
    expect([own.status, at(own.body, 'kept') ?? at(own.body, 'data', 'kept')]).toEqual([200, 2])
  })
})
