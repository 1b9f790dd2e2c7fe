// Every field of a customer in the forms of the console: set, cleared, refused at its place, and safe from stale pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UpdateCustomer } from '../../schemas/customer.ts'
import { DETAIL_GROUPS, type DetailName } from '../../servers/portal/console-customers/detail-groups.ts'
import { at, makePlan, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type ConsoleBrowser, enterConsole, type FilledForm, formOn } from './console-visitor.ts'

/** What is typed, what the customer then has, and what it has once the field was emptied; or that it can't be. */
interface Example {
  typed: string | string[]
  set: unknown
  cleared: unknown
}

const CANT = Symbol('can’t be cleared')
const text = (typed: string): Example => ({ typed, set: typed, cleared: null })
const onOff: Example = { typed: 'true', set: true, cleared: false }

const examplesFor = (planId: string): Record<DetailName, Example> => ({
  email: { typed: 'Zoe.New@Example.com', set: 'Zoe.New@Example.com', cleared: CANT },
  firstName: text('Zoë'),
  lastName: text('O’Neill & <Sons>'),
  businessPhone: text('+34 900 000 000'),
  companyName: text('"Quotes" & Co'),
  portalLanguage: text('ar'),
  monthlyCallVolume: text('1000-5000'),
  peakHours: text('9:00-17:00'),
  callComplexity: text('high'),
  scriptComplexity: text('simple'),
  primaryUseCase: { typed: 'First line\r\nsecond', set: 'First line\nsecond', cleared: null },
  customAutomation: text('Write to the calendar'),
  languages: { typed: 'English\r\n  Español \r\n\r\n', set: ['English', 'Español'], cleared: null },
  crmSystem: text('HubSpot'),
  phoneSystem: text('Twilio'),
  deploymentTimeline: text('1 month'),
  wantsDemo: { typed: 'false', set: false, cleared: null },
  enableAdvancedAnalytics: onOff,
  enableApiAccess: onOff,
  customerPortalEnabled: onOff,
  showKnowledgeBase: onOff,
  showIntegration: onOff,
  allowedApps: { typed: ['cli-agent'], set: ['cli-agent'], cleared: [] },
  maxTeamMembers: { typed: '12', set: 12, cleared: CANT },
  enableTeamMembers: onOff,
  aiCreditsEnabled: onOff,
  aiCreditPricePerMinute: { typed: '0.000001', set: 0.000001, cleared: null },
  lowCreditThreshold: { typed: '20.5', set: 20.5, cleared: null },
  lowCreditNotificationsEnabled: onOff,
  enableAiMemory: onOff,
  creditPlanIds: { typed: [planId], set: [planId], cleared: [] },
  agreedPrice: { typed: '599.99', set: 599.99, cleared: null },
  billingType: { typed: 'prepaid', set: 'prepaid', cleared: CANT },
  deploymentStatus: { typed: 'porting', set: 'porting', cleared: CANT },
  deploymentNotes: { typed: '\r\nStarts blank', set: 'Starts blank', cleared: null },
  deploymentCompletedAt: { typed: '2026-03-01T09:30', set: '2026-03-01T09:30:00.000Z', cleared: null }
})

describe('a customer’s details in the console', () => {
  let server: TestServer
  let browser: ConsoleBrowser
  let examples: Record<DetailName, Example>

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    browser = await enterConsole(server, server.partner)
    examples = examplesFor(await makePlan(server.service, server.partner.partnerId, 'credit'))
  })
  afterAll(() => server.close())

  const act = (name: string, input: Record<string, unknown>) =>
    run(server.service, server.partner.partnerId, name, input)
  const makeCustomer = async (changes: Record<string, unknown> = {}): Promise<string> => {
    const customerId = stringAt(await act('customer_create', { email: uniqueEmail() }), 'data', 'id')
    await act('customer_update', { customerId, ...changes })
    return customerId
  }
  const valueAt = async (customerId: string, name: string) =>
    at(await act('customer_get', { customerId }), 'data', name)
  const open = async (customerId: string): Promise<FilledForm> =>
    formOn(await browser.get(`/customers/${customerId}/details`), `/console/customers/${customerId}/details`)

  it('have a field for all that PATCH takes, each once, but for the plan', () => {
    const names = DETAIL_GROUPS.flatMap(({ fields }) => fields)
    expect([...names, 'planId'].toSorted()).toEqual(Object.keys(UpdateCustomer.shape).toSorted())
  })

  it.each(DETAIL_GROUPS.map(({ id, fields }) => ({ id, names: fields })))(
    'can be set and cleared: $id',
    async ({ names }) => {
      const given = Object.fromEntries(names.map((name) => [name, examples[name]]))
      // What is on already goes off first, so that setting it shows.
      const off = Object.entries(given)
        .filter(([, { set }]) => set === true || Array.isArray(set))
        .map(([name, { set }]): [string, unknown] => [name, set === true ? false : []])
      const customerId = await makeCustomer(Object.fromEntries(off))
      const values = (part: 'typed' | 'set') =>
        Object.fromEntries(Object.entries(given).map(([name, example]) => [name, example[part]]))

      const form = await open(customerId)
      await browser.submit(form.action, { ...form.fields, ...Object(values('typed')) })
      expect((await act('customer_get', { customerId })).data).toMatchObject(values('set'))

      for (const name of names) {
        const { set, cleared } = examples[name]
        const again = await open(customerId)
        const emptied = await browser.post(again.action, { ...again.fields, [name]: [] })
        expect([name, emptied.status]).toEqual([name, cleared === CANT ? 400 : 303])
        expect([name, await valueAt(customerId, name)]).toEqual([name, cleared === CANT ? set : cleared])
      }
    }
  )

  it('change nothing when saved untouched', async () => {
    const customerId = await makeCustomer({
      firstName: ' Ada ',
      primaryUseCase: '\nA line\r\nand another\n',
      languages: [],
      companyName: '',
      deploymentNotes: '',
      deploymentCompletedAt: '2026-03-01T09:30:12.345Z',
      allowedApps: ['cli-agent'],
      agreedPrice: 0.000001,
      wantsDemo: true
    })
    const before = await act('customer_get', { customerId })
    const form = await open(customerId)
    const page = await browser.submit(form.action, form.fields)
    expect(page.text).toContain('Nothing was changed')
    expect(await act('customer_get', { customerId })).toEqual(before)
  })

  it('don’t bring back what another tab changed meanwhile', async () => {
    const customerId = await makeCustomer({ firstName: 'Ada', lastName: 'Byron', enableAiMemory: false })
    const stale = await open(customerId)
    await act('customer_update', { customerId, firstName: 'Augusta', enableAiMemory: true })
    await browser.submit(stale.action, { ...stale.fields, lastName: 'King' })
    const { data } = await act('customer_get', { customerId })
    expect(data).toMatchObject({ firstName: 'Augusta', lastName: 'King', enableAiMemory: true })
  })

  it('don’t bring it back either after the form was refused once', async () => {
    const customerId = await makeCustomer({ firstName: 'Ada' })
    const stale = await open(customerId)
    await act('customer_update', { customerId, firstName: 'Augusta' })
    const refused = await browser.post(stale.action, { ...stale.fields, email: 'nobody' })
    expect(refused.status).toBe(400)
    const form = formOn(refused, stale.action)
    const email = uniqueEmail()
    await browser.submit(form.action, { ...form.fields, email })
    expect((await act('customer_get', { customerId })).data).toMatchObject({ firstName: 'Augusta', email })
  })

  it('show a refusal at its field, in the form’s words, and keep what was typed', async () => {
    const customerId = await makeCustomer()
    const form = await open(customerId)
    const refused = await browser.post(form.action, {
      ...form.fields,
      email: 'not an <address>',
      companyName: 'Kept & "typed"'
    })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('E-mail is not a valid e-mail address.')
    expect(formOn(refused, form.action).fields).toMatchObject({
      email: 'not an <address>',
      companyName: 'Kept & "typed"'
    })
    expect(refused.html).not.toContain('<address>')
  })

  it('refuse an e-mail address that another customer has', async () => {
    const [first, second] = [await makeCustomer(), await makeCustomer()]
    const taken = String(await valueAt(first, 'email'))
    const before = await valueAt(second, 'email')
    const form = await open(second)
    const refused = await browser.post(form.action, { ...form.fields, email: taken.toUpperCase() })
    expect(refused.status).toBe(400)
    expect(await valueAt(second, 'email')).toBe(before)
  })

  it.each([
    ['lowCreditThreshold', ['-1', 'many', '1e999', '0x10g', '99999999999']],
    ['maxTeamMembers', ['-1', '1.5', '10001', 'many']],
    ['agreedPrice', ['-0.01', 'NaN', 'Infinity']],
    ['deploymentCompletedAt', ['yesterday', '2026-13-01T00:00', '2026-02-30T00:00']],
    ['allowedApps', ['x'.repeat(101), 'two\nlines']],
    ['creditPlanIds', ['pln_of_nobody']]
  ] as const)('refuse what %s can’t be', async (name, values) => {
    const customerId = await makeCustomer()
    const before = await valueAt(customerId, name)
    for (const value of values) {
      const form = await open(customerId)
      const refused = await browser.post(form.action, { ...form.fields, [name]: value })
      expect([value, refused.status]).toEqual([value, 400])
      expect(await valueAt(customerId, name)).toEqual(before)
    }
  })

  it('take the longest notes of any script', async () => {
    const customerId = await makeCustomer()
    const notes = '語'.repeat(10_000)
    const form = await open(customerId)
    await browser.submit(form.action, { ...form.fields, deploymentNotes: notes })
    expect(await valueAt(customerId, 'deploymentNotes')).toBe(notes)
  })

  it('are saved together, whatever group they are in', async () => {
    const customerId = await makeCustomer({ firstName: 'Ada', agreedPrice: 5 })
    const form = await open(customerId)
    const page = await browser.submit(form.action, {
      ...form.fields,
      firstName: 'Augusta',
      agreedPrice: '7',
      deploymentNotes: 'Soon'
    })
    expect(page.text).toContain('Basic, Billing, Deployment: the changes are saved.')
    expect((await act('customer_get', { customerId })).data).toMatchObject({
      firstName: 'Augusta',
      agreedPrice: 7,
      deploymentNotes: 'Soon'
    })
  })

  it('keep all of what is typed where one field is refused, and change nothing', async () => {
    const customerId = await makeCustomer({ firstName: 'Ada', enableAiMemory: false })
    const before = await act('customer_get', { customerId })
    const form = await open(customerId)
    const typed = { firstName: 'Augusta', agreedPrice: '-1', enableAiMemory: 'true', deploymentNotes: 'Soon' }
    const refused = await browser.post(form.action, { ...form.fields, ...typed })
    expect(refused.status).toBe(400)
    expect(formOn(refused, form.action).fields).toMatchObject(typed)
    expect(await act('customer_get', { customerId })).toEqual(before)
  })

  it('change only what was sent where the form doesn’t say what it was made with', async () => {
    const customerId = await makeCustomer({
      firstName: 'Ada',
      enableAiMemory: true,
      allowedApps: ['cli-agent']
    })
    const path = `/console/customers/${customerId}/details`
    await browser.submit(path, { firstName: 'Augusta' })
    expect((await act('customer_get', { customerId })).data).toMatchObject({
      firstName: 'Augusta',
      enableAiMemory: true,
      allowedApps: ['cli-agent']
    })
  })
})
