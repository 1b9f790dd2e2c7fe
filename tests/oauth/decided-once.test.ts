// A request is decided once, and a token is used up by nobody's mistake.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSites } from '../portal/sites.ts'
import { run } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { bareCall } from './bare-call.ts'
import { begin, connect, makeClient, makeOwner, type Owner, refresh, signedIn } from './by-hand.ts'

let server: TestServer
let ada: Owner
beforeAll(async () => {
  server = await startSites('sqlite')
  ada = await makeOwner(server)
})
afterAll(() => server.close())

const appsOf = async (owner: Owner): Promise<number> => {
  const { customerId } = owner
  const { data } = await run(server.service, server.partner.partnerId, 'customer_app_list', { customerId })
  return Array.isArray(data) ? data.length : -1
}
const begun = async (owner: Owner) => {
  const browser = await signedIn(server.url, owner, server.partner.slug)
  const page = await begin(browser, server.url, await makeClient(server.url))
  const form = { scopes: 'memory:read' }
  return { browser, page, form }
}
const rowsOf = async (owner: Owner): Promise<number> => {
  const { rows } = {
    rows: await server.service.database.read.selectFrom('connectedApp').select('customerId').execute()
  }
  return rows.filter(({ customerId }) => customerId === owner.customerId).length
}

it('connects one app, however often and fast the form is sent', async () => {
  const owner = await makeOwner(server)
  const { browser, page, form } = await begun(owner)
  const sent = await Promise.all([1, 2, 3].map(() => browser.post(page, { form })))
  expect(sent.map(({ status, headers }) => [status, headers.has('refresh')])).toEqual(
    sent.map(() => [200, true])
  )
  expect(await rowsOf(owner)).toBe(1)
})

it('holds to the first decision where another one follows', async () => {
  const owner = await makeOwner(server)
  const { browser, page, form } = await begun(owner)
  await browser.post(`${page}/cancel`, { form: {} })
  const { headers } = await browser.post(page, { form })
  const back = /url=(.+)$/.exec(headers.get('refresh') ?? '')?.[1] ?? ''
  expect(new URL((await browser.get(back)).location ?? '').searchParams.get('error')).toBe('access_denied')
  expect(await rowsOf(owner)).toBe(0)
})

it('refuses another resource before a refresh token is used up', async () => {
  const { clientId, refreshToken } = await connect(server.url, ada)
  const wrong = { resource: 'https://elsewhere.example/api/mcp' }
  for (let times = 0; times < 2; times += 1)
    expect(await refresh(server.url, clientId, refreshToken, wrong)).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' }
    })
  const { consumedAt } = await server.service.database.read
    .selectFrom('oauthRecord')
    .where('kind', '=', 'RefreshToken')
    .select('consumedAt')
    .executeTakeFirstOrThrow()
  expect(consumedAt).toBeNull()
  expect(await refresh(server.url, clientId, refreshToken)).toMatchObject({ status: 200 })
  expect(await appsOf(ada)).toBe(1)
})

it('limits what one app refreshes in a minute', async () => {
  const limited = await startSites('sqlite', { RATE_LIMIT: '20' })
  const owner = await makeOwner(limited)
  const { clientId, refreshToken } = await connect(limited.url, owner)
  const statuses = new Set<number>()
  for (let times = 0; times < 30; times += 1)
    statuses.add((await refresh(limited.url, clientId, refreshToken)).status)
  await limited.close()
  expect([...statuses]).toEqual([200, 429])
})

it('limits how often one app is told to ask its user', async () => {
  const limited = await startSites('sqlite', { RATE_LIMIT: '20' })
  const reading = { ...(await makeOwner(limited)), scopes: ['memory:read'] }
  const remember = { tool: 'internal_memory_remember', input: { content: 'The dog is called Rex.' } }
  const [calling, refreshing] = [await connect(limited.url, reading), await connect(limited.url, reading)]
  const codeOfCall = async (token: string) =>
    (await bareCall(`${limited.url}/api/mcp`, { ...remember, token })).code
  const codes: unknown[] = [await codeOfCall(refreshing.accessToken)]
  const statuses: number[] = []
  for (let times = 0; times < 25; times += 1) {
    codes.push(await codeOfCall(calling.accessToken))
    statuses.push((await refresh(limited.url, refreshing.clientId, refreshing.refreshToken)).status)
  }
  await limited.close()
  expect([...new Set(codes)]).toEqual(['missing_scope', 'rate_limited'])
  expect([...new Set(statuses)]).toEqual([503, 429])
})

it('answers HEAD of its metadata as GET', async () => {
  const { status } = await fetch(`${server.url}/.well-known/oauth-authorization-server`, { method: 'HEAD' })
  expect(status).toBe(200)
})
