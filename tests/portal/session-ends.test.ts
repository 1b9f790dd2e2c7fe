// Whatever ends somebody's access ends their sessions: the next click lands on the sign-in page.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromNow, MINUTE_MS } from '../../src/clock.ts'
import { updatePartner } from '../../src/partners/store.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { sweepAll } from '../support/sweep.ts'
import { addTeamMate, openSession } from './customer-visitors.ts'
import { onboardOwner, PASSWORD, type SiteClient, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

describe.each(databases)('a portal session on %s', (kind) => {
  let server: TestServer
  let base: string
  beforeAll(async () => {
    server = await startSites(kind, { SIGN_IN_LIMIT: '0', SIGN_IN_ADDRESS_LIMIT: '0' })
    base = `/portal/${server.partner.slug}`
  })
  afterAll(() => server.close())

  const act = (name: string, input: Record<string, unknown>) =>
    run(server.service, server.partner.partnerId, name, input)
  const signIn = async (email: string, password = PASSWORD): Promise<SiteClient> => {
    const client = siteClient(server.url)
    const answer = await client.post(`${base}/sign-in`, { form: { email, password } })
    expect(answer.status).toBe(303)
    expect((await client.get(base)).status).toBe(200)
    return client
  }
  const enter = async (email: string): Promise<SiteClient> => {
    const client = siteClient(server.url)
    const token = await openSession(server.service, server.partner.partnerId, email)
    client.cookies.set('mindgate_portal', token)
    expect((await client.get(base)).status).toBe(200)
    return client
  }
  /** A customer's owner and a member of its team, both signed in. */
  const family = async () => {
    const { service, partner } = server
    const owner = await onboardOwner(service, partner, uniqueEmail())
    const member = await addTeamMate(service, partner.partnerId, owner.customerId, 'member', PASSWORD)
    return {
      ...owner,
      memberEmail: member.email,
      teamMemberId: member.teamMemberId,
      atOwner: await enter(owner.email),
      atMember: await enter(member.email)
    }
  }
  const expectEnded = async (client: SiteClient) => {
    expect((await client.get('/api/whitelabel/session')).status).toBe(401)
    expect(await client.get(`${base}/account`)).toMatchObject({ status: 303 })
    expect((await client.get(`${base}/sign-in`)).text).toContain('You are signed out. Sign in to go on.')
    expect(client.cookies.has('mindgate_portal')).toBe(false)
  }
  const expectHeld = async (client: SiteClient) =>
    expect((await client.get('/api/whitelabel/session')).status).toBe(200)
  const sessions = (customerId: string) =>
    server.service.database.read
      .selectFrom('session')
      .where('customerId', '=', customerId)
      .selectAll()
      .execute()
  const setSession = (
    customerId: string,
    columns: { lastSeenAt?: string; idleExpiresAt?: string; expiresAt?: string }
  ) =>
    server.service.database.transaction((tx) =>
      tx.updateTable('session').set(columns).where('customerId', '=', customerId).execute()
    )

  it('ends with a block, the team’s too, and doesn’t come back when that is lifted', async () => {
    const { customerId, atOwner, atMember } = await family()
    const bystander = await family()
    const stolen = atOwner.cookies.get('mindgate_portal') ?? ''
    await act('customer_toggle_portal_block', { customerId })
    expect(await sessions(customerId)).toEqual([])
    await expectEnded(atOwner)
    await expectEnded(atMember)
    await act('customer_toggle_portal_block', { customerId })
    atOwner.cookies.set('mindgate_portal', stolen)
    await expectEnded(atOwner)
    await expectHeld(bystander.atOwner)
  })

  it('is refused while blocked even if its row were still there', async () => {
    const { customerId, atOwner } = await family()
    await server.service.database.transaction((tx) =>
      tx.updateTable('customer').set({ credentialStatus: 'suspended' }).where('id', '=', customerId).execute()
    )
    await expectEnded(atOwner)
  })

  it('ends when portal access is enabled anew', async () => {
    const { customerId, atOwner, atMember } = await family()
    await act('customer_enable_portal_access', { customerId })
    await expectEnded(atOwner)
    await expectEnded(atMember)
  })

  it('ends while the portal is switched off for the customer', async () => {
    const { customerId, atOwner } = await family()
    await act('customer_update', { customerId, customerPortalEnabled: false })
    await expectEnded(atOwner)
  })

  it('ends with the member’s removal, and the owner’s goes on', async () => {
    const { customerId, teamMemberId, memberEmail, atOwner, atMember } = await family()
    await act('team_member_remove', { customerId, teamMemberId })
    await expectEnded(atMember)
    await expectHeld(atOwner)
    const again = await siteClient(server.url).post(`${base}/sign-in`, {
      form: { email: memberEmail, password: PASSWORD }
    })
    expect(again.status).toBe(403)
  })

  it('ends for members when team members are switched off', async () => {
    const { customerId, atOwner, atMember } = await family()
    await act('customer_update', { customerId, enableTeamMembers: false })
    await expectEnded(atMember)
    await expectHeld(atOwner)
  })

  it('ends for the owner when the customer’s address moves', async () => {
    const { customerId, atOwner, atMember } = await family()
    const email = uniqueEmail()
    await act('customer_update', { customerId, email })
    await expectEnded(atOwner)
    await expectHeld(atMember)
    await signIn(email)
  })

  it('follows the member’s role at the next request', async () => {
    const { teamMemberId, atMember } = await family()
    const role = async () => JSON.parse((await atMember.get('/api/whitelabel/session')).text).role
    expect(await role()).toBe('member')
    await server.service.database.transaction((tx) =>
      tx.updateTable('teamMember').set({ role: 'admin' }).where('id', '=', teamMemberId).execute()
    )
    expect(await role()).toBe('admin')
  })

  it('ends when it wasn’t used for a week, or a month after it began', async () => {
    for (const column of ['idleExpiresAt', 'expiresAt'] as const) {
      const { customerId, atOwner } = await family()
      await setSession(customerId, { [column]: fromNow(-1) })
      await expectEnded(atOwner)
    }
  })

  it('is noted as seen once a minute, and lasts longer for it', async () => {
    const { customerId, atOwner, atMember } = await family()
    await expectHeld(atMember)
    const lastSeenAt = fromNow(-2 * MINUTE_MS)
    await setSession(customerId, { lastSeenAt, idleExpiresAt: fromNow(MINUTE_MS) })
    await atOwner.get(`${base}/account`)
    await expect
      .poll(async () => (await sessions(customerId)).filter((one) => one.lastSeenAt > lastSeenAt).length)
      .toBe(1)
    const [seen] = (await sessions(customerId)).filter((one) => one.lastSeenAt > lastSeenAt)
    expect((seen?.idleExpiresAt ?? '') > fromNow(6 * 24 * 60 * MINUTE_MS)).toBe(true)
    await atOwner.get(`${base}/account`)
    await atOwner.get(`${base}/account`)
    expect((await sessions(customerId)).find(({ id }) => id === seen?.id)?.lastSeenAt).toBe(seen?.lastSeenAt)
  })

  it('leaves the database once it has ended, and only then', async () => {
    const ended = await family()
    const held = await family()
    await setSession(ended.customerId, { idleExpiresAt: fromNow(-1) })
    await sweepAll(server.service)
    expect(await sessions(ended.customerId)).toEqual([])
    expect(await sessions(held.customerId)).toHaveLength(2)
  })

  it('is nothing at another partner’s portal', async () => {
    const { email, atOwner } = await family()
    const stranger = await makePartner(server.service)
    const elsewhere = `/portal/${stranger.slug}`
    expect((await atOwner.get(elsewhere)).location).toBe(`${elsewhere}/sign-in`)
    expect(
      (await siteClient(server.url).post(`${elsewhere}/sign-in`, { form: { email, password: PASSWORD } }))
        .status
    ).toBe(401)
    expect((await siteClient(server.url).get('/portal/nobody-has-this')).status).toBe(404)
  })

  it('is nothing at the console, and the console’s is nothing here', async () => {
    const { atOwner } = await family()
    const token = atOwner.cookies.get('mindgate_portal') ?? ''
    const client = siteClient(server.url)
    client.cookies.set('mindgate_console', token)
    expect((await client.get('/console')).location).toBe('/console/sign-in')
  })

  it('ends for everybody at a partner that is switched off', async () => {
    const other = await makePartner(server.service)
    const otherBase = `/portal/${other.slug}`
    const { email } = await onboardOwner(server.service, other, uniqueEmail())
    const client = siteClient(server.url)
    await client.post(`${otherBase}/sign-in`, { form: { email, password: PASSWORD } })
    await expectHeld(client)
    const switchTo = (isActive: boolean) =>
      server.service.database.transaction((tx) => updatePartner(tx, other.partnerId, { isActive }))
    await switchTo(false)
    expect((await client.get('/api/whitelabel/session')).status).toBe(401)
    expect((await client.get(otherBase)).status).toBe(404)
    await switchTo(true)
    expect((await client.get('/api/whitelabel/session')).status).toBe(401)
  })
})
