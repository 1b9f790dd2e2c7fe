// Who and what is refused before anything is asked of a server: 401, 404, 403, 422, in this order (§4C, §7).
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InstanceStatus } from '../../schemas/app.ts'
import { MAX_MESSAGE_BYTES } from '../../schemas/chat.ts'
import { updatePartner } from '../../src/partners/store.ts'
import { makePortalCustomer, makeTeamMate, type PortalCustomer } from '../portal/customer-visitors.ts'
import { makePartner, run } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { type ChatAnswer, type ChatClient, chatClient } from './chat-client.ts'

describe('the chat route', () => {
  let server: TestServer
  let customer: PortalCustomer
  let instanceId: string
  let chat: ChatClient
  beforeAll(async () => {
    // Nothing listens where the instances are: whoever gets that far is told 503.
    server = await startTestServer('sqlite', { SSH_ALLOW_PRIVATE: '1' })
    customer = await makePortalCustomer(server)
    instanceId = await instanceOf(customer)
    chat = clientOf(customer, instanceId)
  })
  afterAll(() => server.close())

  const instanceOf = async (
    { customerId }: PortalCustomer,
    partner = server.partner,
    status: InstanceStatus = 'cli-agent'
  ): Promise<string> => (await makeInstance(server.service, partner.partnerId, customerId, { status })).id
  const clientOf = ({ owner }: Pick<PortalCustomer, 'owner'>, id: string, cookie = owner.identity.cookie) =>
    chatClient(server.url, cookie, id)
  const JSON_TYPE = { 'content-type': 'application/json' }
  const everyCall = ({ request }: ChatClient): Promise<ChatAnswer[]> =>
    Promise.all([
      request('', { method: 'POST', headers: JSON_TYPE, body: '{"message":"hello"}' }),
      // Refused for who asks, not for what is asked.
      request('', { method: 'POST', headers: JSON_TYPE, body: '{' }),
      request(''),
      request('/history'),
      request('/history?limit=0'),
      request('/conversations'),
      request('/conversations', { method: 'POST' }),
      request('/messages/some-key', { method: 'DELETE' }),
      request('/files?name=a.exe', { method: 'POST', body: 'x' }),
      request('/files/chx_unknown/1')
    ])
  const expectAll = async (client: ChatClient, status: number, code: string) => {
    for (const answer of await everyCall(client)) {
      expect(answer).toMatchObject({ status, body: { code, error: expect.stringMatching(/\w+\.$/) } })
      expect(Object.keys(Object(answer.body)).sort()).toEqual(['code', 'error'])
    }
  }

  it('answers 401 to who isn’t signed in, whichever instance is asked for', async () => {
    for (const id of [instanceId, 'ins_unknown']) {
      await expectAll(clientOf(customer, id, ''), 401, 'unauthorized')
      await expectAll(clientOf(customer, id, 'mindgate_portal=made-up'), 401, 'unauthorized')
    }
  })

  it('answers 404 for no instance, and for another partner’s as for none', async () => {
    const stranger = await makePartner(server.service)
    const theirs = await makePortalCustomer(server, stranger)
    await expectAll(clientOf(customer, 'ins_unknown'), 404, 'instance_not_found')
    await expectAll(clientOf(customer, await instanceOf(theirs, stranger)), 404, 'instance_not_found')
  })

  it('answers 403 for an instance of another customer of the same partner', async () => {
    const other = await makePortalCustomer(server)
    await expectAll(clientOf(other, instanceId), 403, 'forbidden')
  })

  it('answers 404 for the customer’s own where its app isn’t for it any more, and to its team', async () => {
    const narrowed = await makePortalCustomer(server)
    const id = await instanceOf(narrowed)
    const { browser } = await makeTeamMate(server, server.partner, narrowed.customerId, 'member')
    const mate = chatClient(server.url, browser.identity.cookie, id)
    expect((await mate.history()).exchanges).toEqual([])
    await run(server.service, server.partner.partnerId, 'customer_update', {
      customerId: narrowed.customerId,
      allowedApps: ['shell-agent']
    })
    for (const client of [clientOf(narrowed, id), mate]) await expectAll(client, 404, 'instance_not_found')
  })

  it('answers 401 once access is blocked or the partner is switched off', async () => {
    const blocked = await makePortalCustomer(server)
    const client = clientOf(blocked, await instanceOf(blocked))
    expect((await client.history()).exchanges).toEqual([])
    await run(server.service, server.partner.partnerId, 'customer_toggle_portal_block', {
      customerId: blocked.customerId
    })
    await expectAll(client, 401, 'unauthorized')

    const partner = await makePartner(server.service)
    const orphan = await makePortalCustomer(server, partner)
    const orphaned = clientOf(orphan, await instanceOf(orphan, partner))
    await server.service.database.transaction((tx) =>
      updatePartner(tx, partner.partnerId, { isActive: false })
    )
    await expectAll(orphaned, 401, 'unauthorized')
  })

  it('lets members of the team chat', async () => {
    const { browser } = await makeTeamMate(server, server.partner, customer.customerId, 'member')
    const member = chatClient(server.url, browser.identity.cookie, instanceId)
    expect(await member.send('hello')).toMatchObject({ status: 503, body: { code: 'ssh_unavailable' } })
    expect((await chat.history()).exchanges.at(-1)).toMatchObject({ message: 'hello', state: 'failed' })
  })

  const WRONG: [what: string, body: string][] = [
    ['no body', ''],
    ['no JSON', '{'],
    ['no object', '["hello"]'],
    ['no message', '{}'],
    ['an empty message', '{"message":""}'],
    ['a message of white space', '{"message":" \\n\\t\\u00a0"}'],
    ['a message of NUL', '{"message":"\\u0000 \\u0000"}'],
    ['a message that is no text', '{"message":5}'],
    ['half a character', '{"message":"\\ud800"}'],
    ['a message over 32 kB', JSON.stringify({ message: 'x'.repeat(MAX_MESSAGE_BYTES + 1) })],
    ['a message over 32 kB in UTF-8', JSON.stringify({ message: '😀'.repeat(MAX_MESSAGE_BYTES / 4 + 1) })],
    ['a session that is no text', '{"message":"hello","sessionId":5}']
  ]
  it.each(WRONG)('answers 422 for %s', async (_, body) => {
    const before = await chat.history()
    const answer = await chat.request('', { method: 'POST', headers: JSON_TYPE, body })
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input', error: expect.any(String) } })
    expect(await chat.history()).toEqual(before)
  })

  it('takes what just fits', async () => {
    const messages = [
      'x'.repeat(MAX_MESSAGE_BYTES),
      '😀'.repeat(MAX_MESSAGE_BYTES / 4),
      `${'x'.repeat(MAX_MESSAGE_BYTES)}\0`
    ]
    for (const message of messages) expect((await chat.send(message)).status).toBe(503)
  })

  it('answers 422 for a key or a page that can’t be one', async () => {
    for (const key of ['two words', 'x'.repeat(256)])
      expect((await chat.send('hello', { key })).status).toBe(422)
    for (const query of ['?limit=0', '?limit=101', '?limit=many', '?before=x']) {
      expect(await chat.request(`/history${query}`)).toMatchObject({
        status: 422,
        body: { code: 'invalid_input' }
      })
    }
  })

  it('takes nothing from another site, and no form', async () => {
    const body = '{"message":"hello"}'
    const send = (headers: Record<string, string>) => chat.request('', { method: 'POST', headers, body })
    const before = await chat.history()
    expect((await send({ ...JSON_TYPE, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send({ ...JSON_TYPE, origin: 'https://evil.example' })).status).toBe(403)
    expect((await send({ 'content-type': 'text/plain' })).status).toBe(415)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await send(form)).status).toBe(415)
    expect((await send({ ...form, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const cancelled = await chat.request('/messages/x', {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'cross-site' }
    })
    expect(cancelled.status).toBe(403)
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { ...form, 'sec-fetch-site': 'cross-site' }]) {
      const begun = await chat.request('/conversations', { method: 'POST', headers })
      expect(begun).toMatchObject({ status: 403, body: { code: 'cross_site' } })
    }
    expect(await chat.history()).toEqual(before)
  })

  it('answers 503 where nothing listens, and says that nothing was begun', async () => {
    expect(await chat.send('hello')).toMatchObject({
      status: 503,
      body: { code: 'ssh_unavailable', hasStarted: false }
    })
    expect(await chat.health()).toMatchObject({ status: 503, body: { code: 'ssh_unavailable' } })
  })

  describe.each(['registered', 'deploying:cli-agent', 'failed:cli-agent'] as const)(
    'where nothing was ever deployed (%s)',
    (status) => {
      const notReady = { status: 409, body: { code: 'agent_not_ready' } }

      it('answers 409 while the server is away, once the message fits', async () => {
        const mine = await makePortalCustomer(server)
        const id = await instanceOf(mine, server.partner, status)
        const client = clientOf(mine, id)
        expect(await client.send('hello')).toMatchObject(notReady)
        expect(await client.health()).toMatchObject(notReady)
        expect((await client.send(' ')).status).toBe(422)
        expect(await clientOf(customer, id).health()).toMatchObject({ status: 403 })
        expect((await client.history()).exchanges).toMatchObject([
          { message: 'hello', code: 'agent_not_ready' }
        ])
      })
    }
  )

  it('asks no server that nothing was ever deployed on', async () => {
    let calls = 0
    const watched = createServer((socket) => {
      calls += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => void watched.listen(0, '127.0.0.1', resolve))
    const { port } = watched.address() as AddressInfo
    const mine = await makePortalCustomer(server)
    const { id } = await makeInstance(server.service, server.partner.partnerId, mine.customerId, { port })
    const client = clientOf(mine, id)
    expect([(await client.send('hello')).status, (await client.health()).status]).toEqual([409, 409])
    watched.close()
    expect(calls).toBe(0)
  })

  it('answers 503 where an agent was deployed before, whatever became of the next deploy', async () => {
    const mine = await makePortalCustomer(server)
    const { service, partner } = server
    const columns = { status: 'failed:cli-agent', agentName: 'Acme' } as const
    const instance = await makeInstance(service, partner.partnerId, mine.customerId, columns)
    const client = clientOf(mine, instance.id)
    expect(await client.send('hello')).toMatchObject({ status: 503 })
    expect(await client.health()).toMatchObject({ status: 503 })
  })

  it('writes no message into the log', async () => {
    await chat.send('a very private matter')
    expect(server.logs.join('\n')).toContain('/vps/instances/:instanceId/:app/chat')
    expect(server.logs.join('\n')).not.toContain('private matter')
  })
})
