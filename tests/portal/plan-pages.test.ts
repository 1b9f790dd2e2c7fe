// Plans in the console: their forms, what a customer has, and what is sold to it.
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
  const makeCustomer = async (changes: Record<string, unknown> = {}) => {
    const id = stringAt(await act('customer_create', { email: uniqueEmail() }), 'data', 'id')
    await act('customer_update', { customerId: id, ...changes })
    return id
  }

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
    const plan = async () => (await act('plan_get', { planId })).data
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
    const path = `/console/customers/${customerId}/plan`
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

  it('are sold to a customer as packs', async () => {
    const planId = await makePlan({ name: 'Pack', kind: 'credit', price: 4, credits: 40 })
    const customerId = await makeCustomer({ aiCreditsEnabled: true, creditPlanIds: [planId] })
    const path = `/console/customers/${customerId}/credits`
    expect((await browser.get(path)).text).toContain('$4.00, 40 credits')
    const bought = await browser.submit(`${path}/buy`, { planId, version: '1' })
    expect(bought.text).toContain('Pack was bought. 40 credits are left now.')
    expect((await browser.post(`${path}/buy`, { planId, version: '7' })).status).toBe(400)
  })
})
