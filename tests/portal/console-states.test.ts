// What the console says of portal access, providers' keys and mail is what happened to them, and the dashboard knows it.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { DAY_MS, fromNow, HOUR_MS, MINUTE_MS } from '../../src/clock.ts'
import { closeDue } from '../../src/statements/life.ts'
import { openPostOffice, type PostOffice, refusal } from '../mail/post-office.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type MovedClock, moveClock } from '../support/moved-clock.ts'
import { makeOverdueStatement } from '../support/statements.ts'
import { PROVIDER_KEY, type StandIn, startStandIn } from '../voice-agents/stand-in.ts'
import { enterConsole } from './console-visitor.ts'
import { onboard, PASSWORD, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

const PATIENCE = { timeout: 15_000, interval: 20 }

/** What a partner's console says at that path. */
const saidBy = (server: TestServer, partner: TestPartner) => async (path: string) =>
  (await (await enterConsole(server, partner)).get(path)).text

describe.each(databases)('portal access as the console tells it, on %s', (kind) => {
  let server: TestServer
  let clock: MovedClock | undefined
  beforeAll(async () => {
    server = await startSites(kind, {}, { alone: 'the clock that moves is this process’s' })
  })
  afterEach(() => clock?.restore())
  afterAll(() => server.close())

  const open = async () => {
    const partner = await makePartner(server.service)
    const act = (name: string, input: Record<string, unknown>) =>
      run(server.service, partner.partnerId, name, input)
    const site = `/portal/${partner.slug}`
    return { partner, act, said: saidBy(server, partner), site }
  }
  /** So much later than it really is. */
  const later = (ms: number) => {
    clock?.restore()
    clock = moveClock(Date.now() + ms)
  }

  it('is “Invited” until the link lapses, then “Invite lapsed”, and needs attention for the last two days', async () => {
    const { partner, act, said } = await open()
    const { customerId } = await onboard(server.service, partner.partnerId, uniqueEmail(), 'Engines & Co')
    const other = await open()
    const pages = [`/customers/${customerId}`, `/customers/${customerId}/portal-access`, '/customers']
    for (const page of pages) expect(await said(page)).toContain('Invited link lapses in 7 days')
    expect(await said('')).not.toContain('hasn’t taken the invite')

    later(5 * DAY_MS + MINUTE_MS)
    expect(await said('')).toMatch(/Engines & Co hasn’t taken the invite Invited in 2 days/)
    later(7 * DAY_MS + HOUR_MS)
    for (const page of pages) expect(await said(page)).toContain('Invite lapsed 1 hour ago')
    expect(await said('')).toMatch(/Engines & Co hasn’t taken the invite Invite lapsed 1 hour ago/)
    expect(await other.said('')).not.toContain('Engines & Co')
    expect(await other.said('/customers?need=invite')).not.toContain('Engines & Co')

    await act('customer_enable_portal_access', { customerId })
    for (const page of pages) expect(await said(page)).toContain('Invited link lapses in 7 days')
    expect(await said('')).not.toContain('hasn’t taken the invite')
  })

  it('is “Active” from when the invite was taken, with when its owner was in the portal last, session or not', async () => {
    const { partner, said, site } = await open()
    const { customerId, linkToken } = await onboard(server.service, partner.partnerId, uniqueEmail())
    const browser = siteClient(server.url)
    await browser.post(`${site}/accept`, { form: { token: linkToken, password: PASSWORD } })
    const page = `/customers/${customerId}/portal-access`
    expect(await said(page)).toContain('Active last seen now')
    later(2 * HOUR_MS)
    expect(await said(page)).toContain('Active last seen 2 hours ago')
    await browser.get(site)
    await vi.waitFor(async () => expect(await said(page)).toContain('Active last seen now'), PATIENCE)
    await browser.post(`${site}/sign-out`)
    later(9 * DAY_MS + 2 * HOUR_MS)
    for (const shown of [page, '/customers', `/customers/${customerId}`])
      expect(await said(shown)).toContain('Active last seen 9 days ago')
    expect(await said('')).not.toContain('hasn’t taken the invite')
  })

  it('is still an invite where its temporary password was used and none chosen', async () => {
    const { partner, said, site } = await open()
    const made = await onboard(server.service, partner.partnerId, uniqueEmail())
    const browser = siteClient(server.url)
    const form = { email: made.email, password: made.temporaryPassword }
    expect((await browser.post(`${site}/sign-in`, { form })).status).toBe(303)
    expect(await said(`/customers/${made.customerId}`)).toContain('Invited link lapses in 7 days')
    await browser.post(`${site}/accept`, { form: { token: made.linkToken, password: PASSWORD } })
    expect(await said(`/customers/${made.customerId}`)).toContain('Active last seen now')
  })

  it('is “Blocked”, switched off or never given, whatever became of the invite', async () => {
    const { partner, act, said } = await open()
    const { customerId } = await onboard(server.service, partner.partnerId, uniqueEmail())
    later(8 * DAY_MS)
    await act('customer_toggle_portal_block', { customerId, newStatus: 'suspended' })
    const page = `/customers/${customerId}/portal-access`
    expect(await said(page)).toContain('State Blocked Signs in as')
    expect(await said('')).not.toContain('hasn’t taken the invite')
    await act('customer_toggle_portal_block', { customerId, newStatus: 'active' })
    await act('customer_update', { customerId, customerPortalEnabled: false })
    expect(await said(page)).toContain('State Portal switched off Signs in as')
    expect(await said('')).not.toContain('hasn’t taken the invite')
    const never = stringAt(await act('customer_create', { email: uniqueEmail() }), 'data', 'id')
    expect(await said(`/customers/${never}/portal-access`)).toContain('State Not invited Signs in as')
  })

  it('is in the dashboard five times, with the way to the others', async () => {
    const { partner, act, said } = await open()
    for (let n = 0; n < 7; n += 1)
      await onboard(server.service, partner.partnerId, uniqueEmail(), `Firm ${n}`)
    const soon = fromNow(-HOUR_MS)
    await server.service.database.transaction((tx) =>
      tx
        .updateTable('identity')
        .set({ temporaryPasswordExpiresAt: soon })
        .where('partnerId', '=', partner.partnerId)
        .execute()
    )
    const dashboard = await said('')
    expect(dashboard.match(/Firm \d hasn’t taken the invite/g)).toHaveLength(5)
    expect(dashboard).toContain('and 2 more Invite lapsed')
    const { pagination } = await act('customer_find', { need: 'invite' })
    expect(pagination).toMatchObject({ totalCount: 7 })
    expect((await said('/customers?need=invite')).match(/Invite lapsed 1 hour ago/g)).toHaveLength(7)
  })
})

describe('the last test of a provider’s key', () => {
  let server: TestServer
  let provider: StandIn
  beforeAll(async () => {
    provider = await startStandIn('a', [{ id: 'one', name: 'One' }])
    server = await startTestServer('sqlite', { PROVIDER_A_URL: provider.url, PROVIDER_TIMEOUT_MS: '1000' })
  })
  afterAll(async () => {
    await provider.close()
    await server.close()
  })

  it('is kept with when it was and what it said, for its partner alone, until there is another key', async () => {
    const partner = await makePartner(server.service)
    const other = await makePartner(server.service)
    const [mine, theirs] = [await enterConsole(server, partner), await enterConsole(server, other)]
    for (const browser of [mine, theirs]) {
      await browser.post('/providers/a/key', { key: PROVIDER_KEY })
      expect((await browser.get('/providers')).text).toMatch(/Vapi.*It was not tested yet\. Not tested/)
    }
    await mine.post('/providers/a/test')
    expect((await mine.get('/providers')).text).toMatch(/Tested now : it works\. Works/)
    provider.behave('refuses-key')
    await mine.post('/providers/a/test')
    provider.behave('good')
    expect((await mine.get('/providers')).text).toMatch(
      /Tested now : (Vapi|Voice-agent provider A) refused your key\. Set a valid one and try again\. Test failed/
    )
    expect((await theirs.get('/providers')).text).toContain('It was not tested yet.')
    await mine.post('/providers/a/key', { key: PROVIDER_KEY })
    expect((await mine.get('/providers')).text).toContain('It was not tested yet.')
  })

  it('says nothing of a key that was set while the other one was tested', async () => {
    const partner = await makePartner(server.service)
    const browser = await enterConsole(server, partner)
    await browser.post('/providers/a/key', { key: PROVIDER_KEY })
    provider.behave('silent')
    const asked = provider.requests.length
    const testing = browser.post('/providers/a/test')
    await vi.waitFor(() => expect(provider.requests.length).toBeGreaterThan(asked), PATIENCE)
    await browser.post('/providers/a/key', { key: PROVIDER_KEY })
    await testing
    provider.behave('good')
    expect((await browser.get('/providers')).text).toContain('It was not tested yet.')
  })
})

describe('mail and statements', () => {
  let server: TestServer
  let office: PostOffice
  beforeAll(async () => {
    office = await openPostOffice({
      onLetter(letter) {
        if (letter.to?.[0]?.address?.startsWith('refused')) throw refusal(550, 'No such user here')
      }
    })
    server = await startTestServer('sqlite', { MAIL_URL: office.url, MAIL_RETRY_MS: '20' })
  })
  afterAll(async () => {
    await server.close()
    await office.close()
  })

  it('the last mail that was sent and the last that the mail server refused are told, with when and why', async () => {
    const partner = await makePartner(server.service)
    const said = saidBy(server, partner)
    expect(await said('/mail')).toContain('Last sent – Last given up –')
    const [sent, refused] = [uniqueEmail(), `refused-${uniqueEmail()}`]
    for (const email of [sent, refused])
      await run(server.service, partner.partnerId, 'customer_onboard', {
        basic: { email },
        allowPortalAccess: true
      })
    await vi.waitFor(async () => {
      const page = await said('/mail')
      expect(page).toContain(`Last sent Portal invite to ${sent}, now .`)
      expect(page).toMatch(
        new RegExp(`Last given up Portal invite to ${refused}, now \\. The mail server refused DATA: 550`)
      )
    }, PATIENCE)
    expect(await said('')).toMatch(
      new RegExp(`Portal invite to ${refused}: The mail server refused DATA: 550 Not sent now`)
    )
    const other = saidBy(server, await makePartner(server.service))
    for (const page of ['', '/mail']) expect(await other(page)).not.toContain(refused)
  })

  it('a statement that is closed is to be billed, until it is', async () => {
    const partner = await makePartner(server.service)
    const said = saidBy(server, partner)
    const email = uniqueEmail()
    const customerId = stringAt(
      await run(server.service, partner.partnerId, 'customer_create', { email, companyName: 'Sol' }),
      'data',
      'id'
    )
    const { partnerId } = partner
    const statementId = await makeOverdueStatement(server.service, { partnerId, customerId })
    await server.service.database.transaction((tx) => closeDue(tx, 25, partnerId))
    expect(await said('')).toMatch(/Statement 1 of Sol ?: \$0\.25 To bill now/)
    expect(await saidBy(server, await makePartner(server.service))('')).not.toContain('of Sol')
    await run(server.service, partnerId, 'statement_mark_billed', { statementId })
    expect(await said('')).not.toContain('To bill')
  })
})
