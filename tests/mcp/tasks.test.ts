// What partners ask their agents for, as scripts of calls: how many each takes, how many tokens, and that none is a dead end.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  at,
  makePartner,
  makePlan,
  makeVoiceAgent,
  run,
  stringAt,
  type TestPartner,
  uniqueEmail
} from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { callTool } from './tool-faces.ts'

const MOST_CALLS = 4
/** Beside the list: less than a page of text. */
const MOST_TOKENS = 2_500

interface Agent {
  call(tool: string, input?: Record<string, unknown>): Promise<unknown>
  /** The customer that a person names, as every agent begins. */
  find(name: string): Promise<string>
}

describe('partners’ tasks', () => {
  let server: TestServer
  let partner: TestPartner
  let agentId: string
  let planId: string
  const told: string[] = []
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    partner = await makePartner(server.service)
    const { service } = server
    const { partnerId } = partner
    const made = await run(service, partnerId, 'customer_onboard', {
      basic: { email: uniqueEmail(), firstName: 'Dana', lastName: 'Reyes' },
      business: { companyName: 'Clínica Sol', monthlyCallVolume: '1000-5000' },
      allowPortalAccess: true
    })
    const customerId = stringAt(made, 'data', 'id')
    await run(service, partnerId, 'customer_update', {
      customerId,
      enableAiMemory: true,
      enableTeamMembers: true
    })
    const lines = ['Dana: The price of 49 a month is too high for us.', 'Dana: I live in Porto.']
    for (const content of lines)
      await run(service, partnerId, 'memory_remember', {
        customerId,
        content,
        occurredAt: '2026-10-12T10:00:00Z'
      })
    agentId = await makeVoiceAgent(service, partnerId, 'b')
    planId = await makePlan(service, partnerId)
    await makeInstance(service, partnerId, customerId)
  })
  afterAll(async () => {
    await server.close()
    process.stdout.write(`${told.join('\n')}\n`)
  })

  async function task(name: string, work: (agent: Agent) => Promise<void>): Promise<void> {
    let calls = 0
    let tokens = 0
    const call: Agent['call'] = async (tool, input = {}) => {
      const request = { url: server.url, gateway: 'partner', key: partner.key, tool, input } as const
      const { text, output, status } = await callTool('MCP 2025-11-25', request)
      expect([tool, status, text]).toEqual([tool, 200, expect.anything()])
      calls += 1
      // The model writes the call and reads the text.
      tokens += encode(tool + JSON.stringify(input)).length
      tokens += encode(stringAt(JSON.parse(text), 'result', 'content', 0, 'text')).length
      return output
    }
    const find: Agent['find'] = async (search) =>
      stringAt(await call('customer_list', { search, limit: '5' }), 'data', 0, 'customerId')
    await work({ call, find })
    told.push(`${name}: ${calls} calls, ${tokens} tokens`)
    expect(calls).toBeLessThanOrEqual(MOST_CALLS)
    expect(tokens).toBeLessThanOrEqual(MOST_TOKENS)
  }

  it('onboard with portal access and an agent at cost + 30 %', () =>
    task('onboard with access and a mapped agent at a margin', async ({ call }) => {
      const made = await call('customer_onboard', {
        basic: { email: 'ida@example.com', firstName: 'Ida' },
        allowPortalAccess: 'true'
      })
      const free = await call('voice_agent_list', { search: agentId, isMapped: false })
      const mapped = await call('voice_agent_map', {
        provider: at(free, 'data', 0, 'provider'),
        agentId: at(free, 'data', 0, 'id'),
        customerId: at(made, 'data', 'id'),
        profitMultiplier: 1.3
      })
      expect(at(mapped, 'agent', 'profitMultiplier')).toBe(1.3)
    }))

  it('what did she say about prices in October', () =>
    task('what did she say about prices last month', async ({ call, find }) => {
      const customerId = await find('clinica sol')
      const found = await call('memory_search', {
        customerId,
        query: 'price',
        since: '2026-10-01',
        until: '2026-10-31'
      })
      expect(at(found, 'memories', 0, 'content')).toContain('49')
    }))

  it('remember these ten', () =>
    task('remember these ten', async ({ call, find }) => {
      const customerId = await find('Dana')
      const contents = Array.from(
        { length: 10 },
        (_, i) => `Dana: My ${i + 1}. branch is in street ${i + 7}.`
      )
      expect(at(await call('memory_remember_many', { customerId, contents }), 'kept')).toBe(10)
    }))

  it('she moved: correct it', () =>
    task('she moved, correct it', async ({ call, find }) => {
      const customerId = await find('Dana')
      const wrong = await call('memory_search', { customerId, query: 'where she lives', limit: 3 })
      const memories = at(wrong, 'memories')
      const porto = Array.isArray(memories)
        ? memories.find((one: unknown) => stringAt(one, 'content').includes('Porto'))
        : undefined
      const supersedes = at(porto, 'id')
      const corrected = { customerId, content: 'Dana: I live in Lisbon.', supersedes }
      expect(at(await call('memory_remember', corrected), 'duplicate')).toBe(false)
    }))

  it('who was invited and hasn’t come', () =>
    task('who was invited and hasn’t come', async ({ call }) => {
      const invited = await call('customer_list', { credentialStatus: 'active', hasEntered: false })
      expect(JSON.stringify(invited)).toContain('Reyes')
    }))

  it('what do we bill her, in which currency', () =>
    task('what do we bill her', async ({ call, find }) => {
      const customer = await call('customer_get', { customerId: await find('Reyes') })
      expect(at(customer, 'data', 'estimatedPrice')).toEqual(expect.any(Number))
      expect(at(customer, 'data', 'currency')).toBe('USD')
      expect(at(customer, 'data', 'unbilledAmount')).toEqual(expect.any(Number))
    }))

  it('switch off a customer that doesn’t pay', () =>
    task('switch off a customer that doesn’t pay', async ({ call, find }) => {
      const customerId = await find('Ida')
      const blocked = await call('customer_toggle_portal_block', { customerId, newStatus: 'suspended' })
      expect(at(blocked, 'newStatus')).toBe('suspended')
      await call('voice_agent_unmap', { provider: 'b', agentId, customerId })
    }))

  it('give her 500 credits', () =>
    task('give her 500 credits', async ({ call, find }) => {
      const granted = await call('credits_grant', {
        customerId: await find('Dana'),
        amount: '500',
        note: 'goodwill'
      })
      expect(at(granted, 'data', 'balance')).toBe(500)
    }))

  it('which plans are there; put her on one', () =>
    task('put her on a plan', async ({ call, find }) => {
      const plans = await call('plan_list', { kind: 'subscription' })
      expect(at(plans, 'data', 0, 'planId')).toBe(planId)
      const updated = await call('customer_update', { customerId: await find('Dana'), planId })
      expect(at(updated, 'data', 'planId')).toBe(planId)
    }))

  it('invite her colleague to the team', () =>
    task('invite a colleague to the team', async ({ call, find }) => {
      const added = await call('team_member_add', {
        customerId: await find('Dana'),
        email: uniqueEmail(),
        name: 'Tom'
      })
      expect(at(added, 'data', 'status')).toBe('pending')
    }))

  it('what was used last month, and what is owed for it', () =>
    task('what did we use last month', async ({ call }) => {
      await call('usage_summary', { from: '2026-10-01', to: '2026-10-31' })
      await call('statement_list', { status: 'draft' })
    }))

  it('is her server up', () =>
    task('is her server up', async ({ call, find }) => {
      const servers = await call('instance_list', { customerId: await find('Dana') })
      await call('instance_deploy_status', { instanceId: at(servers, 'data', 0, 'instanceId') })
    }))
})
