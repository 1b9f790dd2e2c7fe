// Who has the chat's page in a portal, and with which agents on it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { widgetPath } from '../../servers/portal/widget/routes.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run, type TestPartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { makePortalCustomer, makeTeamMate, type PortalCustomer } from './customer-visitors.ts'

describe.each(databases)('the chat’s page on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(kind)
  })
  afterAll(() => server.close())

  const instanceOf = (
    { customerId }: PortalCustomer,
    columns: Partial<InstanceRow> = {},
    { partnerId }: TestPartner = server.partner
  ) =>
    makeInstance(server.service, partnerId, customerId, { status: 'cli-agent', agentName: 'Sol', ...columns })
  const hasMenuEntry = (html: string) => /href="[^"]*\/chat"/.test(html)

  it('shows nobody another customer’s agents, of the same partner or of another', async () => {
    const mine = await makePortalCustomer(server)
    await instanceOf(mine)
    const neighbour = await makePortalCustomer(server)
    const foreignPartner = await makePartner(server.service)
    const foreigner = await makePortalCustomer(server, foreignPartner)
    for (const { id } of [await instanceOf(neighbour), await instanceOf(foreigner, {}, foreignPartner)]) {
      const { status, html } = await mine.owner.get(`/chat/${id}`)
      expect(status).toBe(404)
      expect(html).not.toContain('mindgate-chat')
      expect((await mine.owner.get('/chat')).html).not.toContain(id)
    }
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('is in the menu of everybody in the team, and holds the widget', async () => {
    const customer = await makePortalCustomer(server)
    const { id } = await instanceOf(customer)
    const visitors = [customer.owner]
    for (const role of ['admin', 'member'] as const) {
      visitors.push((await makeTeamMate(server, server.partner, customer.customerId, role)).browser)
    }
    for (const visitor of visitors) {
      expect(hasMenuEntry((await visitor.get('')).html)).toBe(true)
      const { status, html, headers } = await visitor.get('/chat')
      expect(status).toBe(200)
      expect(html).toContain('<h1>Sol</h1>')
      expect(html).toContain(`<mindgate-chat instance="${id}" app="cli-agent" name="Sol"`)
      expect(html).toContain(`src="${widgetPath()}"`)
      expect(headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(html).not.toMatch(/<script>|<script [^>]*>[^<]|<style| style=/)
    }
  })

  it('lets one choose where there are several agents, one that is ready first', async () => {
    const customer = await makePortalCustomer(server)
    const setUp = await instanceOf(customer, { status: 'deploying:cli-agent', agentName: 'Luna' })
    const ready = await instanceOf(customer, { agentName: null, name: 'Back office' })
    const { html } = await customer.owner.get('/chat')
    expect(html).toContain('<h1>Back office</h1>')
    expect(html).toContain(`/chat/${setUp.id}"`)
    expect((await customer.owner.get(`/chat/${setUp.id}`)).html).toContain('<h1>Luna</h1>')
    expect((await customer.owner.get(`/chat/${ready.id}`)).html).toContain('<h1>Back office</h1>')
    expect(html).not.toContain('Luna (')
    await instanceOf(customer, { agentName: 'Luna', name: 'Reception' })
    const twins = (await customer.owner.get('/chat')).html
    for (const label of ['Back office', 'Luna (Front desk)', 'Luna (Reception)'])
      expect(twins).toContain(`>${label}</a>`)
  })

  it('offers no files to an agent that takes none', async () => {
    const customer = await makePortalCustomer(server)
    const { id } = await instanceOf(customer)
    const small = await instanceOf(customer, { status: 'shell-agent' })
    expect((await customer.owner.get(`/chat/${small.id}`)).html).toMatch(/<mindgate-chat[^>]* no-files=""/)
    expect((await customer.owner.get(`/chat/${id}`)).html).not.toContain('no-files')
  })

  it.each<[string, (customer: PortalCustomer) => Promise<unknown>]>([
    ['there is no server', async () => undefined],
    ['nothing was ever deployed on it', (customer) => instanceOf(customer, { status: 'registered' })],
    [
      'the partner doesn’t show the app',
      async (customer) => {
        await instanceOf(customer)
        const { customerId } = customer
        await run(server.service, server.partner.partnerId, 'customer_update', {
          customerId,
          allowedApps: []
        })
      }
    ]
  ])('isn’t there where %s', async (_name, arrange) => {
    const customer = await makePortalCustomer(server)
    await arrange(customer)
    expect(hasMenuEntry((await customer.owner.get('')).html)).toBe(false)
    expect((await customer.owner.get('/chat')).status).toBe(404)
  })

  it('says of an agent that is gone that it is, and leads home', async () => {
    const customer = await makePortalCustomer(server)
    for (const path of ['/chat', '/chat/ins_gone']) {
      const { status, html } = await customer.owner.get(path)
      expect(status).toBe(404)
      expect(html).toContain('This agent isn’t here, or no longer')
      expect(html).toContain(
        `class="button primary" href="${new URL(customer.owner.identity.base).pathname}"`
      )
    }
  })

  it('shows a name as text, whatever it says', async () => {
    const customer = await makePortalCustomer(server)
    await instanceOf(customer, { agentName: '"><script>alert(1)</script>' })
    const { html } = await customer.owner.get('/chat')
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('name="&quot;&gt;&lt;script&gt;')
  })

  it('leads who is signed out back to it', async () => {
    const customer = await makePortalCustomer(server)
    const { id } = await instanceOf(customer)
    const { html } = await customer.owner.get('/chat')
    const base = new URL(customer.owner.identity.base).pathname
    expect(html).toContain(`sign-in="${base}/sign-in?next=${encodeURIComponent(`/chat/${id}`)}"`)
    const signedIn = await customer.owner.get(`/sign-in?next=${encodeURIComponent(`/chat/${id}`)}`)
    expect(signedIn.headers.get('location')).toBe(`${base}/chat/${id}`)
  })
})
