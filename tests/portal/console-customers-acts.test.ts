// What is done to one customer in the console: onboarding, portal access, agents, team.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, makePlan, makeVoiceAgent, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { customersInConsole } from './console-customers.ts'
import { type ConsoleBrowser, enterConsole, formOn } from './console-visitor.ts'

let server: TestServer
let browser: ConsoleBrowser

beforeAll(async () => {
  server = await startTestServer('sqlite')
  browser = await enterConsole(server, server.partner)
})
afterAll(() => server.close())

const { act, makeCustomer, customer, pathOf } = customersInConsole(() => server)

describe('a customer’s page', () => {
  it('tells how it is billed and how far its agents are in words', async () => {
    const customerId = await makeCustomer({ deploymentStatus: 'agent_ready' })
    const { text } = await browser.get(pathOf(customerId))
    expect(text).toMatch(/Deployment\s*Agent ready/)
    expect(text).toMatch(/Billing\s*Postpaid/)
  })
})

describe('onboarding in the console', () => {
  it('needs an e-mail address and nothing else, and shows the price', async () => {
    const form = formOn(await browser.get('/customers/onboard'), '/console/customers/onboard')
    const email = uniqueEmail()
    const { allowPortalAccess: _none, ...fields } = form.fields
    const page = await browser.submit(form.action, { ...fields, email })
    expect(page.text).toContain('The customer was onboarded. The estimated price is')
    expect(page.text).toContain('Base price')
    expect(page.text).toContain(email)
  })

  it('keeps every answer and mails the invite', async () => {
    const planId = await makePlan(server.service, server.partner.partnerId, 'subscription', {
      enableAiMemory: true,
      trialDays: 14
    })
    const email = uniqueEmail()
    const answers = {
      firstName: 'Ada',
      lastName: 'O’Neill',
      businessPhone: '+1 555 0100',
      companyName: 'Müller & <Söhne>',
      monthlyCallVolume: '1000-5000',
      peakHours: '9:00-17:00',
      primaryUseCase: 'Booking',
      callComplexity: 'high',
      scriptComplexity: 'simple',
      customAutomation: 'Calendar',
      crmSystem: 'HubSpot',
      phoneSystem: 'Twilio',
      deploymentTimeline: '1 month'
    }
    const page = await browser.submit('/console/customers/onboard', {
      ...answers,
      email,
      languages: 'English\r\nDeutsch',
      wantsDemo: 'true',
      planId,
      allowPortalAccess: 'true'
    })
    expect(page.text).toContain('a portal invite is on its way')
    const [item] = [at(await act('customer_list', { search: email }), 'data')].flat()
    expect(item).toMatchObject({ credentialStatus: 'active', isOnTrial: true })
    expect(await customer(stringAt(item, 'id'))).toMatchObject({
      ...answers,
      languages: ['English', 'Deutsch'],
      wantsDemo: true,
      enableAiMemory: true
    })
  })

  it.each([
    ['', 'E-mail is not a valid e-mail address.'],
    ['nobody', 'E-mail is not a valid e-mail address.']
  ])('shows at its field that “%s” is no address, and keeps what was typed', async (email, words) => {
    const refused = await browser.post('/customers/onboard', {
      email,
      companyName: '"><script>alert(1)</script>',
      allowPortalAccess: 'true'
    })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(words)
    expect(refused.html).not.toContain('<script>alert')
    const again = formOn(refused, '/console/customers/onboard').fields
    expect(again).toMatchObject({ companyName: '"><script>alert(1)</script>', allowPortalAccess: 'true' })
    expect(again).not.toHaveProperty('isQuickOnboarding')
  })

  it('says who has the address already', async () => {
    const email = uniqueEmail()
    await act('customer_create', { email })
    const refused = await browser.post('/customers/onboard', { email: email.toUpperCase() })
    expect(refused.status).toBe(400)
    expect(formOn(refused, '/console/customers/onboard').fields.email).toBe(email.toUpperCase())
  })

  it('acts once when its form is sent twice', async () => {
    const form = formOn(await browser.get('/customers/onboard'), '/console/customers/onboard')
    const fields = { ...form.fields, email: uniqueEmail() }
    const [first, second] = [await browser.post(form.action, fields), await browser.post(form.action, fields)]
    expect([first.status, second.status]).toEqual([303, 303])
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
  })
})

describe('portal access in the console', () => {
  it('is opened, blocked and granted again, each page offering what comes next', async () => {
    const customerId = await makeCustomer()
    const path = pathOf(customerId, 'portal-access')
    const invited = await browser.submit(
      `${path}/invite`,
      formOn(await browser.get(path), `${path}/invite`).fields
    )
    expect(invited.text).toContain('an invite is on its way')
    const blocked = await browser.submit(`${path}/block`, formOn(invited, `${path}/block`).fields)
    expect(blocked.text).toContain('Portal access is blocked')
    expect(await customer(customerId)).toMatchObject({ credentialStatus: 'suspended' })
    const granted = await browser.submit(`${path}/block`, formOn(blocked, `${path}/block`).fields)
    expect(granted.text).toContain('Portal access is granted again')
    expect(await customer(customerId)).toMatchObject({ credentialStatus: 'active' })
  })

  it('stays blocked when a page from before is used to block it again', async () => {
    const customerId = await makeCustomer()
    await act('customer_enable_portal_access', { customerId })
    const path = pathOf(customerId, 'portal-access')
    const stale = formOn(await browser.get(path), `${path}/block`)
    await act('customer_toggle_portal_block', { customerId })
    const page = await browser.submit(stale.action, stale.fields)
    expect(page.text).toContain('Portal access was blocked already')
    expect(await customer(customerId)).toMatchObject({ credentialStatus: 'suspended' })
  })

  it('stays blocked when the button is pressed twice, and does nothing without word of what it stands for', async () => {
    const customerId = await makeCustomer()
    await act('customer_enable_portal_access', { customerId })
    const path = pathOf(customerId, 'portal-access')
    const form = formOn(await browser.get(path), `${path}/block`)
    const { idempotencyKey: _, ...keyless } = form.fields
    await Promise.all(
      [form.fields, form.fields, keyless, keyless].map((one) => browser.post(form.action, one))
    )
    expect(await customer(customerId)).toMatchObject({ credentialStatus: 'suspended' })
    const { newStatus: __, ...wordless } = keyless
    expect((await browser.post(form.action, wordless)).status).toBe(400)
    expect(await customer(customerId)).toMatchObject({ credentialStatus: 'suspended' })
  })

  it('sends a reset, and refuses one where there was never an invite', async () => {
    const customerId = await makeCustomer()
    const path = pathOf(customerId, 'portal-access')
    expect((await browser.post(`${path}/reset`)).status).toBe(400)
    await act('customer_enable_portal_access', { customerId })
    const page = await browser.submit(
      `${path}/reset`,
      formOn(await browser.get(path), `${path}/reset`).fields
    )
    expect(page.text).toContain('A password reset e-mail is on its way')
  })
})

describe('a customer’s voice agents in the console', () => {
  const agentsOf = async (customerId: string) =>
    [at(await act('voice_agent_list', { customerId }), 'data')].flat()

  it('are mapped from the list, changed and unmapped', async () => {
    const customerId = await makeCustomer()
    const [a, b] = [await agent('a'), await agent('b')]
    const path = pathOf(customerId, 'voice-agents')
    await browser.submit(`${path}/map`, { agent: `a:${a}`, profitMultiplier: '1.5' })
    await browser.submit(`${path}/map`, { agent: `b:${b}`, profitMultiplier: '2' })
    const byProvider = (await agentsOf(customerId)).toSorted((one, other) =>
      stringAt(one, 'provider').localeCompare(stringAt(other, 'provider'))
    )
    expect(byProvider).toMatchObject([
      { id: a, provider: 'a', profitMultiplier: 1.5 },
      { id: b, provider: 'b', profitMultiplier: 2 }
    ])
    const page = await browser.get(path)
    expect(page.text).toContain('× 1.5')
    const changed = await browser.submit(`${path}/map`, { agent: `a:${a}`, profitMultiplier: '1.75' })
    expect(changed.text).toContain('× 1.75')
    await browser.submit(`${path}/unmap`, { agent: `a:${a}` })
    expect(await agentsOf(customerId)).toMatchObject([{ id: b }])
  })

  it('are mapped since a day in the past where the form says so, and not since one to come', async () => {
    const customerId = await makeCustomer()
    const a = await agent('a')
    const path = pathOf(customerId, 'voice-agents')
    const fields = { agent: `a:${a}`, profitMultiplier: '1.2' }
    const refused = await browser.post(`${path}/map`, { ...fields, since: '2999-01-01T00:00' })
    expect([refused.status, await agentsOf(customerId)]).toEqual([400, []])
    expect(refused.text).toContain('Since (UTC) must be in the past')
    await browser.submit(`${path}/map`, { ...fields, since: '2026-01-02T03:04' })
    expect(await agentsOf(customerId)).toMatchObject([{ id: a, since: '2026-01-02T03:04:00.000Z' }])
  })

  it('are not mapped where none is chosen', async () => {
    await agent('a')
    const path = pathOf(await makeCustomer(), 'voice-agents')
    expect((await browser.post(`${path}/map`, { agent: '', profitMultiplier: '1' })).status).toBe(400)
  })

  it.each(['', '0', '-1', '1001', '1.0000001', 'many'])(
    'refuse the multiplier “%s” at its field',
    async (profitMultiplier) => {
      const customerId = await makeCustomer()
      const a = await agent('a')
      const path = pathOf(customerId, 'voice-agents')
      const refused = await browser.post(`${path}/map`, { agent: `a:${a}`, profitMultiplier })
      expect(refused.status).toBe(400)
      expect(refused.text).toMatch(/Multiplier must (be|have) /)
      expect(formOn(refused, `${path}/map`).fields).toMatchObject({ agent: `a:${a}`, profitMultiplier })
      expect(await agentsOf(customerId)).toEqual([])
    }
  )

  it('of another customer are neither mapped nor unmapped here', async () => {
    const [customerId, other] = [await makeCustomer(), await makeCustomer()]
    const a = await agent('a')
    await act('voice_a_agent_map_customer', { agentId: a, customerId: other, profitMultiplier: 1 })
    const path = pathOf(customerId, 'voice-agents')
    expect((await browser.post(`${path}/map`, { agent: `a:${a}`, profitMultiplier: '2' })).status).toBe(400)
    expect((await browser.post(`${path}/unmap`, { agent: `a:${a}` })).status).toBe(400)
    expect(await agentsOf(other)).toMatchObject([{ id: a, profitMultiplier: 1 }])
  })

  const agent = (provider: 'a' | 'b') => makeVoiceAgent(server.service, server.partner.partnerId, provider)
})

describe('a customer’s team in the console', () => {
  it('is invited and removed, and the page names who', async () => {
    const customerId = await makeCustomer()
    const path = pathOf(customerId, 'team')
    const email = uniqueEmail()
    const page = await browser.submit(`${path}/invite`, { name: 'Grace <Hopper>', email, role: 'admin' })
    expect(page.text).toContain('Grace <Hopper>')
    expect(page.text).toContain('Remove Grace <Hopper>?')
    const [member] = [at(await act('team_member_list', { customerId }), 'data')].flat()
    expect(member).toMatchObject({ email, role: 'admin', status: 'pending' })
    await browser.submit(`${path}/${stringAt(member, 'id')}/remove`)
    expect(at(await act('team_member_list', { customerId }), 'data')).toEqual([])
  })

  it('says why an invite is refused: blank, taken, full, switched off', async () => {
    const customerId = await makeCustomer({ maxTeamMembers: 1 })
    const path = pathOf(customerId, 'team')
    const blank = await browser.post(`${path}/invite`, { name: '  ', email: uniqueEmail() })
    expect([blank.status, blank.text.includes('Name must not be')]).toEqual([400, true])
    const email = uniqueEmail()
    await browser.submit(`${path}/invite`, { name: 'Grace', email })
    const taken = await browser.post(`${path}/invite`, { name: 'Grace', email })
    expect(taken.status).toBe(400)
    const full = await browser.post(`${path}/invite`, { name: 'Alan', email: uniqueEmail() })
    expect([full.status, full.text.includes('team is full')]).toEqual([400, true])
    await act('customer_update', { customerId, enableTeamMembers: false })
    expect((await browser.post(`${path}/invite`, { name: 'Alan', email: uniqueEmail() })).status).toBe(403)
    expect((await browser.get(path)).text).toContain('The team is switched off')
  })
})
