import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { at, makePartner, makePlan, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { customersOf } from './customers.ts'

describe.each(databases)('onboarding customers on %s', (kind) => {
  let server: TestServer
  let partner: TestPartner

  beforeAll(async () => {
    server = await startTestServer(kind)
    partner = await makePartner(server.service)
  })
  afterAll(() => server.close())

  const { post, get } = customersOf(
    () => server,
    () => partner
  )

  it('applies a plan’s features, subscription and trial', async () => {
    const planId = await makePlan(server.service, partner.partnerId, 'subscription', {
      enableAiMemory: true,
      maxTeamMembers: 20,
      aiCreditPricePerMinute: 0.1,
      allowedApps: [],
      trialDays: 14
    })
    const email = uniqueEmail()
    const { body } = await post('/customers/onboard', { basic: { email }, planId })
    expect((await get(`/customers/${stringAt(body, 'data', 'id')}`)).body).toMatchObject({
      data: { enableAiMemory: true, maxTeamMembers: 20, aiCreditPricePerMinute: 0.1, allowedApps: [] }
    })
    expect((await get(`/customers?search=${email}`)).body).toMatchObject({
      data: [{ subscriptions: 1, subscriptionStatus: 'trialing', isOnTrial: true }]
    })
  })

  it('refuses a plan that is unknown, of another partner, or for credits, and makes no customer', async () => {
    const stranger = await makePartner(server.service)
    const plans = [
      'pln_nothing',
      await makePlan(server.service, stranger.partnerId),
      await makePlan(server.service, partner.partnerId, 'credit')
    ]
    for (const planId of plans) {
      const email = uniqueEmail()
      const { status, body } = await post('/customers/onboard', { basic: { email }, planId })
      expect([status, at(body, 'field')]).toEqual([400, 'planId'])
      expect((await get(`/customers?search=${email}`)).body).toMatchObject({
        pagination: { totalCount: 0 }
      })
    }
  })

  it.each(['/customers/onboard', '/customers'])(
    'refuses an e-mail that the partner has, whatever its case, on %s',
    async (path) => {
      const email = `Case.${uniqueEmail()}`
      const bodyWith = (address: string) =>
        path === '/customers' ? { email: address } : { basic: { email: address } }
      expect((await post(path, bodyWith(email))).status).toBe(200)
      const again = await post(path, bodyWith(email.toUpperCase()))
      expect(again).toMatchObject({ status: 400, body: { code: 'email_exists' } })
      const stranger = await makePartner(server.service)
      expect((await post(path, bodyWith(email), stranger.key)).status).toBe(200)
    }
  )

  it('makes one customer of twenty equal requests that race', async () => {
    const email = uniqueEmail()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        post('/customers/onboard', { basic: { email }, allowPortalAccess: true })
      )
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(400)])
    expect((await get(`/customers?search=${email}`)).body).toMatchObject({ pagination: { totalCount: 1 } })
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('takes null in what is optional as absent', async () => {
    const nothing = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]))
    const basic = nothing('firstName', 'lastName', 'businessPhone')
    const groups = {
      business: nothing('companyName', 'monthlyCallVolume', 'peakHours'),
      requirements: nothing(
        'primaryUseCase',
        'callComplexity',
        'scriptComplexity',
        'customAutomation',
        'languages'
      ),
      integration: nothing('crmSystem', 'phoneSystem'),
      deployment: nothing('deploymentTimeline', 'wantsDemo')
    }
    const flags = nothing('isQuickOnboarding', 'allowPortalAccess', 'planId')
    const bare = await post('/customers/onboard', { basic: { email: uniqueEmail() } })
    const own = { id: '', customerId: '', email: '', createdAt: '', updatedAt: '' }
    const recordOf = async (body: unknown) => ({
      ...Object(at((await get(`/customers/${stringAt(body, 'data', 'id')}`)).body, 'data')),
      ...own
    })
    for (const sent of [{}, groups, nothing(...Object.keys(groups))]) {
      const email = uniqueEmail()
      const { status, body } = await post('/customers/onboard', {
        basic: { ...basic, email },
        ...sent,
        ...flags
      })
      expect([status, { ...Object(body.data), ...own }]).toEqual([200, { ...Object(bare.body.data), ...own }])
      expect(await recordOf(body)).toEqual(await recordOf(bare.body))
    }
    const created = await post('/customers', { ...basic, ...nothing('companyName'), email: uniqueEmail() })
    expect(await recordOf(created.body)).toEqual(await recordOf(bare.body))
  })

  it('refuses null in what is required', async () => {
    for (const [body, field] of [
      [{ basic: null }, 'basic'],
      [{ basic: { email: null } }, 'basic.email'],
      [{ basic: { email: uniqueEmail() }, nonsense: null }, 'nonsense']
    ] as const) {
      expect(await post('/customers/onboard', body)).toMatchObject({ status: 400, body: { field } })
    }
  })

  it('passes over an app of an older plan that the catalog doesn’t have', async () => {
    const planId = await makePlan(server.service, partner.partnerId)
    await server.service.database.transaction((tx) =>
      tx
        .updateTable('plan')
        .set({ features: '{"allowedApps":["crm","cli-agent","cli-agent"]}' })
        .where('id', '=', planId)
        .execute()
    )
    const { body } = await post('/customers/onboard', { basic: { email: uniqueEmail() }, planId })
    expect((await get(`/customers/${stringAt(body, 'data', 'id')}`)).body).toMatchObject({
      data: { allowedApps: ['cli-agent'] }
    })
    const plans = (await get('/plans?limit=100')).body.data
    expect(plans).toContainEqual(
      expect.objectContaining({ planId, features: { allowedApps: ['cli-agent'] } })
    )
  })

  it('starts a customer with the documented defaults', async () => {
    const id = stringAt(
      (await post('/customers/onboard', { basic: { email: uniqueEmail() } })).body,
      'data',
      'id'
    )
    expect((await get(`/customers/${id}`)).body).toMatchObject({
      data: {
        orderStatus: 'new',
        dealStatus: 'won',
        billingType: 'postpaid',
        agreedPrice: null,
        deploymentStatus: 'pending',
        deploymentNotes: null,
        deploymentCompletedAt: null,
        credentialStatus: 'none',
        enableTeamMembers: true,
        maxTeamMembers: 5,
        showKnowledgeBase: true,
        showIntegration: true,
        allowedApps: ['cli-agent', 'shell-agent'],
        enableAdvancedAnalytics: false,
        enableApiAccess: false,
        customerPortalEnabled: false,
        aiCreditsEnabled: false,
        lowCreditNotificationsEnabled: false,
        enableAiMemory: false,
        creditPlanIds: []
      }
    })
  })

  it('prices the answers so that the breakdown sums to the estimate', async () => {
    const { body } = await post('/customers/onboard', {
      basic: { email: uniqueEmail() },
      business: { monthlyCallVolume: '1,000-5,000' },
      requirements: {
        callComplexity: 'High',
        scriptComplexity: 'medium',
        customAutomation: 'routing',
        languages: ['en', 'de', 'fr']
      },
      integration: { crmSystem: 'HubSpot', phoneSystem: 'none' }
    })
    // 499 base; 50 % for high; 15 % for medium; 2 further languages at 10 %; one integration at 49; 20 % automation.
    expect(at(body, 'data', 'estimatedPrice')).toBe(499 + 249.5 + 74.85 + 99.8 + 49 + 99.8)
    const breakdown: unknown = JSON.parse(stringAt(body, 'data', 'priceBreakdown'))
    const items = at(breakdown, 'items')
    const sum = Array.isArray(items)
      ? items.reduce((total, line) => total + Number(at(line, 'amount')), 0)
      : Number.NaN
    expect(sum).toBeCloseTo(Number(at(body, 'data', 'estimatedPrice')), 6)
  })

  it.each([
    ['0-500', 99],
    ['500', 99],
    ['501 - 1000', 199],
    ['1k-5k', 499],
    ['5,000-10,000', 899],
    ['10000+', 1499],
    ['many', 99]
  ])('takes the base price of the tier that “%s” reaches', async (monthlyCallVolume, price) => {
    const { body } = await post('/customers/onboard', {
      basic: { email: uniqueEmail() },
      business: { monthlyCallVolume }
    })
    expect(at(body, 'data', 'estimatedPrice')).toBe(price)
  })

  it('leaves the extended answers out of the price of a quick onboarding, and keeps them', async () => {
    const { body } = await post('/customers/onboard', {
      basic: { email: uniqueEmail() },
      business: { companyName: 'X', monthlyCallVolume: '0-500' },
      requirements: { callComplexity: 'high', primaryUseCase: 'Sales' },
      deployment: { deploymentTimeline: 'now' },
      isQuickOnboarding: true
    })
    expect(body).toMatchObject({ data: { estimatedPrice: 99, isOnboardingCompleted: false } })
    const kept = await get(`/customers/${stringAt(body, 'data', 'id')}`)
    expect(kept.body).toMatchObject({ data: { callComplexity: 'high', primaryUseCase: 'Sales' } })
  })

  it('is complete when company, volume, use case and timeline are there', async () => {
    const answers = {
      business: { companyName: 'X', monthlyCallVolume: '0-500' },
      requirements: { primaryUseCase: 'Sales' },
      deployment: { deploymentTimeline: 'now' }
    }
    const whole = await post('/customers/onboard', { basic: { email: uniqueEmail() }, ...answers })
    expect(at(whole.body, 'data', 'isOnboardingCompleted')).toBe(true)
    const { deployment: _left, ...rest } = answers
    const part = await post('/customers/onboard', { basic: { email: uniqueEmail() }, ...rest })
    expect(at(part.body, 'data', 'isOnboardingCompleted')).toBe(false)
  })

  it.each([
    'not-an-address',
    '',
    'a@b',
    'a b@example.com',
    'a@example.com\nBcc: x@y.z',
    `${'a'.repeat(250)}@example.com`
  ])('refuses the e-mail %j', async (email) => {
    const { status, body } = await post('/customers/onboard', { basic: { email } })
    expect([status, at(body, 'field')]).toEqual([400, 'basic.email'])
  })
})
