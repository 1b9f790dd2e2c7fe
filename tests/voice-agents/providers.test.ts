import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { ADAPTERS } from '../../src/voice-agents/providers/ask.ts'
import { setProviderKey } from '../../src/voice-agents/providers/keys.ts'
import { at, makePartner, run, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { type Behaviour, PROVIDER_KEY, type StandIn, startStandIn } from './stand-in.ts'

/** Only who never answers is waited for no longer than this: a busy machine isn't a silent provider. */
const IMPATIENT_MS = 200
const KNOWN = { id: 'agent-at-provider', name: 'Front desk' }

describe.each(PROVIDERS)('provider %s', (provider) => {
  let server: TestServer
  let standIn: StandIn
  let partner: TestPartner
  let customerId: string
  let patience: number

  beforeAll(async () => {
    standIn = await startStandIn(provider, [KNOWN, { id: 'nameless', name: null }])
    server = await startTestServer(
      'sqlite',
      {
        [`PROVIDER_${provider.toUpperCase()}_URL`]: standIn.url
      },
      { alone: 'its patience is this process’s' }
    )
    patience = server.service.config.providerTimeoutMs
    partner = await withKey(PROVIDER_KEY)
    const created = await run(server.service, partner.partnerId, 'customer_create', { email: uniqueEmail() })
    customerId = stringAt(created, 'data', 'id')
  })
  afterEach(() => {
    standIn.behave('good')
    waitFor(patience)
  })
  afterAll(async () => {
    await server.close()
    await standIn.close()
  })

  const waitFor = (providerTimeoutMs: number) => Object.assign(server.service.config, { providerTimeoutMs })
  const withKey = async (key: string): Promise<TestPartner> => {
    const made = await makePartner(server.service)
    await server.service.database.transaction((tx) =>
      setProviderKey(tx, server.service.secrets, { partnerId: made.partnerId, provider }, key)
    )
    return made
  }
  const map = (agentId: string, as = partner, customer = customerId) =>
    server.api('POST', `/voice-${provider}-agents/${encodeURIComponent(agentId)}/map-customer`, {
      key: as.key,
      body: { customerId: customer, profitMultiplier: 1.5 }
    })
  const agentsOf = (partnerId: string) =>
    server.service.database.read
      .selectFrom('voiceAgent')
      .where('partnerId', '=', partnerId)
      .selectAll()
      .orderBy('agentId')
      .execute()

  it('hands over all of its agents when it is asked to, and mappings stay', async () => {
    const own = await withKey(PROVIDER_KEY)
    const refresh = () => run(server.service, own.partnerId, 'voice_agent_refresh', { provider })
    expect(await refresh()).toMatchObject({ agentCount: 2 })
    const { id } = await makeCustomerRow(server.service, own.partnerId)
    expect(await map(KNOWN.id, own, id)).toMatchObject({ status: 200 })
    await refresh()
    expect(await agentsOf(own.partnerId)).toMatchObject([
      { agentId: KNOWN.id, name: KNOWN.name, customerId: id },
      { agentId: 'nameless', name: 'nameless', customerId: null }
    ])
    const acts = server.service.database.read.selectFrom('audit').where('partnerId', '=', own.partnerId)
    expect((await acts.select('action').execute()).map(({ action }) => action)).toContain(
      'voice_agent_refresh'
    )
  })

  it('changes no agent while it can’t be asked for them, or refuses the key', async () => {
    const own = await makePartner(server.service)
    const refresh = (of: TestPartner) =>
      run(server.service, of.partnerId, 'voice_agent_refresh', { provider })
    await expect(refresh(own)).rejects.toMatchObject({ code: 'provider_key_not_found' })
    const keyed = await withKey(PROVIDER_KEY)
    standIn.behave('fails')
    await expect(refresh(keyed)).rejects.toMatchObject({ code: 'provider_unavailable' })
    standIn.behave('refuses-key')
    await expect(refresh(keyed)).rejects.toThrow('refused your key')
    expect(await agentsOf(keyed.partnerId)).toEqual([])
  })

  it('is asked for an agent that isn’t in the local table, once', async () => {
    const before = standIn.requests.length
    expect(await map(KNOWN.id)).toMatchObject({
      status: 200,
      body: { agent: { id: KNOWN.id, name: KNOWN.name, customer: { id: customerId }, profitMultiplier: 1.5 } }
    })
    expect(await map(KNOWN.id)).toMatchObject({ status: 200 })
    expect(standIn.requests.slice(before)).toEqual([
      provider === 'a' ? `GET /assistant/${KNOWN.id}` : `GET /get-agent/${KNOWN.id}`
    ])
  })

  it('lends an agent without a name its id', async () => {
    expect(await map('nameless')).toMatchObject({ status: 200, body: { agent: { name: 'nameless' } } })
  })

  it('says 404 for an agent that it doesn’t know', async () => {
    expect(await map('unknown-agent')).toMatchObject({ status: 404, body: { code: 'agent_not_found' } })
  })

  it('is never asked for an id that would be another path', async () => {
    const before = standIn.requests.length
    for (const id of ['..', '.', '../call', 'a/b', 'a?b=c', 'a%2fb', 'a b', 'é']) {
      expect(await map(id), id).toMatchObject({ status: 404 })
    }
    expect(standIn.requests.slice(before)).toEqual([])
  })

  it('is not asked for a partner without a key, nor with another partner’s', async () => {
    const keyless = await makePartner(server.service)
    const created = await run(server.service, keyless.partnerId, 'customer_create', { email: uniqueEmail() })
    const before = standIn.requests.length
    expect(await map('unknown-agent', keyless, stringAt(created, 'data', 'id'))).toMatchObject({
      status: 404
    })
    expect(standIn.requests.slice(before)).toEqual([])
  })

  it('leaves nothing behind when the customer is unknown', async () => {
    const fresh = await withKey(PROVIDER_KEY)
    expect(await map(KNOWN.id, fresh, 'nobody')).toMatchObject({
      status: 404,
      body: { code: 'customer_not_found' }
    })
    expect(await agentsOf(fresh.partnerId)).toEqual([])
  })

  const faults: [Behaviour, string][] = [
    ['silent', 'did not answer in time'],
    ['dripping', 'did not answer in time'],
    ['refuses-key', 'refused your key'],
    ['limits', 'limits your account'],
    ['fails', 'can’t be used'],
    ['cuts-off', 'could not be reached'],
    ['floods', 'can’t be used'],
    ['not-json', 'can’t be used'],
    ['wrong-shape', 'can’t be used'],
    ['other-agent', 'can’t be used'],
    ['redirects', 'can’t be used'],
    ['hangs-up', 'could not be reached']
  ]
  it.each(faults)(
    'that %s is answered with 500 and what to do, in time, and nothing is written',
    async (behaviour, text) => {
      standIn.behave(behaviour)
      const fresh = await withKey(PROVIDER_KEY)
      const created = await run(server.service, fresh.partnerId, 'customer_create', { email: uniqueEmail() })
      if (text === 'did not answer in time') waitFor(IMPATIENT_MS)
      const startedAt = performance.now()
      const answer = await map(KNOWN.id, fresh, stringAt(created, 'data', 'id'))
      expect(answer).toMatchObject({ status: 500, body: { success: false, code: 'provider_unavailable' } })
      expect(stringAt(answer.body, 'error')).toContain(text)
      expect(performance.now() - startedAt).toBeLessThan(patience)
      // 8 MiB are read at most, and what the sockets hold beside it.
      expect(standIn.written()).toBeLessThan(16 * 1024 * 1024)
      expect(answer.headers.get('retry-after')).toBe(behaviour === 'limits' ? '17' : null)
      expect(await agentsOf(fresh.partnerId)).toEqual([])
      expect(JSON.stringify(answer.body) + server.logs.join('')).not.toContain(PROVIDER_KEY)
    }
  )

  it('that refuses a wrong key is told from one that is down', async () => {
    const fresh = await withKey('a-wrong-key')
    const created = await run(server.service, fresh.partnerId, 'customer_create', { email: uniqueEmail() })
    const answer = await map(KNOWN.id, fresh, stringAt(created, 'data', 'id'))
    expect(at(answer.body, 'error')).toContain('refused your key')
  })

  it('keys are sealed for their own row', async () => {
    const rows = await server.service.database.read.selectFrom('providerKey').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(PROVIDER_KEY)
    const row = rows.find(({ partnerId }) => partnerId === partner.partnerId)
    expect(() => server.service.secrets.unseal(row?.sealedKey ?? '', 'providerKey:prt_other:a')).toThrow()
  })
})

describe.each(PROVIDERS)('the agents of provider %s', (provider) => {
  it('are listed to the end, page by page, each once', async () => {
    const agents = Array.from({ length: 250 }, (_, n) => ({
      id: `agent-${n}`,
      name: `Agent ${n}`,
      createdAt: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()
    }))
    const standIn = await startStandIn(provider, agents)
    const connection = { baseUrl: standIn.url, key: PROVIDER_KEY, timeoutMs: 2_000 }
    const listed: string[] = []
    for await (const { id } of ADAPTERS[provider].listAgents(connection)) listed.push(id)
    expect(listed).toHaveLength(agents.length)
    expect(new Set(listed)).toEqual(new Set(agents.map(({ id }) => id)))
    expect(standIn.requests).toHaveLength(3)
    await standIn.close()
  })
})
