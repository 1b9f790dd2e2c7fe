// Voice agents as tools have them: one tool for both providers, a multiplier that is meant, a search; and who may.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upsertVoiceAgents } from '../../src/voice-agents/store.ts'
import { callTool } from '../mcp/tool-faces.ts'
import { databases } from '../support/databases.ts'
import { at, makeFixture, makePartner, makeVoiceAgent, run } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

describe.each(databases)('voice agents on %s', (kind) => {
  let server: TestServer
  let customerId: string
  beforeAll(async () => {
    server = await startTestServer(kind)
    customerId = (await makeFixture(server.service, server.partner.partnerId)).customerId
  })
  afterAll(() => server.close())

  const agentOf = (provider: 'a' | 'b') => makeVoiceAgent(server.service, server.partner.partnerId, provider)
  const use = (tool: string, input: Record<string, unknown>, key = server.partner.key) =>
    callTool('MCP 2025-11-25', { url: server.url, gateway: 'partner', key, tool, input })

  it.each(['a', 'b'] as const)('of provider %s are mapped and unmapped by one tool', async (provider) => {
    const agentId = await agentOf(provider)
    const mapped = await use('voice_agent_map', { provider, agentId, customerId, profitMultiplier: 1.2 })
    expect(at(mapped.output, 'agent', 'customer', 'id')).toBe(customerId)
    const listed = await use('voice_agent_list', { search: agentId })
    expect(at(listed.output, 'data', 0)).toMatchObject({ id: agentId, provider, profitMultiplier: 1.2 })
    const unmapped = await use('voice_agent_unmap', { provider, agentId })
    expect(at(unmapped.output, 'agent', 'customer')).toBeNull()
  })

  it('are mapped by the older tools, too, which no list has any more', async () => {
    const agentId = await agentOf('b')
    const mapped = await use('voice_b_agent_map_customer', { agentId, customerId, profitMultiplier: 1 })
    expect(at(mapped.output, 'agent', 'id')).toBe(agentId)
    const list = await fetch(`${server.url}/api/partner-mcp/tools`, {
      headers: { Authorization: `Bearer ${server.partner.key}` }
    })
    expect(await list.text()).not.toContain('voice_b_agent')
  })

  it.each([0.2, 0.999999, 5.01, 20])(
    'are mapped at × %s only where that is confirmed',
    async (profitMultiplier) => {
      const agentId = await agentOf('a')
      const input = { provider: 'a', agentId, customerId, profitMultiplier }
      for (const confirm of [undefined, false]) {
        const refused = await use('voice_agent_map', { ...input, confirm })
        expect([refused.status, refused.code, refused.field]).toEqual([400, 'invalid_input', 'confirm'])
        expect(refused.text).toContain(String(profitMultiplier))
      }
      const path = `/voice-a-agents/${agentId}/map-customer`
      const body = { customerId, profitMultiplier }
      const { key } = server.partner
      expect((await server.api('POST', path, { key, body })).body).toMatchObject({ field: 'confirm' })
      expect(
        at((await use('voice_agent_list', { search: agentId })).output, 'data', 0, 'customer')
      ).toBeNull()
      const confirmed = await server.api('POST', path, { key, body: { ...body, confirm: true } })
      expect(at(confirmed.body, 'agent', 'profitMultiplier')).toBe(profitMultiplier)
    }
  )

  it.each([1, 5])('are mapped at × %s without a word more', async (profitMultiplier) => {
    const agentId = await agentOf('a')
    const mapped = await use('voice_agent_map', { provider: 'a', agentId, customerId, profitMultiplier })
    expect(mapped.status).toBe(200)
  })

  it('are found by name or id without case, accents and width', async () => {
    const { partnerId } = server.partner
    await server.service.database.transaction((tx) =>
      upsertVoiceAgents(tx, { partnerId, provider: 'a' }, [
        { id: 'Agent_%7', name: 'Recepción Ｃｌｉｎｉｃ' }
      ])
    )
    for (const search of ['recepcion', 'RECEPCIÓN', 'clinic', 'Ｒｅｃｅｐ', 'agent_%', ' agent_%7 ']) {
      const { output } = await use('voice_agent_list', { search })
      expect([search, at(output, 'data', 0, 'id')]).toEqual([search, 'Agent_%7'])
      expect(at(output, 'pagination', 'totalCount')).toBe(1)
    }
  })

  it('of another partner are nobody’s to find, map or unmap', async () => {
    const stranger = await makePartner(server.service)
    const theirs = await makeFixture(server.service, stranger.partnerId)
    const agentId = await agentOf('a')
    await use('voice_agent_map', { provider: 'a', agentId, customerId, profitMultiplier: 1 })
    expect(at((await use('voice_agent_list', { search: agentId }, stranger.key)).output, 'data')).toEqual([])
    const unmapped = await use('voice_agent_unmap', { provider: 'a', agentId }, stranger.key)
    expect(unmapped.code).toBe('agent_not_found')
    const toTheirs = await use('voice_agent_map', {
      provider: 'a',
      agentId: await agentOf('a'),
      customerId: theirs.customerId,
      profitMultiplier: 1
    })
    expect(toTheirs.code).toBe('customer_not_found')
    const { output } = await use('voice_agent_list', { search: agentId })
    expect(at(output, 'data', 0, 'customer', 'id')).toBe(customerId)
  })

  it('customers are found without accents and widths, too', async () => {
    const { partnerId } = server.partner
    const made = await run(server.service, partnerId, 'customer_create', {
      email: 'sol@clinica.example',
      companyName: 'Clínica Ｓｏｌ Müller-Straße'
    })
    for (const search of ['clinica', 'CLÍNICA', 'sol muller', 'strasse', 'Ｃｌíｎｉｃａ']) {
      const { output } = await use('customer_list', { search })
      expect([search, at(output, 'data', 0, 'id')]).toEqual([search, at(made, 'data', 'id')])
    }
  })
})
