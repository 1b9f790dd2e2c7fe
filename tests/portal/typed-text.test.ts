// Nobody loses a long text because they were signed out, blocked or switched off while typing it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { makePartner, run } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type Browser, makePortalCustomer, makeTeamMate, type PortalCustomer } from './customer-visitors.ts'
import { siteClient } from './site-client.ts'

const TEXT = 'Ada: the parking moved to the back.\nIt has </textarea><b>twelve</b> places.'
const SHOWN = 'Ada: the parking moved to the back.\nIt has &lt;/textarea&gt;&lt;b&gt;twelve&lt;/b&gt; places.'

describe('a long text that was typed', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  const act = (name: string, input: Record<string, unknown>) =>
    run(server.service, server.partner.partnerId, name, input)
  const remember = (owner: Browser) => owner.post('/memory/remember', { content: TEXT })

  it.each<[string, (customer: PortalCustomer) => Promise<unknown>]>([
    ['was blocked', ({ customerId }) => act('customer_toggle_portal_block', { customerId })],
    ['signed out elsewhere', ({ owner }) => owner.post('/account/sessions/end-all')],
    [
      'has no portal any more',
      ({ customerId }) => act('customer_update', { customerId, customerPortalEnabled: false })
    ]
  ])('is on the page for who %s, which leads back to the form', async (_, end) => {
    const customer = await makePortalCustomer(server)
    await end(customer)
    const { status, html } = await remember(customer.owner)
    expect(status).toBe(401)
    expect(html).toContain('You are signed out')
    expect(html).toContain(SHOWN)
    expect(html).toContain(`/sign-in?next=${encodeURIComponent('/memory/remember')}"`)
    const { minds } = await act('memory_list_minds', { customerId: customer.customerId })
    expect(minds).toEqual([])
  })

  it.each([{ enableAiMemory: false }, { showKnowledgeBase: false }])(
    'is on the page for whom memory was switched off: %j',
    async (changes) => {
      const { customerId, owner } = await makePortalCustomer(server)
      await act('customer_update', { customerId, ...changes })
      const { status, html } = await remember(owner)
      expect(status).toBe(404)
      expect(html).toContain(SHOWN)
    }
  )

  it('is on the page for who may only read by now', async () => {
    const { customerId } = await makePortalCustomer(server)
    const { browser } = await makeTeamMate(server, server.partner, customerId, 'member')
    const { status, html } = await remember(browser)
    expect(status).toBe(403)
    expect(html).toContain(SHOWN)
  })

  it('is on the page where the partner was switched off', async () => {
    const partner = await makePartner(server.service)
    const { owner } = await makePortalCustomer(server, partner)
    await server.service.database.transaction((tx) =>
      updatePartner(tx, partner.partnerId, { isActive: false })
    )
    const { status, html } = await remember(owner)
    expect(status).toBe(404)
    expect(html).toContain(SHOWN)
  })

  it('is on the page where what it was for is gone', async () => {
    const { owner } = await makePortalCustomer(server)
    const { status, html } = await owner.post('/memory/minds/mnd_forgotten/remember', { content: TEXT })
    expect(status).toBe(404)
    expect(html).toContain(SHOWN)
  })

  it('isn’t shown when another site sent it', async () => {
    for (const slug of [server.partner.slug, 'nobody']) {
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      const form = { content: TEXT }
      const { text } = await siteClient(server.url).post(`/portal/${slug}/memory/remember`, { form, headers })
      expect(text).not.toContain('twelve')
    }
  })

  it('is shown without what is secret, and not at all where there is none', async () => {
    const { owner } = await makePortalCustomer(server)
    await owner.post('/account/sessions/end-all')
    const secrets = { password: 'hunter two hunter', token: 'mct_secret', current: 'old secret words' }
    const { status, html } = await owner.post('/memory/ask/answer', {
      question: 'When is lunch?',
      ...secrets
    })
    expect([status, html.includes('When is lunch?')]).toEqual([401, true])
    for (const secret of Object.values(secrets)) expect(html).not.toContain(secret)
    expect((await owner.post('/account/password', secrets)).status).toBe(303)
  })

  it('too long to be read is no reason to fail', async () => {
    const { owner } = await makePortalCustomer(server)
    await owner.post('/account/sessions/end-all')
    expect((await owner.post('/memory/remember', { content: 'x'.repeat(500_000) })).status).toBe(303)
  })
})
