// Plans in the console: their forms, and what a customer has.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type ConsoleBrowser, enterConsole, formOn } from './console-visitor.ts'

describe('plans in the console', () => {
  let server: TestServer
  let browser: ConsoleBrowser
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    browser = await enterConsole(server, server.partner)
  })
  afterAll(() => server.close())

  const act = (name: string, input: Record<string, unknown>) =>
    run(server.service, server.partner.partnerId, name, input)
  const makePlan = async (given: Record<string, unknown>) =>
    stringAt(await act('plan_create', { features: {}, ...given }), 'data', 'planId')
  const makeCustomer = async () =>
    stringAt(await act('customer_create', { email: uniqueEmail() }), 'data', 'id')

  it('are created with price, period and credits', async () => {
    const { action, fields } = formOn(await browser.get('/plans/new'), '/console/plans/new')
    const typed = { ...fields, name: 'Yearly', price: '99.5', period: 'year', credits: '12' }
    const { text } = await browser.submit(action, typed)
    expect(text).toContain('$99.50 a year, 12 credits')
  })

  it('are changed from what they were, and archived', async () => {
    const features = { enableAiMemory: false, maxTeamMembers: 3, allowedApps: ['cli-agent'] }
    const planId = await makePlan({ name: 'Old', kind: 'subscription', price: 10, features })
    const path = `/console/plans/${planId}`
    const { action, fields } = formOn(await browser.get(path), path)
    await browser.submit(action, { ...fields, name: 'New', price: '' })
    const plan = async () => at(await act('plan_list', { planId }), 'data', '0')
    expect(await plan()).toMatchObject({ name: 'New', price: null, features, version: 2 })
    const archived = await browser.submit(`${path}/archive`, { isArchived: 'true' })
    expect(archived.text).toContain('Archived')
    expect(await plan()).toMatchObject({ isArchived: true, name: 'New' })
    expect((await browser.get('/customers/onboard')).html).not.toContain(planId)
  })

  it('say at the field what a pack lacks', async () => {
    const pack = { name: 'P', kind: 'credit', period: 'month', price: '5', credits: '' }
    const { status, text } = await browser.post('/plans/new', pack)
    expect([status, text]).toEqual([400, expect.stringContaining('Credits is needed beside price')])
  })

  it('are given to a customer, changed and ended, with their history', async () => {
    const planId = await makePlan({ name: 'Monthly', kind: 'subscription', price: 30 })
    const customerId = await makeCustomer()
    const path = `/console/customers/${customerId}/billing`
    const { action, fields } = formOn(await browser.get(path), `${path}/give`)
    const given = await browser.submit(action, { ...fields, planId })
    expect(given.text).toMatch(/The customer has that plan now.*Monthly.*Active.*\$30.00 a month/s)
    expect(at(await act('customer_get', { customerId }), 'data')).toMatchObject({
      planId,
      unbilledAmount: 30
    })
    const ended = await browser.submit(action, { planId: '' })
    expect(ended.text).toMatch(/The customer has no plan now.*Ended/s)
    const { status, text } = await browser.post(`${path}/give`, { planId: 'pln_none' })
    expect([status, text]).toEqual([400, expect.stringContaining('not one of your subscription plans')])
  })
})
