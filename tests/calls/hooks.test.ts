// Providers tell that a call has ended: who isn't the provider is refused, and what is told is fetched before it counts.
import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Provider } from '../../schemas/voice-agent.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run, stringAt } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { PROVIDER_KEY } from '../voice-agents/stand-in.ts'
import { startRetell } from './providers/retell.ts'
import type { CallsStandIn } from './providers/server.ts'
import { startVapi } from './providers/vapi.ts'
import { retellEvent, vapiReport, type Webhook } from './providers/webhooks.ts'
import { DAY, HOUR, MINUTE, makeWorld, type World } from './providers/world.ts'

describe.each(databases)('webhooks on %s', (kind) => {
  let server: TestServer
  let world: World
  let vapi: CallsStandIn
  let retell: CallsStandIn
  let partnerId: string
  let hook: Record<Provider, { path: string; secret: string }>
  beforeAll(async () => {
    const now = Date.now()
    world = makeWorld({ seed: 5, calls: 40, from: now - DAY, to: now - HOUR, clock: () => Date.now() })
    vapi = await startVapi(world)
    retell = await startRetell(world)
    server = await startTestServer(kind, { PROVIDER_A_URL: vapi.url, PROVIDER_B_URL: retell.url })
  })
  afterAll(async () => {
    await server.close()
    await Promise.all([vapi.close(), retell.close()])
  })
  beforeEach(async () => {
    partnerId = (await makePartner(server.service)).partnerId
    hook = { a: await hookFor(partnerId, 'a'), b: await hookFor(partnerId, 'b') }
    await settled()
    await forget()
  })
  afterEach(() => settled())

  const hookFor = async (ofPartner: string, provider: Provider) => {
    await run(server.service, ofPartner, 'provider_key_set', { provider, key: PROVIDER_KEY })
    const given = await run(server.service, ofPartner, 'call_hook_get', { provider })
    return { path: stringAt(given, 'path'), secret: String(given.secret) }
  }
  /** Nobody reads calls: neither this process nor another one that the test's server is. */
  const settled = async () => {
    await server.service.usageSync.drain()
    const syncs = server.service.database.read.selectFrom('usageSync').where('partnerId', '=', partnerId)
    const held = syncs.where('leaseOwner', 'is not', null).select('provider')
    await vi.waitUntil(async () => (await held.execute()).length === 0, { timeout: 20_000 })
  }
  /** As if no call had been read, and nothing were due. */
  const forget = () =>
    server.service.database.transaction(async (tx) => {
      await tx.deleteFrom('call').where('partnerId', '=', partnerId).execute()
      const [dueAt, lastDoneAt] = [Date.now() + HOUR, Date.now()].map((at) => new Date(at).toISOString())
      const later = { dueAt, lastDoneAt: lastDoneAt ?? null, syncedTo: null, position: '{}' }
      await tx.updateTable('usageSync').set(later).where('partnerId', '=', partnerId).execute()
    })
  const post = async (path: string, { body, headers }: Webhook) => {
    const answer = await fetch(server.url + path, { method: 'POST', body, headers })
    return { status: answer.status, text: await answer.text() }
  }
  const read = async () => {
    await server.service.usageSync.drain()
    const calls = server.service.database.read.selectFrom('call').where('partnerId', '=', partnerId)
    return (await calls.select('callId').execute()).map(({ callId }) => callId)
  }
  const callOf = (provider: Provider, n = 0) => {
    const call = world.calls[provider][n]
    if (!call) throw new Error('There is no such call')
    return call
  }
  const report = (proof: 'bearer' | 'secret' | 'hmac', n = 0, sentAt = Date.now(), secret = hook.a.secret) =>
    vapiReport(world, callOf('a', n), { secret, proof, sentAt })

  it.each(['bearer', 'secret', 'hmac'] as const)(
    'reads the call that Vapi tells of by %s, once',
    async (proof) => {
      const webhook = report(proof)
      expect(await post(hook.a.path, webhook)).toEqual({ status: 204, text: '' })
      expect(await post(hook.a.path, webhook)).toMatchObject({ status: 204 })
      await vi.waitFor(async () => expect(await read()).toEqual([callOf('a').id]))
    }
  )

  it('takes a signature with its algorithm before it, and a time in seconds', async () => {
    const { body } = report('hmac')
    const at = String(Math.floor(Date.now() / 1_000))
    const digest = createHmac('sha256', hook.a.secret).update(`${at}.${body}`).digest('hex')
    const headers = { 'x-timestamp': at, 'x-signature': `sha256=${digest}` }
    expect(await post(hook.a.path, { body, headers })).toMatchObject({ status: 204 })
  })

  it.each(['call_ended', 'call_analyzed'] as const)('reads the call of Retell’s %s', async (event) => {
    const webhook = retellEvent(world, callOf('b'), event, { key: PROVIDER_KEY })
    expect(await post(hook.b.path, webhook)).toMatchObject({ status: 204 })
    await vi.waitFor(async () => expect(await read()).toEqual([callOf('b').id]))
  })

  it('refuses what isn’t the provider’s, is old, or was changed, all with the same words', async () => {
    const { service } = server
    const other = (await makePartner(service)).partnerId
    const { secret: theirs } = await hookFor(other, 'a')
    const old = Date.now() - 6 * MINUTE
    const event = (sentAt = Date.now(), key = PROVIDER_KEY) =>
      retellEvent(world, callOf('b'), 'call_ended', { key, sentAt })
    const forged = ({ body, headers }: Webhook) => ({ body: body.replace('call', 'cull'), headers })
    const answers = [
      ...(await Promise.all(
        [
          report('bearer', 0, Date.now(), theirs),
          report('secret', 0, Date.now(), theirs),
          report('hmac', 0, Date.now(), theirs),
          report('hmac', 0, old),
          forged(report('hmac')),
          { body: report('bearer').body, headers: {} },
          { body: report('bearer').body, headers: { authorization: `Bearer ${PROVIDER_KEY}` } },
          { body: report('hmac').body, headers: { 'x-timestamp': 'now', 'x-signature': '' } }
        ].map((webhook) => post(hook.a.path, webhook))
      )),
      ...(await Promise.all(
        [
          event(old),
          event(Date.now() + 6 * MINUTE),
          event(Date.now(), 'another-key'),
          forged(event()),
          { body: event().body, headers: {} },
          { body: event().body, headers: { 'x-retell-signature': hook.b.secret } }
        ].map((webhook) => post(hook.b.path, webhook))
      )),
      await post(`${hook.a.path}x`, report('bearer')),
      await post('/api/hooks/calls/null', report('bearer'))
    ]
    const words = answers.map(({ status, text }) => `${status} ${stringAt(JSON.parse(text), 'error')}`)
    expect(new Set(words)).toEqual(
      new Set(['401 There is no such address, or this isn’t signed as it has to be.'])
    )
    expect(await read()).toEqual([])
    expect(server.logs.join('')).not.toContain(hook.a.path.slice(-20))
  })

  it('does nothing about another event, or an id that is none', async () => {
    const sign = (body: string) => ({ body, headers: { 'x-vapi-secret': hook.a.secret } })
    for (const message of [
      { type: 'status-update', call: { id: callOf('a').id } },
      { type: 'end-of-call-report', call: { id: '../../assistant/x' } },
      { type: 'end-of-call-report' }
    ])
      expect(await post(hook.a.path, sign(JSON.stringify({ message })))).toMatchObject({ status: 204 })
    expect(await post(hook.a.path, sign('no JSON'))).toMatchObject({ status: 400 })
    expect(await post(hook.a.path, sign('x'.repeat(2 * 1_048_576 + 1)))).toMatchObject({ status: 413 })
    expect(await read()).toEqual([])
  })

  it('keeps the address with another key, and makes another one once the key was removed', async () => {
    const former = hook.a
    expect(await hookFor(partnerId, 'a')).toEqual(former)
    await run(server.service, partnerId, 'provider_key_remove', { provider: 'a' })
    expect(await post(former.path, report('bearer'))).toMatchObject({ status: 401 })
    hook.a = await hookFor(partnerId, 'a')
    expect(hook.a.path).not.toBe(former.path)
    expect(await post(former.path, report('bearer'))).toMatchObject({ status: 401 })
    expect(await post(hook.a.path, report('bearer', 0, Date.now(), former.secret))).toMatchObject({
      status: 401
    })
    expect(await post(hook.a.path, report('bearer'))).toMatchObject({ status: 204 })
  })

  it('shows each partner its own state alone, and none to one without a key', async () => {
    const { data } = await run(server.service, partnerId, 'usage_sync_get', {})
    expect(data).toMatchObject([
      { provider: 'a', isBehind: false, error: null },
      { provider: 'b', isBehind: false, error: null }
    ])
    const other = (await makePartner(server.service)).partnerId
    expect(await run(server.service, other, 'usage_sync_get', {})).toEqual({ data: [] })
    for (const name of ['usage_sync', 'call_hook_get'])
      await expect(run(server.service, other, name, { provider: 'a' })).rejects.toMatchObject({
        code: 'provider_key_not_found'
      })
  })

  it('reads at once where that is asked for', async () => {
    const { calls } = await run(server.service, partnerId, 'usage_sync', { provider: 'b' })
    expect(calls).toBeGreaterThan(30)
    const { data } = await run(server.service, partnerId, 'usage_sync_get', {})
    expect(data).toMatchObject([{ readUntil: null }, { readUntil: expect.any(String), error: null }])
  })
})
