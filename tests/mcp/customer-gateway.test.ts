// The customer gateway: whose token opens it, and that it opens nothing but that customer's own memory.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { revokeCustomerToken } from '../../src/keys/credentials.ts'
import { updatePartner } from '../../src/partners/store.ts'
import { at, stringAt, unique } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { clientHeaders } from './gateway-server.ts'
import { type MemoryFixture, makeMemoryFixture, mintToken } from './memory-fixture.ts'
import { request } from './messages.ts'
import { callTool, FACES } from './tool-faces.ts'

describe('the customer gateway', () => {
  let server: TestServer
  let fixture: MemoryFixture
  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    fixture = await makeMemoryFixture(server.service)
  })

  const post = async (method: string, token = fixture.token) => {
    const response = await fetch(`${server.url}/api/mcp`, {
      method: 'POST',
      headers: clientHeaders(token),
      body: JSON.stringify(request(method))
    })
    const json: unknown = await response.json()
    return json
  }
  const lastUse = async (tokenId: string) =>
    (
      await server.service.database.read
        .selectFrom('customerToken')
        .where('id', '=', tokenId)
        .select('lastUsedAt')
        .executeTakeFirstOrThrow()
    ).lastUsedAt

  it('introduces itself in terms of the customer’s own agent', async () => {
    const hello = await fetch(`${server.url}/api/mcp`, {
      method: 'POST',
      headers: clientHeaders(fixture.token),
      body: JSON.stringify(
        request('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' }
        })
      )
    })
    const answer: unknown = await hello.json()
    expect(at(answer, 'result', 'serverInfo', 'name')).toBe('mindgate-memory')
    const instructions = stringAt(answer, 'result', 'instructions')
    expect(instructions).toMatch(/not instructions/)
    expect(instructions).not.toMatch(/customer|partner/i)
    const tools = JSON.stringify(at(await post('tools/list'), 'result', 'tools'))
    expect(tools).not.toMatch(/customer|partner/i)
  })

  describe.each(FACES)('over %s', (face) => {
    const use = (
      tool: string,
      input: Record<string, unknown>,
      more: { key?: string | undefined; idempotencyKey?: string } = {}
    ) => callTool(face, { url: server.url, gateway: 'customer', key: fixture.token, tool, input, ...more })

    it('remembers for the token’s customer', async () => {
      const content = `Note ${unique('x')}.`
      const { output } = await use('internal_memory_remember', { content })
      const owner = await server.service.database.read
        .selectFrom('memory')
        .innerJoin('mind', 'mind.key', 'memory.mindKey')
        .where('memory.id', '=', stringAt(output, 'memoryId'))
        .select(['mind.customerId', 'memory.content'])
        .execute()
      expect(owner).toEqual([{ customerId: fixture.customerId, content }])
    })

    it('takes no customerId: it is refused as unknown, and nothing is kept', async () => {
      const other = await makeMemoryFixture(server.service, fixture.partner)
      const content = `Note ${unique('x')}.`
      for (const customerId of [other.customerId, fixture.customerId, null, '']) {
        const refused = await use('internal_memory_remember', { content, customerId })
        expect(refused).toMatchObject({ status: 400, code: 'invalid_input', field: 'customerId' })
      }
      const recalled = await use('internal_memory_recall', {})
      expect(recalled.text).not.toContain(content)
    })

    it('shares the customer’s Minds with its partner', async () => {
      const content = `Note ${unique('x')}.`
      await use('internal_memory_remember', { content, mindId: fixture.mindId })
      const recalled = await callTool(face, {
        url: server.url,
        gateway: 'partner',
        key: fixture.partner.key,
        tool: 'memory_recall',
        input: { customerId: fixture.code, mindId: fixture.mindId }
      })
      expect(at(recalled.output, 'messages', 0, 'content')).toBe(content)
    })

    it('is closed to revoked and expired tokens, and to none at all, with 401', async () => {
      const revoked = await mintToken(server.service, fixture)
      await server.service.database.transaction((tx) =>
        revokeCustomerToken(tx, fixture.partner.partnerId, fixture.customerId, revoked.tokenId)
      )
      const expired = await mintToken(server.service, fixture, { expiresAt: fromNow(-1) })
      for (const key of [undefined, revoked.token, expired.token, `${fixture.token}x`]) {
        const refused = await use('internal_memory_recall', {}, { key })
        expect(refused).toMatchObject({ httpStatus: 401, code: 'unauthorized' })
        expect(refused.challenge).toMatch(/^Bearer realm="mindgate"/)
      }
    })

    it('is closed to partners’ keys with 401, in either header', async () => {
      expect((await use('internal_memory_recall', {}, { key: fixture.partner.key })).httpStatus).toBe(401)
      const response = await fetch(`${server.url}/api/mcp/tools/internal_memory_recall`, {
        method: 'POST',
        headers: { 'X-API-Key': fixture.token }
      })
      expect(response.status).toBe(401)
    })

    it('is closed with 403 while the partner is inactive', async () => {
      await server.service.database.transaction((tx) =>
        updatePartner(tx, fixture.partner.partnerId, { isActive: false })
      )
      expect(await use('internal_memory_recall', {})).toMatchObject({
        httpStatus: 403,
        code: 'partner_inactive'
      })
    })

    it('refuses a token without the tool’s scope with 403 and says so', async () => {
      const { token: key } = await mintToken(server.service, fixture, { scopes: ['memory:read'] })
      const refused = await use('internal_memory_remember', { content: 'x' }, { key })
      expect(refused).toMatchObject({ status: 403, code: 'missing_scope' })
      expect(refused.text).toContain('This token lacks the scope memory:write')
      expect((await use('internal_memory_recall', {}, { key })).status).toBe(200)
    })

    it('keeps the Idempotency-Keys of a partner’s customers apart', async () => {
      const neighbour = await makeMemoryFixture(server.service, fixture.partner)
      const idempotencyKey = unique('key-')
      const remember = (key: string, content: string) =>
        use('internal_memory_remember', { content }, { key, idempotencyKey })
      const mine = await remember(fixture.token, 'Mine.')
      const theirs = await remember(neighbour.token, 'Theirs.')
      expect([mine.status, theirs.status, theirs.isReplay]).toEqual([200, 200, false])
      const again = await remember(fixture.token, 'Mine.')
      expect([again.isReplay, again.output]).toEqual([true, mine.output])
      expect((await remember(fixture.token, 'Other.')).code).toBe('idempotency_conflict')
      const byPartner = await callTool(face, {
        url: server.url,
        gateway: 'partner',
        key: fixture.partner.key,
        tool: 'memory_remember',
        input: { customerId: fixture.customerId, content: 'By the partner.' },
        idempotencyKey
      })
      expect([byPartner.status, byPartner.isReplay]).toEqual([200, false])
    })

    it('finds a memory and forgets it, and no other customer’s', async () => {
      const content = unique('Only once: ')
      await use('internal_memory_remember', { content })
      const found = await use('internal_memory_search', { query: content })
      const memoryId = stringAt(found.output, 'memories', 0, 'id')
      const sibling = await makeMemoryFixture(server.service, fixture.partner)
      const stranger = await makeMemoryFixture(server.service)
      for (const { token } of [sibling, stranger]) {
        const crossed = await use('internal_memory_forget', { memoryId }, { key: token })
        expect([crossed.status, crossed.code]).toEqual([404, 'memory_not_found'])
      }
      for (const theirs of [sibling.memoryId, stranger.memoryId])
        expect((await use('internal_memory_forget', { memoryId: theirs })).code).toBe('memory_not_found')
      expect((await use('internal_memory_search', { query: content })).text).toContain(memoryId)
      expect((await use('internal_memory_forget', { memoryId })).status).toBe(200)
      expect((await use('internal_memory_search', { query: content })).text).not.toContain(memoryId)
      expect((await use('internal_memory_forget', { memoryId })).code).toBe('memory_not_found')
    })

    it('has no other tools than its own', async () => {
      for (const tool of ['memory_recall', 'customer_list', 'memory_forget', 'internal_memory_forget_mind']) {
        const refused = await use(tool, { customerId: fixture.customerId })
        expect(refused.output).toBeUndefined()
        if (face === 'plain HTTP') expect([refused.status, refused.code]).toEqual([404, 'not_found'])
        else expect(refused.text).toContain('-32602')
      }
    })
  })

  it('is the only channel that a token opens', async () => {
    const headers = { Authorization: `Bearer ${fixture.token}`, 'Content-Type': 'application/json' }
    const channels = [
      fetch(`${server.url}/api/v1/mcp/customers`, { headers }),
      fetch(`${server.url}/api/v1/mcp/customers`, { headers: { 'X-API-Key': fixture.token } }),
      fetch(`${server.url}/api/v1/mcp/customers/${fixture.customerId}`, { headers }),
      fetch(`${server.url}/api/partner-mcp`, {
        method: 'POST',
        headers,
        body: JSON.stringify(request('tools/list'))
      }),
      fetch(`${server.url}/api/partner-mcp/tools/memory_recall`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ customerId: fixture.customerId })
      })
    ]
    for (const { status } of await Promise.all(channels)) expect(status).toBe(401)
  })

  it('notes when a token was used, at most once a minute', async () => {
    expect(await lastUse(fixture.tokenId)).toBeNull()
    await post('tools/list')
    await vi.waitFor(async () => expect(await lastUse(fixture.tokenId)).not.toBeNull())
    const setLastUse = (tokenId: string, lastUsedAt: string) =>
      server.service.database.transaction((tx) =>
        tx.updateTable('customerToken').set({ lastUsedAt }).where('id', '=', tokenId).execute()
      )
    const recent = fromNow(-30_000)
    await setLastUse(fixture.tokenId, recent)
    await post('tools/list')
    const old = await mintToken(server.service, fixture)
    const before = fromNow(-61_000)
    await setLastUse(old.tokenId, before)
    await post('tools/list', old.token)
    // Of another process it is known within ten seconds.
    await server.service.uses.flush()
    await expect.poll(() => lastUse(old.tokenId)).not.toBe(before)
    expect(await lastUse(fixture.tokenId)).toBe(recent)
  })

  it('closes with the customer’s record', async () => {
    const { partnerId } = fixture.partner
    const { id } = await makeCustomerRow(server.service, partnerId, { enableAiMemory: 1 })
    const { token } = await mintToken(server.service, { ...fixture, customerId: id })
    expect(at(await post('tools/list', token), 'error')).toBeUndefined()
    await server.service.database.transaction((tx) =>
      tx.deleteFrom('customer').where('id', '=', id).execute()
    )
    expect(at(await post('tools/list', token), 'error', 'data', 'code')).toBe('unauthorized')
  })

  it('never logs a token', async () => {
    await post('tools/list')
    await post('tools/list', `${fixture.token}x`)
    expect(server.logs.join('')).not.toContain(fixture.token.slice(12))
  })
})
