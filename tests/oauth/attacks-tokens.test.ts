// A token opens the gateway that it is for and nothing else, and one that was taken is worth little (RFC 8707, RFC 9700 §4.14).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRACE_MS } from '../../src/connected-apps/records.ts'
import { startSites } from '../portal/sites.ts'
import { databases } from '../support/databases.ts'
import type { TestServer } from '../support/http.ts'
import { type MovedClock, moveClock } from '../support/moved-clock.ts'
import {
  ask,
  callGateway,
  connect,
  makeClient,
  makeOwner,
  type Owner,
  refresh,
  sendForm,
  tokensOf
} from './by-hand.ts'
import { makeStaff } from './people.ts'

describe('a token of an app', () => {
  let server: TestServer
  let url: string
  let owner: Owner
  beforeAll(async () => {
    server = await startSites('sqlite')
    url = server.url
    owner = await makeOwner(server)
  })
  afterAll(() => server.close())

  it.each([
    ['customer', '/api/mcp', '/api/partner-mcp'],
    ['partner', '/api/partner-mcp', '/api/mcp']
  ] as const)('of the %s gateway opens that alone', async (gateway, own, other) => {
    const person = gateway === 'customer' ? owner : await makeStaff(server, server.partner)
    const { accessToken } = await connect(url, person, gateway)
    for (const path of [own, `${own}/readonly`, `${own}/tools`])
      expect([path, await callGateway(url, path, accessToken)]).not.toEqual([path, 401])
    expect(await callGateway(url, own, accessToken)).toBe(200)
    for (const path of [other, `${other}/readonly`])
      expect([path, await callGateway(url, path, accessToken)]).toEqual([path, 401])
  })

  it.each(['customer', 'partner'] as const)('of the %s gateway opens no other API', async (gateway) => {
    const person = gateway === 'customer' ? owner : await makeStaff(server, server.partner)
    const { accessToken: token } = await connect(url, person, gateway)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (const header of [{ authorization: `Bearer ${token}` }, { 'x-api-key': token }]) {
      const rest = await ask(`${url}/api/v1/mcp/customers`, { headers: header })
      expect(rest.status).toBe(401)
    }
    const chat = { model: 'x', messages: [{ role: 'user', content: 'Hello' }] }
    const answered = await ask(`${url}/ai/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(chat)
    })
    expect(answered.status).toBe(401)
    expect((await ask(`${url}/ai/v1/models`, { headers })).status).toBe(401)
    expect((await server.api('GET', '/customers', { key: server.partner.key })).status).toBe(200)
  })

  it('is in an answer of JSON that nobody keeps', async () => {
    const { clientId, refreshToken } = await connect(url, owner)
    for (const { headers } of [
      await refresh(url, clientId, refreshToken),
      await refresh(url, clientId, 'unknown')
    ]) {
      expect(headers.get('content-type')).toMatch(/^application\/json(?:; charset=utf-8)?$/)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.getSetCookie()).toEqual([])
    }
  })

  it('is read from the header alone', async () => {
    const { accessToken } = await connect(url, owner)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    expect((await ask(`${url}/api/mcp?access_token=${accessToken}`, init)).status).toBe(401)
    const byForm = await sendForm(url, '/api/mcp', { access_token: accessToken })
    expect(byForm.status).toBe(401)
  })

  it('that refreshes opens nothing by itself', async () => {
    const { refreshToken, code } = await connect(url, owner)
    for (const secret of [refreshToken, code]) expect(await callGateway(url, '/api/mcp', secret)).toBe(401)
  })

  it('is of the client that got it', async () => {
    const { refreshToken, clientId } = await connect(url, owner)
    const stranger = await makeClient(url)
    expect((await refresh(url, stranger, refreshToken)).body).toMatchObject({ error: 'invalid_grant' })
    expect((await refresh(url, clientId, refreshToken)).status).toBe(200)
  })

  it('is refreshed for its own gateway and scopes alone', async () => {
    const { refreshToken, clientId } = await connect(url, { ...owner, scopes: ['memory:read'] })
    const other = { resource: `${url}/api/partner-mcp` }
    expect((await refresh(url, clientId, refreshToken, other)).body).toMatchObject({
      error: 'invalid_target'
    })
    const more = { scope: 'memory:read memory:write' }
    const { body } = await refresh(url, clientId, refreshToken, more)
    expect(body).toMatchObject({ error: 'invalid_scope' })
    const { body: right } = await refresh(url, clientId, refreshToken)
    expect(right).toMatchObject({ scope: 'memory:read' })
  })

  it('stays when a stranger asks for its end', async () => {
    const { accessToken, clientId } = await connect(url, owner)
    await sendForm(url, '/oauth/revoke', { client_id: await makeClient(url), token: accessToken })
    expect(await callGateway(url, '/api/mcp', accessToken)).toBe(200)
    const { status } = await sendForm(url, '/oauth/revoke', { client_id: clientId, token: accessToken })
    expect(status).toBe(200)
    expect(await callGateway(url, '/api/mcp', accessToken)).toBe(401)
  })
})

describe.each(databases)('a refresh token on %s', (kind) => {
  let server: TestServer
  let url: string
  let owner: Owner
  let clock: MovedClock | undefined
  beforeAll(async () => {
    server = await startSites(kind, {}, { alone: 'the clock that moves is this process’s' })
    url = server.url
    owner = await makeOwner(server)
  })
  afterAll(() => server.close())

  const later = async (ms: number, work: () => Promise<void>): Promise<void> => {
    clock = moveClock(Date.now() + ms)
    try {
      await work()
    } finally {
      clock.restore()
    }
  }

  it('that comes back after the grace ends everything of its app', async () => {
    const { clientId, accessToken, refreshToken } = await connect(url, owner)
    const bystander = await connect(url, owner)
    const next = tokensOf(await refresh(url, clientId, refreshToken))
    await later(GRACE_MS + 1_000, async () => {
      expect(await callGateway(url, '/api/mcp', accessToken)).toBe(200)
      const replayed = await refresh(url, clientId, refreshToken)
      expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant'])
      for (const token of [accessToken, next.accessToken])
        expect(await callGateway(url, '/api/mcp', token)).toBe(401)
      expect((await refresh(url, clientId, next.refreshToken)).body).toMatchObject({ error: 'invalid_grant' })
      expect(await callGateway(url, '/api/mcp', bystander.accessToken)).toBe(200)
    })
  })

  it('that was used may be used again within the grace: the answer may have been lost', async () => {
    const { clientId, refreshToken } = await connect(url, owner)
    const lost = tokensOf(await refresh(url, clientId, refreshToken))
    await later(GRACE_MS - 10_000, async () => {
      const again = tokensOf(await refresh(url, clientId, refreshToken))
      for (const tokens of [lost, again]) {
        expect(await callGateway(url, '/api/mcp', tokens.accessToken)).toBe(200)
        expect((await refresh(url, clientId, tokens.refreshToken)).status).toBe(200)
      }
    })
  })

  it('used within the grace is no longer of use after it, counted from its first use', async () => {
    const { clientId, refreshToken } = await connect(url, owner)
    await refresh(url, clientId, refreshToken)
    await later(GRACE_MS - 10_000, async () => {
      expect((await refresh(url, clientId, refreshToken)).status).toBe(200)
    })
    await later(GRACE_MS + 1_000, async () => {
      expect((await refresh(url, clientId, refreshToken)).status).toBe(400)
    })
  })

  it('that two of an app’s processes use at once serves both', async () => {
    const { clientId, refreshToken } = await connect(url, owner)
    const answers = await Promise.all([1, 2, 3].map(() => refresh(url, clientId, refreshToken)))
    for (const answer of answers) {
      const tokens = tokensOf(answer)
      expect(await callGateway(url, '/api/mcp', tokens.accessToken)).toBe(200)
      expect((await refresh(url, clientId, tokens.refreshToken)).status).toBe(200)
    }
  })

  it('serves with a slash behind its resource, and goes on serving', async () => {
    const { clientId, refreshToken } = await connect(url, owner)
    let token = refreshToken
    for (const resource of [`${url}/api/mcp/`, `${url}/api/mcp`, `${url}/api/mcp/readonly/`, undefined]) {
      const tokens = tokensOf(await refresh(url, clientId, token, { resource }))
      expect(await callGateway(url, '/api/mcp', tokens.accessToken)).toBe(200)
      token = tokens.refreshToken
    }
  })

  it('never used ends with its ninety days', async () => {
    const { clientId, refreshToken } = await connect(url, owner)
    await later(91 * 86_400_000, async () => {
      const { status, body } = await refresh(url, clientId, refreshToken)
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
    })
  })

  it('outlives its access token, which ends with its hour', async () => {
    const { clientId, accessToken, refreshToken } = await connect(url, owner)
    await later(3_590_000, async () => {
      expect(await callGateway(url, '/api/mcp', accessToken)).toBe(200)
    })
    await later(3_610_000, async () => {
      expect(await callGateway(url, '/api/mcp', accessToken)).toBe(401)
      const { accessToken: next } = tokensOf(await refresh(url, clientId, refreshToken))
      expect(await callGateway(url, '/api/mcp', next)).toBe(200)
    })
  })
})
