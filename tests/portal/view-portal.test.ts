// Somebody of the partner's looks at a portal as its customer does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PartnerRole } from '../../schemas/partner-user.ts'
import { now } from '../../src/clock.ts'
import { VIEW_MS } from '../../src/portal-access/sessions.ts'
import { makePartner, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type ConsoleBrowser, enterConsole, makeColleague, signInAt, textOf } from './console-visitor.ts'

describe('looking at a customer’s portal', () => {
  let server: TestServer
  let visitor: ConsoleBrowser
  let base: string
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    visitor = await enterConsole(server, server.partner)
    base = `/portal/${server.partner.slug}`
  })
  afterAll(() => server.close())

  const act = (name: string, input: Record<string, unknown>) =>
    run(server.service, server.partner.partnerId, name, input)
  const makeCustomer = async (changes: Record<string, unknown> = {}) => {
    const customerId = stringAt(
      await act('customer_create', { email: uniqueEmail(), firstName: 'Zoë' }),
      'data',
      'id'
    )
    await act('customer_update', { customerId, enableAiMemory: true, ...changes })
    return customerId
  }
  const viewCookie = async (customerId: string, by = visitor): Promise<string> => {
    const { status, headers } = await by.post(`/customers/${customerId}/portal-access/view`)
    expect([status, headers.get('location')]).toEqual([303, base])
    return headers.getSetCookie().flatMap((line) => line.match(/^mindgate_view=[^;]+/) ?? [])[0] ?? ''
  }
  const open = async (cookie: string, path: string, init: RequestInit = {}, portal = base) => {
    const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(server.url + portal + path, { redirect: 'manual', ...init, headers })
    const html = await answer.text()
    return { status: answer.status, headers: answer.headers, html, text: textOf(html) }
  }

  it('shows what its owner would see, in its language, before anybody was invited', async () => {
    const customerId = await makeCustomer({ portalLanguage: 'de' })
    const cookie = await viewCookie(customerId)
    for (const path of ['/', '/memory', '/team', '/statements']) {
      const { status, html, text } = await open(cookie, path)
      expect([path, status]).toEqual([path, 200])
      expect(html).toContain('lang="de"')
      expect(text).toContain('Ändern lässt sich hier nichts.')
      expect(html).not.toMatch(
        /<form[^>]*method="post"(?![^>]*sign-out)|method="post"[^>]*action="(?![^"]*sign-out)/
      )
    }
    const { data } = await act('customer_get', { customerId })
    expect(data).toMatchObject({ credentialStatus: 'none', portalAccess: { state: 'none' } })
  })

  it('changes nothing, whatever is sent', async () => {
    const customerId = await makeCustomer()
    const cookie = await viewCookie(customerId)
    const body = new URLSearchParams({ text: 'Zoë likes tea', name: 'Ida', email: uniqueEmail() })
    for (const path of [
      '/memory/remember',
      '/team/invite',
      '/memory/ask/answer',
      '/agents/tokens',
      '/packs'
    ]) {
      const { status, text } = await open(cookie, path, { method: 'POST', body })
      expect([path, status]).toEqual([path, 403])
      expect(text).toContain('Nothing can be changed here.')
    }
    expect((await act('team_member_list', { customerId })).data).toEqual([])
    const minds = await server.service.database.read
      .selectFrom('mind')
      .where('customerId', '=', customerId)
      .selectAll()
      .execute()
    expect(minds).toEqual([])
  })

  it('has nobody’s account, and opens neither chat nor connected apps', async () => {
    const cookie = await viewCookie(await makeCustomer())
    for (const path of ['/account', '/connect/none', '/chat']) {
      const { status } = await open(cookie, path)
      expect([path, status]).toEqual([path, 404])
    }
    const session = await fetch(`${server.url}/api/whitelabel/session`, { headers: { cookie } })
    expect(session.status).toBeGreaterThanOrEqual(400)
    // Neither is it a session of a portal or of the console.
    const token = cookie.split('=')[1]
    expect((await open(`mindgate_portal=${token}`, '/')).status).toBe(303)
    const asUser = await fetch(`${server.url}/console`, {
      headers: { cookie: `mindgate_console=${token}` },
      redirect: 'manual'
    })
    expect(asUser.status).toBe(303)
  })

  it('is noted, and never counts as the customer having been there', async () => {
    const customerId = await makeCustomer()
    await open(await viewCookie(customerId), '/')
    const { data } = await act('audit_list', { customerId, action: 'customer_view_portal' })
    expect(data).toHaveLength(1)
    expect((await act('customer_get', { customerId })).data).toMatchObject({
      portalAccess: { state: 'none', at: null }
    })
  })

  it.each([
    ['support', 'member'],
    ['admin', 'owner'],
    ['billing', undefined],
    ['read_only', undefined]
  ] as const)('needs a role that cares for customers: %s', async (role: PartnerRole, seenAs) => {
    const customerId = await makeCustomer()
    const colleague = await makeColleague(server.service, server.partner.partnerId, role)
    const by = await signInAt(server.url, colleague.email)
    if (seenAs === undefined) {
      expect((await by.post(`/customers/${customerId}/portal-access/view`)).status).toBe(403)
      expect((await by.get(`/customers/${customerId}`)).html).not.toContain('portal-access/view')
      return
    }
    const cookie = await viewCookie(customerId, by)
    expect((await open(cookie, '/')).status).toBe(200)
    // What the role doesn't read in the console isn't read here.
    expect((await open(cookie, '/statements')).status).toBe(seenAs === 'owner' ? 200 : 404)
    await server.service.database.transaction((tx) =>
      tx.updateTable('partnerUser').set({ role: 'read_only' }).where('id', '=', colleague.id).execute()
    )
    expect((await open(cookie, '/')).status).toBe(303)
  })

  it('is of the partner’s own customers only, and of no other portal', async () => {
    const customerId = await makeCustomer()
    const rival = await makePartner(server.service)
    const theirs = await enterConsole(server, rival)
    expect((await theirs.post(`/customers/${customerId}/portal-access/view`)).status).toBe(404)
    const cookie = await viewCookie(customerId)
    const elsewhere = await open(cookie, '/', {}, `/portal/${rival.slug}`)
    expect(elsewhere.headers.get('location') ?? '').toContain('/sign-in')
  })

  it('is neither held nor prolonged where its people have to give a second factor', async () => {
    const customerId = await makeCustomer()
    const cookie = await viewCookie(customerId)
    const sessions = server.service.database.read.selectFrom('session').where('customerId', '=', customerId)
    const before = await sessions.selectAll().execute()
    await act('security_update', { demandsCustomerFactor: true, demandsTeamFactor: false })
    expect(await sessions.selectAll().execute()).toEqual(before)
    expect((await open(cookie, '/')).status).toBe(200)
    await act('security_update', { demandsCustomerFactor: false, demandsTeamFactor: false })
  })

  it('ends by its button, with whose it was, and after half an hour', async () => {
    const customerId = await makeCustomer()
    const cookie = await viewCookie(customerId)
    const left = await open(cookie, '/sign-out', { method: 'POST' })
    expect([left.status, left.headers.get('location')]).toEqual([303, `/console/customers/${customerId}`])
    expect((await open(cookie, '/')).status).toBe(303)

    const late = await viewCookie(customerId)
    const sessions = server.service.database.read.selectFrom('session').where('customerId', '=', customerId)
    const [{ expiresAt } = { expiresAt: '' }] = await sessions.select('expiresAt').execute()
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(VIEW_MS)
    expect((await open(late, '/')).status).toBe(200)
    await server.service.database.transaction((tx) =>
      tx.updateTable('session').set({ expiresAt: now() }).where('customerId', '=', customerId).execute()
    )
    expect((await open(late, '/')).status).toBe(303)
  })
})
