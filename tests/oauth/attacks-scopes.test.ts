// However the form is forged, an app gets what it asked for, the person ticked and may do, and nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addTeamMate } from '../portal/customer-visitors.ts'
import { PASSWORD, type SiteClient } from '../portal/site-client.ts'
import { startSites } from '../portal/sites.ts'
import type { TestPartner } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { begin, codeOf, comeBack, makeClient, makeOwner, type Owner, redeem, signedIn } from './by-hand.ts'

describe('consent goes no further', () => {
  let server: TestServer
  let url: string
  let partner: TestPartner
  let owner: Owner
  let clientId: string
  beforeAll(async () => {
    server = await startSites('sqlite', { RATE_LIMIT: '0' })
    url = server.url
    partner = server.partner
    owner = await makeOwner(server)
    clientId = await makeClient(url)
  })
  afterAll(() => server.close())

  const enter = (person = owner) => signedIn(url, person, partner.slug)
  const beginAt = (browser: SiteClient, changed: Record<string, string> = {}) =>
    begin(browser, url, clientId, changed)
  const READ = { scopes: 'memory:read' }
  const apps = () => server.service.database.read.selectFrom('connectedApp').selectAll().execute()
  /** Runs what must connect nothing. */
  const connectsNothing = async (work: () => Promise<void>) => {
    const before = await apps()
    await work()
    expect(await apps()).toEqual(before)
  }
  const scopesOf = async (browser: SiteClient, answer: Awaited<ReturnType<SiteClient['post']>>) => {
    const { body } = await redeem(url, clientId, codeOf(await comeBack(browser, answer)))
    return body.scope
  }

  it('than a member of a team may', async () => {
    const mate = await addTeamMate(server.service, partner.partnerId, owner.customerId, 'member', PASSWORD)
    const browser = await enter({ ...owner, email: mate.email })
    const path = await beginAt(browser)
    const { text } = await browser.get(path)
    expect([text.includes('value="memory:read"'), text.includes('value="memory:write"')]).toEqual([
      true,
      false
    ])
    await connectsNothing(async () => {
      expect((await browser.post(path, { form: { scopes: 'memory:write' } })).status).toBe(400)
    })
    const both = new URLSearchParams([
      ['scopes', 'memory:read'],
      ['scopes', 'memory:write'],
      ['scopes', 'customers:write']
    ])
    expect(await scopesOf(browser, await browser.post(path, { form: both }))).toBe('memory:read')
  })

  it('than the app asked', async () => {
    const browser = await enter()
    const path = await beginAt(browser, { scope: 'memory:read' })
    await connectsNothing(async () => {
      expect((await browser.post(path, { form: { scopes: 'memory:write' } })).status).toBe(400)
    })
    const more = new URLSearchParams([
      ['scopes', 'memory:read'],
      ['scopes', 'memory:write'],
      ['scopes', 'partner:admin'],
      ['scopes', '__proto__']
    ])
    expect(await scopesOf(browser, await browser.post(path, { form: more }))).toBe('memory:read')
  })

  it('than the person ticked', async () => {
    const browser = await enter()
    const path = await beginAt(browser, { scope: 'memory:read memory:write' })
    expect(await scopesOf(browser, await browser.post(path, { form: READ }))).toBe('memory:read')
  })

  it('than a customer of the person’s own', async () => {
    const stranger = await makeOwner(server)
    const browser = await enter()
    const path = await beginAt(browser)
    const answer = await browser.post(path, { form: { ...READ, membership: stranger.customerId } })
    await scopesOf(browser, answer)
    const [newest] = (await apps()).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    expect(newest?.customerId).toBe(owner.customerId)
  })

  it('than one of several, which must be among them', async () => {
    const stranger = await makeOwner(server)
    const mate = await addTeamMate(server.service, partner.partnerId, owner.customerId, 'admin', PASSWORD)
    const second = await makeOwner(server)
    const { teamMemberId } = await addTeamMate(server.service, partner.partnerId, second.customerId, 'member')
    await server.service.database.transaction(async (tx) => {
      const { identityId } = await tx
        .selectFrom('teamMember')
        .where('id', '=', mate.teamMemberId)
        .select('identityId')
        .executeTakeFirstOrThrow()
      await tx.updateTable('teamMember').set({ identityId }).where('id', '=', teamMemberId).execute()
    })
    const browser = await enter({ ...owner, email: mate.email })
    await browser.post(`/portal/${partner.slug}/choose`, { form: { membership: mate.teamMemberId } })
    const path = await beginAt(browser)
    await connectsNothing(async () => {
      for (const membership of [stranger.customerId, owner.customerId, second.customerId, '', '__proto__'])
        expect((await browser.post(path, { form: { ...READ, membership } })).status).toBe(400)
    })
    const both = new URLSearchParams([
      ['membership', teamMemberId],
      ['scopes', 'memory:read'],
      ['scopes', 'memory:write']
    ])
    // There only a member, though an admin elsewhere.
    expect(await scopesOf(browser, await browser.post(path, { form: both }))).toBe('memory:read')
  })
})
