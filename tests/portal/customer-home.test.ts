// What a customer sees first, and that what is switched off is absent.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { execute } from '../../src/execute.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import { listVoiceAgents } from '../../src/voice-agents/operations.ts'
import { makeCall } from '../support/calls.ts'
import { makePartner, makeVoiceAgent, run, stringAt } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { startAtNoon } from '../support/noon.ts'
import { makePortalCustomer, makeTeamMate, textOf } from './customer-visitors.ts'

describe('a customer’s home', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  afterAll(() => server.close())

  const homeOf = async (changes: Record<string, unknown> = {}) => {
    const { owner, customerId } = await makePortalCustomer(server, server.partner, changes)
    return { customerId, owner, home: async () => textOf((await owner.get('')).html) }
  }

  /** What the list of first steps says, and its buttons; nothing once it is gone. */
  const stepsOn = (html: string) => {
    const [list] = html.match(/<ol class="steps">.*?<\/ol>/s) ?? []
    if (list === undefined) return undefined
    const links = [...list.matchAll(/href="\/portal\/[^/]+\/([^"]+)"/g)]
    return { text: textOf(list), buttons: links.map(([, to]) => to) }
  }

  const mapAgent = async (partnerId: string, customerId: string) =>
    run(server.service, partnerId, 'voice_a_agent_map_customer', {
      agentId: await makeVoiceAgent(server.service, partnerId, 'a'),
      customerId,
      profitMultiplier: 1.4
    })

  it('says what to do first while there is nothing, and has a button for what is next', async () => {
    const { owner } = await homeOf()
    const steps = stepsOn((await owner.get('')).html)
    for (const step of ['Write a first memory to do', 'Connect an agent to do', 'Invite your team to do'])
      expect(steps?.text).toContain(step)
    expect(steps?.buttons).toEqual(['memory'])
  })

  it('ticks each step that is done, and is without steps once all are', async () => {
    const { owner, customerId } = await homeOf()
    const { partnerId } = server.partner
    await run(server.service, partnerId, 'memory_remember', { customerId, content: 'Ada: I like tea.' })
    const one = stepsOn((await owner.get('')).html)
    expect(one?.text).toContain('Write a first memory done Connect an agent to do')
    expect(one?.buttons).toEqual(['agents'])
    await run(server.service, partnerId, 'customer_token_mint', { customerId, name: 'Reception' })
    const two = stepsOn((await owner.get('')).html)
    expect(two?.text).toMatch(/Connect an agent done Invite your team to do/)
    expect(two?.buttons).toEqual(['team'])
    await makeTeamMate(server, server.partner, customerId, 'member')
    expect(stepsOn((await owner.get('')).html)).toBeUndefined()
  })

  it('says that remembering takes credits where there are none, to buy where there are packs', async () => {
    const { owner, customerId } = await homeOf({ aiCreditsEnabled: true })
    const { partnerId } = server.partner
    const asking = stepsOn((await owner.get('')).html)
    expect(asking?.text).toMatch(/It takes 1 credit, and you have too few\. Ask Partner \w+ for credits\./)
    expect(asking?.buttons).toEqual(['agents'])
    const pack = { name: '500 credits', kind: 'credit', features: {}, price: 49, credits: 500 }
    const planId = stringAt(await run(server.service, partnerId, 'plan_create', pack), 'data', 'planId')
    await run(server.service, partnerId, 'customer_update', { customerId, creditPlanIds: [planId] })
    expect(stepsOn((await owner.get('')).html)?.buttons).toEqual(['packs', 'agents'])
    await run(server.service, partnerId, 'credits_grant', { customerId, amount: 1 })
    expect(stepsOn((await owner.get('')).html)?.buttons).toEqual(['memory'])
  })

  it('lets a customer that is billed for its use begin without credits', async () => {
    const billed = { billingType: 'postpaid', aiCreditPricePerMinute: 0.1 }
    const { owner } = await homeOf({ aiCreditsEnabled: true, ...billed })
    expect(stepsOn((await owner.get('')).html)?.buttons).toEqual(['memory'])
  })

  it('has no step for what the customer can’t do', async () => {
    const { owner } = await homeOf({ enableApiAccess: false, maxTeamMembers: 0 })
    expect(stepsOn((await owner.get('')).html)?.text).not.toMatch(/Connect an agent|Invite your team/)
  })

  it('shows its own voice agents, calls, minutes and what is owed, to who manages and where analytics are on', async () => {
    const partner = await makePartner(server.service)
    const on = { enableAdvancedAnalytics: true }
    const [ada, other] = [
      await makePortalCustomer(server, partner, on),
      await makePortalCustomer(server, partner, on)
    ]
    for (const [{ customerId }, durationMs] of [
      [ada, 90_000],
      [ada, 60_000],
      [other, 600_000]
    ] as const)
      await makeCall(server.service, partner.partnerId, { customerId, durationMs })
    for (const { customerId } of [ada, other, other]) await mapAgent(partner.partnerId, customerId)
    const text = textOf((await ada.owner.get('')).html)
    expect(text).toContain('1 voice agent 2 calls in 30 days 3 minutes in 30 days $0.28 owed, not billed yet')
    const { browser } = await makeTeamMate(server, partner, ada.customerId, 'member')
    expect(textOf((await browser.get('')).html)).not.toMatch(/voice agent|in 30 days|\bowed\b/)
    await run(server.service, partner.partnerId, 'customer_update', {
      customerId: ada.customerId,
      enableAdvancedAnalytics: false
    })
    expect(textOf((await ada.owner.get('')).html)).not.toMatch(/voice agent|in 30 days|\bowed\b/)
  })

  it('tells the portal no multiplier of the partner’s', async () => {
    const { customerId } = await homeOf()
    const { partnerId } = server.partner
    await mapAgent(partnerId, customerId)
    const asked = (own: { customerId?: string }) => {
      const caller = { partnerId, actor: 'idn_test', scopes: new Set(SCOPES), ...own }
      return execute(listVoiceAgents, server.service, { caller, requestId: 'req_test' }, { customerId })
    }
    expect((await asked({ customerId })).output).toMatchObject({ data: [{ profitMultiplier: null }] })
    expect((await asked({})).output).toMatchObject({ data: [{ profitMultiplier: 1.4 }] })
  })

  it('leads everybody in the team to the chat with the agent, by its name and state', async () => {
    const { customerId, owner } = await homeOf()
    const { partnerId } = server.partner
    expect(textOf((await owner.get('')).html)).not.toContain('Open the chat')
    const { customerId: neighbour } = await homeOf()
    await makeInstance(server.service, partnerId, neighbour, { status: 'cli-agent', agentName: 'Luna' })
    const { id } = await makeInstance(server.service, partnerId, customerId, {
      status: 'deploying:cli-agent',
      agentName: 'Sol'
    })
    const { browser } = await makeTeamMate(server, server.partner, customerId, 'member')
    const change = (columns: Partial<InstanceRow>) =>
      server.service.database.transaction((tx) =>
        tx.updateTable('instance').set(columns).where('id', '=', id).execute()
      )
    for (const [columns, state] of [
      [{}, 'Being set up'],
      [{ status: 'cli-agent' }, 'Ready'],
      [{ unreachableSince: '2026-01-01T00:00:00.000Z' }, 'Doesn’t answer']
    ] as const) {
      if (Object.keys(columns).length > 0) await change(columns)
      for (const visitor of [owner, browser]) {
        const { html } = await visitor.get('')
        expect(textOf(html)).toContain(`Sol ${state} Open the chat`)
        expect(textOf(html)).not.toContain('Luna')
      }
    }
  })

  it('shows everybody what is coming up, of the part that agents use and of the one that was told last', async () => {
    const { customerId, owner } = await homeOf()
    const { partnerId } = server.partner
    const remember = (content: string, more = {}) =>
      run(server.service, partnerId, 'memory_remember', { customerId, content, ...more })
    await remember('Dana: My dentist appointment is on 2091-03-05 at 14:30.')
    const made = await run(server.service, partnerId, 'memory_create_mind', { customerId, name: 'Cars' })
    await remember('Tom: The car goes to inspection on 2091-02-01.', { mindId: stringAt(made, 'mindId') })
    const { browser } = await makeTeamMate(server, server.partner, customerId, 'member')
    for (const visitor of [owner, browser])
      expect(textOf((await visitor.get('')).html)).toMatch(
        /Coming up 1 Feb 2091 Tom: The car.* 5 Mar 2091 14:30 Dana: My dentist/
      )
  })

  it('counts memories and places, and shows what was remembered last', async () => {
    const { home, customerId } = await homeOf({ maxTeamMembers: 3 })
    const { partnerId } = server.partner
    await run(server.service, partnerId, 'memory_remember', { customerId, content: 'Ada: I like tea.' })
    await run(server.service, partnerId, 'memory_remember', { customerId, content: 'Ada: I like maps.' })
    await makeTeamMate(server, server.partner, customerId, 'member')
    const text = await home()
    expect(text).toContain('2 memories')
    expect(text).toContain('1 of 3 places in your team')
    expect(text).toMatch(/Remembered last.*Ada: I like maps\./)
    expect(text).not.toContain('Coming up')
  })

  it('shows credits to those who pay by them, and warns when they run low', async () => {
    const { home, customerId } = await homeOf({ aiCreditsEnabled: true, lowCreditThreshold: 10 })
    expect(await home()).toMatch(/AI credits 0 credits left\. .*Ask .* for more\. used up/)
    await run(server.service, server.partner.partnerId, 'credits_grant', { customerId, amount: 4 })
    expect(await home()).toMatch(/4 credits left\. .*for more\. low/)
    await run(server.service, server.partner.partnerId, 'credits_grant', { customerId, amount: 96 })
    const text = await home()
    expect(text).toContain('100 credits left.')
    expect(text).not.toContain('for more')
    expect(text).not.toContain('credits a day')
  })

  it('charts the credits of each day where analytics are on', async () => {
    startAtNoon()
    const { home, customerId } = await homeOf({ aiCreditsEnabled: true, enableAdvancedAnalytics: true })
    const { partnerId } = server.partner
    await run(server.service, partnerId, 'credits_grant', { customerId, amount: 10 })
    await run(server.service, partnerId, 'memory_remember', { customerId, content: 'Ada: I like tea.' })
    const text = await home()
    expect(text).toContain('Used credits a day')
    const today = new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC'
    }).format()
    expect(text).toContain(`${today} 1`)
  })

  it('has no credits for a customer without credits of its own', async () => {
    const { home } = await homeOf({ enableAdvancedAnalytics: true })
    expect(await home()).not.toMatch(/credit/i)
  })

  it('is nearly empty where all is switched off', async () => {
    const { home } = await homeOf({
      enableAiMemory: false,
      enableTeamMembers: false,
      showIntegration: false
    })
    const text = await home()
    expect(text).toContain('Nothing is switched on for you yet')
    expect(text).not.toMatch(/memories|tokens|places/)
  })

  it('shows a member the memory and nothing of credits, team and tokens', async () => {
    const { customerId } = await homeOf({ aiCreditsEnabled: true, enableAdvancedAnalytics: true })
    const { browser } = await makeTeamMate(server, server.partner, customerId, 'member')
    const { status, html } = await browser.get('')
    expect(status).toBe(200)
    expect(textOf(html)).toContain('0 memories')
    expect(textOf(html)).not.toMatch(/credit|token|places|Connect an agent/i)
  })
})
