// Anybody may register a client: what they send is bounded, and what nobody uses goes (RFC 7591 §5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSites } from '../portal/sites.ts'
import { databases } from '../support/databases.ts'
import { at } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { moveClock } from '../support/moved-clock.ts'
import { sweepAll } from '../support/sweep.ts'
import {
  ask,
  authorizePath,
  begin,
  CALLBACK,
  callGateway,
  connect,
  makeClient,
  makeOwner,
  type Owner,
  redeem,
  refresh,
  register,
  signedIn,
  tokensOf
} from './by-hand.ts'

describe('a flood', () => {
  let server: TestServer
  let url: string
  beforeAll(async () => {
    server = await startSites(
      'sqlite',
      { TRUST_PROXY: '1' },
      { alone: 'Caddy believes no one else’s X-Forwarded-For' }
    )
    url = server.url
  })
  afterAll(() => server.close())

  const from = (address: string, path: string, body?: string) =>
    ask(url + path, {
      headers: { 'x-forwarded-for': address, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body })
    })
  const CLIENT = JSON.stringify({ redirect_uris: [CALLBACK] })
  const isWritten = async () => {
    const { count } = await server.service.database.read
      .selectFrom('oauthRecord')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  it('of registrations is refused to its network alone, and writes no more', async () => {
    const register = (address: string) => from(address, '/oauth/register', CLIENT)
    const answers = await Promise.all(Array.from({ length: 100 }, () => register('192.0.2.1')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const before = await isWritten()
    const refused = await register('192.0.2.1')
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(3_000)
    expect(seconds).toBeLessThanOrEqual(3_600)
    expect(await isWritten()).toBe(before)
    expect((await register('198.51.100.1')).status).toBe(201)
  })

  it('of one subscriber’s many IPv6 addresses is one network’s', async () => {
    const register = (n: number) => from(`2001:db8:1:2::${n.toString(16)}`, '/oauth/register', CLIENT)
    for (let n = 1; n <= 100; n += 1) expect((await register(n)).status).toBe(201)
    expect((await register(101)).status).toBe(429)
  })

  it('of what is no client counts as well', async () => {
    const register = () => from('192.0.3.1', '/oauth/register', '{}')
    const answers = await Promise.all(Array.from({ length: 100 }, register))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
    expect((await register()).status).toBe(429)
  })

  it('of requests to sign in is refused to its network alone', async () => {
    const { body } = await from('203.0.113.1', '/oauth/register', CLIENT)
    const path = authorizePath(url, String(at(body, 'client_id')))
    const begun = await Promise.all(Array.from({ length: 300 }, () => from('192.0.4.1', path)))
    expect(new Set(begun.map(({ status }) => status))).toEqual(new Set([303]))
    const before = await isWritten()
    expect((await from('192.0.4.1', path)).status).toBe(429)
    expect(await isWritten()).toBe(before)
    expect((await from('198.51.100.1', path)).status).toBe(303)
  })

  it('isn’t counted where nothing is limited', async () => {
    const unlimited = await startSites('sqlite', { RATE_LIMIT: '0' })
    for (let n = 0; n < 101; n += 1) expect((await register(unlimited.url)).status).toBe(201)
    await unlimited.close()
  })
})

describe('what a client says when it registers', () => {
  let server: TestServer
  let url: string
  let owner: Owner
  beforeAll(async () => {
    server = await startSites('sqlite', { RATE_LIMIT: '0' })
    url = server.url
    owner = await makeOwner(server)
  })
  afterAll(() => server.close())

  const consentOf = async (clientId: string) => {
    const browser = await signedIn(url, owner, server.partner.slug)
    return (await browser.get(await begin(browser, url, clientId))).text
  }

  it.each(['/oauth/register', '/oauth/token', '/oauth/revoke'])('%s reads 16 KiB of', async (path) => {
    const body = JSON.stringify({ redirect_uris: [CALLBACK], x: 'x'.repeat(16_384) })
    const announced = await ask(url + path, { method: 'POST', body })
    expect(announced.status).toBe(413)
    const init: RequestInit = { method: 'POST', body: new Blob([body]).stream(), duplex: 'half' }
    expect((await ask(url + path, init)).status).toBe(413)
  })

  it('is a name of one line that is shown as text', async () => {
    const hostile = `<img src=x onerror=alert(1)>\u202egpj.exe\u0000\n\nClaude\u200b ${'x'.repeat(10_000)}`
    const clientId = await makeClient(url, { client_name: hostile })
    const html = await consentOf(clientId)
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; gpj.exe Claude xx')
    for (const hidden of ['<img', '\u202e', '\u0000', '\u200b', 'x'.repeat(17)])
      expect(html).not.toContain(hidden)
  })

  it.each([
    ['a number', 7],
    ['an object', { toString: 'x' }],
    ['none', undefined],
    ['nothing that is seen', '\u200b\u202e \n']
  ])('may be no name: %s', async (_, client_name) => {
    expect(await consentOf(await makeClient(url, { client_name }))).toContain('An app without a name')
  })

  it('is twenty addresses of five hundred characters at most', async () => {
    const uris = (count: number) => Array.from({ length: count }, (_, n) => `${CALLBACK}/${n}`)
    expect((await register(url, { redirect_uris: uris(20) })).status).toBe(201)
    for (const redirect_uris of [uris(21), uris(1_000), [`${CALLBACK}/${'x'.repeat(500)}`]]) {
      const { status } = await register(url, { redirect_uris })
      expect([400, 413]).toContain(status)
    }
  })

  it('names no secret, method, grant or key of its own', async () => {
    const { body } = await register(url, {
      client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
      client_secret: 'mine',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['implicit', 'client_credentials', 'password'],
      response_types: ['token', 'id_token'],
      jwks_uri: 'http://127.0.0.1:9/jwks',
      sector_identifier_uri: 'http://127.0.0.1:9/sector',
      logo_uri: 'http://127.0.0.1:9/logo',
      request_uris: ['http://127.0.0.1:9/request'],
      scope: 'partner:admin',
      application_type: 'native',
      subject_type: 'pairwise'
    })
    expect(body).toMatchObject({
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'web'
    })
    expect(body.client_id).toMatch(/^[\w-]{21,}$/)
    for (const key of [
      'client_secret',
      'jwks_uri',
      'sector_identifier_uri',
      'logo_uri',
      'registration_access_token'
    ])
      expect(body).not.toHaveProperty(key)
  })

  it.each([
    ['keys of a prototype', `{"__proto__":{"redirect_uris":["${CALLBACK}"]},"constructor":{"x":1}}`],
    ['a list', `[{"redirect_uris":["${CALLBACK}"]}]`],
    ['text', '"redirect_uris"'],
    ['null', 'null'],
    ['no JSON', 'redirect_uris=x'],
    ['nothing', ''],
    [
      'bytes that aren’t text',
      Buffer.from(`{"redirect_uris":["${CALLBACK}"],"client_name":"\xff"}`, 'latin1')
    ],
    ['depth', `${'['.repeat(8_000)}${']'.repeat(8_000)}`]
  ])('is refused where it is %s', async (_, body) => {
    const { status, body: answer } = await ask(`${url}/oauth/register`, { method: 'POST', body })
    expect(status).toBe(400)
    expect(['invalid_redirect_uri', 'invalid_client_metadata']).toContain(answer.error)
    expect(Object.hasOwn(Object.prototype, 'redirect_uris')).toBe(false)
  })

  it('names in its refusal what is wrong', async () => {
    const said = async (body: string) => (await ask(`${url}/oauth/register`, { method: 'POST', body })).body
    expect(await said(JSON.stringify({ redirect_uris: [CALLBACK, 'http://app.example'] }))).toEqual({
      error: 'invalid_redirect_uri',
      error_description:
        'redirect_uris.1: must be an https address, one of this machine’s own, or one of the app’s own scheme'
    })
    expect(await said(JSON.stringify({ redirect_uris: [CALLBACK], client_id: 7 }))).toMatchObject({
      error: 'invalid_client_metadata',
      error_description: expect.stringMatching(/^client_id: /)
    })
    expect(await said('[')).toMatchObject({
      error: 'invalid_client_metadata',
      error_description: expect.stringMatching(/^The body: /)
    })
  })

  it('can’t be read, changed or deleted afterwards', async () => {
    const clientId = await makeClient(url)
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await ask(`${url}/oauth/register/${clientId}`, { method })).status).toBe(404)
  })
})

describe.each(databases)('a client that registered on %s', (kind) => {
  let server: TestServer
  let url: string
  let owner: Owner
  beforeAll(async () => {
    server = await startSites(kind, {}, { alone: 'the clock that moves is this process’s' })
    url = server.url
    owner = await makeOwner(server)
  })
  afterAll(() => server.close())

  const aDayLater = async (work: () => Promise<void>) => {
    const clock = moveClock(Date.now() + 86_400_000 + 60_000)
    try {
      await sweepAll(server.service)
      await work()
    } finally {
      clock.restore()
    }
  }

  it('goes after a day when nobody let it in, and stays when somebody did', async () => {
    const unused = await makeClient(url)
    const used = await connect(url, owner)
    await sweepAll(server.service)
    expect((await ask(url + authorizePath(url, unused))).status).toBe(303)
    await aDayLater(async () => {
      const swept = await redeem(url, unused, 'x'.repeat(43))
      expect([swept.status, swept.body.error]).toEqual([401, 'invalid_client'])
      const { accessToken } = tokensOf(await refresh(url, used.clientId, used.refreshToken))
      expect(await callGateway(url, '/api/mcp', accessToken)).toBe(200)
      const page = await ask(url + authorizePath(url, unused))
      expect([page.status, page.headers.get('location')]).toEqual([400, null])
      expect(page.body.text).toContain('We don’t know this app')
    })
  })

  it('stays as long as an app of it is remembered, to be connected again', async () => {
    const { clientId } = await connect(url, owner)
    await server.service.database.transaction((tx) =>
      tx
        .updateTable('connectedApp')
        .set({ revokedAt: new Date().toISOString() })
        .where('clientId', '=', clientId)
        .execute()
    )
    await aDayLater(async () => {
      const answer = await redeem(url, clientId, 'x'.repeat(43))
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant'])
    })
  })
})
