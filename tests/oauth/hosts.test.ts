// Where apps connect: at our own address, and at a partner's own host as if there were nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { siteClient } from '../portal/site-client.ts'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import { apps, connectApp } from './apps.ts'
import { bareCall, fieldsOf } from './bare-call.ts'
import { makeOwner, makeStaff, type Owner } from './people.ts'
import { fetchFrom } from './reached.ts'

const OURS = 'https://mindgate.example'
const ACME = 'https://portal.acme.example'
const RESOURCE = '/.well-known/oauth-protected-resource'

let server: TestServer
let owner: Owner
let ask: typeof fetch
beforeAll(async () => {
  server = await startSites('sqlite', { CREDITS_INITIAL: '1000', PUBLIC_URL: OURS })
  const { partnerId } = server.partner
  await server.service.database.transaction((tx) => updatePartner(tx, partnerId, { portalOrigin: ACME }))
  owner = await makeOwner(server)
  ask = fetchFrom(server.url)
})
afterAll(() => server.close())

const json = async (address: string) => {
  const answer = await ask(address)
  return { status: answer.status, body: await fieldsOf(answer) }
}

describe.each([
  { where: 'our own address', origin: OURS },
  { where: 'a partner’s own host', origin: ACME }
])('at $where', ({ origin }) => {
  it('is who it says it is, and links to itself alone', async () => {
    const { body } = await json(`${origin}/.well-known/oauth-authorization-server`)
    expect(body.issuer).toBe(origin)
    const links = Object.entries(body).filter(([name]) => /_(endpoint|uri)$/.test(name))
    expect(links.map(([name]) => name)).toContain('authorization_endpoint')
    for (const [name, link] of links) expect([name, new URL(String(link)).origin]).toEqual([name, origin])
  })

  it('has a gateway for customers, which says where one signs in to it', async () => {
    const { body } = await json(`${origin}${RESOURCE}/api/mcp`)
    expect(body).toMatchObject({ resource: `${origin}/api/mcp`, authorization_servers: [origin] })
    const { status, challenge } = await bareCall(`${origin}/api/mcp`, { fetch: ask })
    expect(status).toBe(401)
    expect(challenge).toContain(`resource_metadata="${origin}${RESOURCE}/api/mcp"`)
  })

  it.each(apps)('lets an app in as $name', async ({ connect }) => {
    const app = await connect(origin, {
      gateway: '/api/mcp',
      decision: owner.decision,
      browser: siteClient(origin, ask),
      fetch: ask
    })
    expect((await app.listTools()).tools.length).toBeGreaterThan(0)
    expect(app.memory.sentTo?.origin).toBe(origin)
    await app.close()
  })
})

it('refreshes what it gave out, and nothing that another address did', async () => {
  const app = await connectApp(ACME, {
    gateway: '/api/mcp',
    decision: owner.decision,
    browser: siteClient(ACME, ask),
    fetch: ask
  })
  await app.close()
  const refresh = async (origin: string, resource?: string) => {
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: app.memory.tokens?.refresh_token ?? '',
      client_id: app.memory.client?.client_id ?? '',
      ...(resource ? { resource } : {})
    })
    const answer = await ask(`${origin}/oauth/token`, { method: 'POST', body })
    const { error } = await fieldsOf(answer)
    return { status: answer.status, error }
  }
  const refused = { status: 400, error: 'invalid_target' }
  expect(await refresh(OURS)).toEqual(refused)
  expect(await refresh(OURS, `${OURS}/api/mcp`)).toEqual(refused)
  expect(await refresh(ACME, `${OURS}/api/mcp`)).toEqual(refused)
  expect(await refresh(ACME, `${ACME}/api/mcp`)).toEqual({ status: 200, error: undefined })
})

it('signs nobody in to the partner gateway at a partner’s own host', async () => {
  expect((await json(`${OURS}${RESOURCE}/api/partner-mcp`)).status).toBe(200)
  expect((await json(`${ACME}${RESOURCE}/api/partner-mcp`)).status).toBe(404)
  const [ours, theirs] = [
    await bareCall(`${OURS}/api/partner-mcp`, { fetch: ask }),
    await bareCall(`${ACME}/api/partner-mcp`, { fetch: ask })
  ]
  expect([ours.status, theirs.status]).toEqual([401, 401])
  expect(ours.challenge).toContain('resource_metadata=')
  expect(theirs.challenge).not.toContain('resource_metadata')
  // Where a client asks all the same, a page says so and nothing is sent to the app.
  const decision = await makeStaff(server, server.partner)
  const app = await connectApp(OURS, {
    gateway: '/api/partner-mcp',
    decision,
    browser: siteClient(OURS, ask),
    fetch: ask
  })
  await app.close()
  const { pathname, searchParams } = app.memory.sentTo ?? new URL(OURS)
  searchParams.set('resource', `${ACME}/api/partner-mcp`)
  const page = await ask(`${ACME}${pathname}?${searchParams}`, { redirect: 'manual' })
  expect(page.status).toBe(400)
  expect(page.headers.get('location')).toBeNull()
  expect(await page.text()).toContain('signed in to at the service’s own address')
})

it('is served at no host that nobody approved', async () => {
  for (const path of [
    `${RESOURCE}/api/mcp`,
    RESOURCE,
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/oauth/jwks',
    '/oauth/authorize'
  ]) {
    expect([path, (await ask(`${OURS}${path}`)).status]).not.toEqual([path, 403])
    expect([path, (await ask(`https://portal.evil.example${path}`)).status]).toEqual([path, 403])
  }
  for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
    const answer = await ask(`https://portal.evil.example${path}`, { method: 'POST', body: '{}' })
    expect([path, answer.status]).toEqual([path, 403])
  }
})

it('is closed at the host of a partner that is switched off', async () => {
  const { partnerId } = server.partner
  const switchTo = (isActive: boolean) =>
    server.service.database.transaction((tx) => updatePartner(tx, partnerId, { isActive }))
  const address = `${ACME}/.well-known/oauth-authorization-server`
  await switchTo(false)
  expect((await ask(address)).status).toBe(403)
  await switchTo(true)
  expect((await ask(address)).status).toBe(200)
})
