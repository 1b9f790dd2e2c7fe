// Agent access in the portal: tokens that really open the gateway, and a test that really connects.
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePartner, run } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type Browser, makePortalCustomer, textOf } from './customer-visitors.ts'

const TOKEN = /mct_[0-9A-Za-z]{49}/

describe('a customer’s agents page', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  const make = (changes: Record<string, unknown> = {}) => makePortalCustomer(server, server.partner, changes)
  const mint = async (owner: Browser, fields: Record<string, string> = {}, may = ['read', 'write']) => {
    const scopes = may.map((act): [string, string] => ['scopes', `memory:${act}`])
    const filled = [...Object.entries({ name: 'assistant', ...fields }), ...scopes]
    const { status, html } = await owner.post('/agents/mint', filled)
    return { status, html, token: html.match(TOKEN)?.[0] ?? '' }
  }
  const recallWith = async (token: string) => {
    const answer = await fetch(`${server.url}/api/mcp/tools/internal_memory_recall`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}'
    })
    return answer.status
  }
  const tokensOf = async (customerId: string) => {
    const { data } = await run(server.service, server.partner.partnerId, 'customer_token_list', {
      customerId
    })
    return data
  }

  it('makes a token that opens the gateway, and shows it once', async () => {
    const { owner, customerId } = await make()
    const { status, token, html } = await mint(owner, { expiry: '30' })
    expect(status).toBe(200)
    expect(await recallWith(token)).toBe(200)
    expect(await tokensOf(customerId)).toMatchObject([
      {
        name: 'assistant',
        scopes: ['memory:read', 'memory:write'],
        expiresAt: expect.stringMatching(/T23:59:59/)
      }
    ])
    const list = await owner.get('/agents')
    expect(list.html).not.toMatch(TOKEN)
    expect(textOf(list.html)).toContain(`assistant ${token.slice(0, 12)}… Read and write`)
    for (const client of ['Claude Code', 'Cursor', 'VS Code', 'n8n', 'MCP Inspector', 'curl']) {
      expect(textOf(html)).toContain(client)
    }
    expect(html).toContain(
      `claude mcp add --transport http memory ${server.url}/api/mcp --header &quot;Authorization: Bearer ${token}&quot;`
    )
  })

  it('makes one token when the same form is sent twice, and shows it the first time', async () => {
    const { owner, customerId } = await make()
    const fields = { expiry: '30', idempotencyKey: 'mint-1' }
    expect((await mint(owner, fields)).token).toMatch(TOKEN)
    const second = await mint(owner, fields)
    expect(second.token).toBe('')
    expect(textOf(second.html)).toContain('This token was shown before')
    expect(await tokensOf(customerId)).toHaveLength(1)
  })

  it('makes a token that may only read', async () => {
    const { owner } = await make()
    const { token } = await mint(owner, {}, ['read'])
    const answer = await fetch(`${server.url}/api/mcp/tools/internal_memory_remember`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Ada: tea' })
    })
    expect(answer.status).toBe(403)
    expect(textOf((await owner.get('/agents')).html)).toContain('Read only')
  })

  it('revokes a token at once', async () => {
    const { owner, customerId } = await make()
    const { token } = await mint(owner)
    const [{ tokenId }] = (await tokensOf(customerId)) as [{ tokenId: string }]
    const { html } = await owner.submit(`/agents/tokens/${tokenId}/revoke`)
    expect(textOf(html)).toContain('The token was revoked.')
    expect(textOf(html)).toContain('No agent is connected yet')
    expect(await recallWith(token)).toBe(401)
    expect((await owner.post(`/agents/tokens/${tokenId}/revoke`)).status).toBe(404)
  })

  it('says what is wrong with a token’s name and end', async () => {
    const { owner } = await make()
    const nameless = await mint(owner, { name: ' ' })
    expect(nameless.status).toBe(400)
    expect(textOf(nameless.html)).toContain('The name is required')
    for (const expiry of ['tomorrow', 'constructor']) {
      const endless = await mint(owner, { expiry })
      expect(endless.status).toBe(400)
      expect(textOf(endless.html)).toContain('The end is not a valid ISO 8601 timestamp')
    }
  })

  it('leaves minting to the partner where the customer may not, whatever form is sent', async () => {
    const { owner, customerId } = await make({ enableApiAccess: false })
    const page = textOf((await owner.get('/agents')).html)
    expect(page).toMatch(/Ask .* for a token\./)
    expect(page).not.toContain('Make a token')
    const { status, token } = await mint(owner)
    expect([status, token]).toEqual([403, ''])
    expect(await tokensOf(customerId)).toEqual([])
  })

  describe('the connection test', () => {
    it('connects as an agent does and says what it found', async () => {
      const { owner } = await make()
      const { token } = await mint(owner)
      const { status, html } = await owner.post('/agents/test', { token })
      expect(status).toBe(200)
      const text = textOf(html)
      expect(text).toMatch(/The connection works Answered in \d+ ms/)
      expect(text).toMatch(
        /internal_memory_remember.*internal_memory_recall.*internal_memory_ask.*Recall works/
      )
    })

    it('counts as a use of the token', async () => {
      const { owner, customerId } = await make()
      const { token } = await mint(owner)
      await owner.post('/agents/test', { token })
      await expect
        .poll(async () => tokensOf(customerId))
        .toMatchObject([{ lastUsedAt: expect.stringMatching(/^\d{4}-/) }])
    })

    it('says when the memory is switched off', async () => {
      const { owner, customerId } = await make()
      const { token } = await mint(owner)
      await run(server.service, server.partner.partnerId, 'customer_update', {
        customerId,
        enableAiMemory: false
      })
      const text = textOf((await owner.post('/agents/test', { token })).html)
      expect(text).toMatch(/The connection works .* Recall refused 403 memory_not_enabled/)
    })

    it('says one thing of every token that isn’t the customer’s own', async () => {
      const { owner } = await make()
      const { owner: neighbour } = await make()
      const { owner: stranger } = await makePortalCustomer(server, await makePartner(server.service))
      const { token: own, html } = await mint(owner)
      expect(html).toContain(own)
      const refusalOf = async (token: string) => {
        const { status, html: refused } = await owner.post('/agents/test', { token })
        expect(refused).not.toContain('internal_memory')
        return [status, textOf(refused)]
      }
      const garbage = await refusalOf('mct_nothing')
      expect(garbage[0]).toBe(400)
      expect(garbage[1]).toContain('This token doesn’t open your memory')
      expect(await refusalOf((await mint(neighbour)).token)).toEqual(garbage)
      expect(await refusalOf((await mint(stranger)).token)).toEqual(garbage)
      expect(await refusalOf('')).toEqual(garbage)
      expect(await refusalOf(server.partner.key)).toEqual(garbage)
    })

    it('goes to the service itself, whatever host a request names', async () => {
      const { owner } = await make()
      const { token } = await mint(owner)
      let isReached = false
      const elsewhere = createServer((_, answer) => {
        isReached = true
        answer.end('{}')
      })
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
      const bound = elsewhere.address()
      const port = typeof bound === 'object' ? bound?.port : undefined
      const { base } = owner.identity
      const { status, html } = await owner.sendTo(`127.0.0.1:${port}`, `${base}/agents/test`, { token })
      elsewhere.close()
      expect([status, isReached]).toEqual([200, false])
      expect(textOf(html)).toContain('The connection works')
    })

    it('works on the partner’s own host, whose address is shown there', async () => {
      const partner = await makePartner(server.service)
      const { owner } = await makePortalCustomer(server, partner)
      const { token } = await mint(owner)
      const host = `${partner.slug}.portals.example`
      await server.service.database.transaction((tx) =>
        tx
          .updateTable('partner')
          .set({ portalOrigin: `https://${host}` })
          .where('id', '=', partner.partnerId)
          .execute()
      )
      const { html } = await owner.sendTo(host, `${server.url}/agents`)
      expect(html).toContain(`https://${host}/api/mcp`)
      const tested = await owner.sendTo(host, `${server.url}/agents/test`, { token })
      expect(textOf(tested.html)).toMatch(/The connection works/)
      expect(tested.html).toContain(`https://${host}/api/mcp`)
    })
  })
})
