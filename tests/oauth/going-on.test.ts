// What a connected app lives through: the end of its hour, a scope that it lacks, and the end of its connection.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endApps } from '../../src/connected-apps/store.ts'
import { tokenHash } from '../../src/keys/token.ts'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import { type MovedClock, moveClock } from '../support/moved-clock.ts'
import { apps, type ConnectedApp, connectApp, isAboutUser } from './apps.ts'
import { bareCall } from './bare-call.ts'
import { makeOwner, type Owner } from './people.ts'

const MINUTE = 60_000

let server: TestServer
let owner: Owner
let clock: MovedClock | undefined
const connected: ConnectedApp[] = []
beforeAll(async () => {
  server = await startSites(
    'sqlite',
    { CREDITS_INITIAL: '1000' },
    { alone: 'the clock that moves is this process’s' }
  )
  owner = await makeOwner(server)
})
afterEach(async () => {
  clock?.restore()
  clock = undefined
  for (const app of connected.splice(0)) await app.close()
})
afterAll(() => server.close())

const REMEMBER = { name: 'internal_memory_remember', arguments: { content: 'The dog is called Rex.' } }
const RECALL = { name: 'internal_memory_recall', arguments: {} }
const REMEMBERED = { structuredContent: { memoryId: expect.any(String) } }

const gateway = () => `${server.url}/api/mcp`
const connect = async (make: typeof connectApp = connectApp, scopes?: string[]) => {
  const decision = { ...owner.decision, ...(scopes ? { scopes } : {}) }
  const app = await make(server.url, { gateway: '/api/mcp', decision })
  connected.push(app)
  return app
}
const statusOf = async (token: string) => (await bareCall(gateway(), { token })).status

describe.each(apps)('an app as $name', ({ connect: make }) => {
  it('goes on after its hour without its user', async () => {
    const app = await connect(make)
    const first = app.token()
    clock = moveClock(Date.now() + 59 * MINUTE)
    expect(await statusOf(first)).toBe(200)
    clock.set(Date.now() + 2 * MINUTE)
    expect(await statusOf(first)).toBe(401)
    expect(await app.callTool(REMEMBER)).toMatchObject(REMEMBERED)
    expect(app.token()).not.toBe(first)
    clock.set(Date.now() + 61 * MINUTE)
    expect(await app.callTool(REMEMBER)).toMatchObject(REMEMBERED)
    expect(app.memory.timesSent).toBe(1)
  })

  it('asks its user once more where it lacks a scope, and goes on with it', async () => {
    const app = await connect(make, ['memory:read'])
    expect(await app.callTool(RECALL)).not.toHaveProperty('isError')
    await expect(app.callTool(REMEMBER)).rejects.toSatisfy(isAboutUser)
    expect(app.memory.timesSent).toBe(2)
    expect(scopesAskedBy(app)).toEqual(['memory:read', 'memory:write'])
    await app.askUser(owner.decision)
    expect(await app.callTool(REMEMBER)).toMatchObject(REMEMBERED)
  })
})

it('refreshes as before once it was told for a while to ask its user, who hasn’t', async () => {
  const app = await connect(apps[0].connect, ['memory:read'])
  await expect(app.callTool(REMEMBER)).rejects.toSatisfy(isAboutUser)
  const other = await connect(apps[0].connect, ['memory:read'])
  expect(await refresh(other)).toMatchObject({ status: 200 })
  expect(await refresh(app)).toMatchObject({ status: 503, error: 'server_error' })
  expect(await app.callTool(RECALL)).not.toHaveProperty('isError')
  clock = moveClock(Date.now() + 15_001)
  expect(await refresh(app)).toMatchObject({ status: 200 })
})

const scopesAskedBy = ({ memory }: ConnectedApp) =>
  memory.sentTo?.searchParams.get('scope')?.split(' ').sort()

it('names what an app lacks by HTTP’s own 403', async () => {
  const app = await connect(connectApp, ['memory:read'])
  const call = { token: app.token(), input: { content: 'The dog is called Rex.' } }
  const refused = await bareCall(gateway(), { ...call, tool: 'internal_memory_remember' })
  expect(refused).toMatchObject({ status: 403, code: 'missing_scope' })
  expect(refused.challenge).toContain('error="insufficient_scope"')
  expect(refused.challenge).toContain('scope="memory:read memory:write"')
  expect(refused.challenge).toContain(
    `resource_metadata="${server.url}/.well-known/oauth-protected-resource/api/mcp"`
  )
  expect(await statusOf(app.token())).toBe(200)
})

it('does nothing of a batch in which it lacks a scope', async () => {
  const app = await connect(connectApp, ['memory:write'])
  const messages = [REMEMBER, RECALL].map((params, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params
  }))
  const count = async () => {
    const { key } = await server.service.database.read
      .selectFrom('mind')
      .where('customerId', '=', owner.customerId)
      .select('key')
      .executeTakeFirstOrThrow()
    return server.service.database.read
      .selectFrom('memory')
      .where('mindKey', '=', key)
      .select('seq')
      .execute()
  }
  await app.callTool({ ...REMEMBER, arguments: { content: 'Its basket is green.' } })
  const before = await count()
  const send = (sent: typeof messages, content: string) =>
    fetch(gateway(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${app.token()}`
      },
      body: JSON.stringify(sent).replace('The dog is called Rex.', content)
    })
  const refused = await send(messages, 'Its collar is red.')
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('scope="memory:write memory:read"')
  ])
  expect(await count()).toEqual(before)
  expect((await send(messages.slice(0, 1), 'Its collar is blue.')).status).toBe(200)
  expect(await count()).toHaveLength(before.length + 1)
})

it('ends with its revocation at the next request, refreshing too', async () => {
  const [app, other] = [await connect(), await connect()]
  expect([await statusOf(app.token()), await statusOf(other.token())]).toEqual([200, 200])
  await server.service.database.transaction(async (tx) => {
    const { appId } = await tx
      .selectFrom('oauthRecord')
      .where('id', '=', tokenHash(app.token()))
      .select('appId')
      .executeTakeFirstOrThrow()
    expect(await endApps(tx, server.partner.partnerId, { id: appId ?? '' })).toBe(1)
  })
  expect([await statusOf(app.token()), await statusOf(other.token())]).toEqual([401, 200])
  expect(await refresh(app)).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await refresh(other)).toMatchObject({ status: 200 })
})

it.each(['access_token', 'refresh_token'] as const)('ends when the app gives its %s back', async (which) => {
  const [app, other] = [await connect(), await connect()]
  expect(await statusOf(app.token())).toBe(200)
  const { status } = await post('/oauth/revoke', {
    token: app.memory.tokens?.[which] ?? '',
    client_id: app.memory.client?.client_id ?? ''
  })
  expect(status).toBe(200)
  expect(await statusOf(app.token())).toBe(401)
  expect(await refresh(app)).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await statusOf(other.token())).toBe(200)
})

it('ends by no other app’s wish', async () => {
  const [app, other] = [await connect(), await connect()]
  const client_id = other.memory.client?.client_id ?? ''
  expect(client_id).not.toBe(app.memory.client?.client_id)
  expect((await post('/oauth/revoke', { token: app.token(), client_id })).status).toBe(200)
  expect(await statusOf(app.token())).toBe(200)
})

const post = async (path: string, form: Record<string, string>) => {
  const answer = await fetch(server.url + path, { method: 'POST', body: new URLSearchParams(form) })
  const text = await answer.text()
  return { status: answer.status, ...(text === '' ? {} : JSON.parse(text)) }
}

const refresh = ({ memory }: ConnectedApp) =>
  post('/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: memory.tokens?.refresh_token ?? '',
    client_id: memory.client?.client_id ?? ''
  })
