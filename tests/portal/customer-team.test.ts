// The team page: inviting, the limit, removing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makePortalCustomer, makeTeamMate, textOf } from './customer-visitors.ts'

describe('a customer’s team page', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  const make = (changes: Record<string, unknown> = {}) => makePortalCustomer(server, server.partner, changes)
  const teamOf = async (customerId: string) => {
    const { data } = await run(server.service, server.partner.partnerId, 'team_member_list', { customerId })
    return data
  }

  it('invites somebody, mails it, and shows who is invited', async () => {
    const { owner, customerId } = await make({ maxTeamMembers: 3 })
    const email = uniqueEmail()
    const { html } = await owner.submit('/team/invite', { name: 'Grace Hopper', email, role: 'admin' })
    expect(textOf(html)).toContain(`The invite to ${email} is on its way.`)
    expect(textOf(html)).toContain('1 of 3 places are taken')
    expect(textOf(html)).toMatch(new RegExp(`Grace Hopper ${email} Admin invited`))
    expect(await teamOf(customerId)).toMatchObject([{ email, role: 'admin', status: 'pending' }])
    const mails = await server.service.database.read
      .selectFrom('mail')
      .where('recipient', '=', email)
      .select('template')
      .execute()
    expect(mails).toEqual([{ template: 'team_invite' }])
  })

  it('gives no other role than the two it offers', async () => {
    const { owner, customerId } = await make()
    await owner.submit('/team/invite', { name: 'Grace', email: uniqueEmail(), role: 'owner' })
    expect(await teamOf(customerId)).toMatchObject([{ role: 'member' }])
  })

  it('says what is wrong with an invite, and keeps what was typed', async () => {
    const { owner, customerId } = await make()
    const email = uniqueEmail()
    const wrong = await owner.post('/team/invite', { name: 'Grace', email: 'grace at home' })
    expect(wrong.status).toBe(400)
    expect(textOf(wrong.html)).toContain('The e-mail address is not a valid e-mail address')
    expect(wrong.html).toContain('value="grace at home"')
    await owner.submit('/team/invite', { name: 'Grace', email })
    const again = await owner.post('/team/invite', { name: 'Grace', email: email.toUpperCase() })
    expect(again.status).toBe(400)
    expect(textOf(again.html)).toContain('Somebody with this e-mail address is in your team already.')
    expect(await teamOf(customerId)).toHaveLength(1)
  })

  it('offers no invite when the team is full, and refuses one', async () => {
    const { owner, customerId } = await make({ maxTeamMembers: 1 })
    await owner.submit('/team/invite', { name: 'Grace', email: uniqueEmail() })
    const page = textOf((await owner.get('/team')).html)
    expect(page).toContain('Your team is full')
    expect(page).not.toContain('Send invite')
    const refused = await owner.post('/team/invite', { name: 'Ida', email: uniqueEmail() })
    expect(refused.status).toBe(400)
    expect(textOf(refused.html)).toContain('Your team is full. Remove somebody first')
    expect(await teamOf(customerId)).toHaveLength(1)
  })

  it('removes a member, whose next click is at the site', async () => {
    const { owner, customerId } = await make()
    const mate = await makeTeamMate(server, server.partner, customerId, 'member')
    expect((await mate.browser.get('')).status).toBe(200)
    const { html } = await owner.submit(`/team/members/${mate.teamMemberId}/remove`)
    expect(textOf(html)).toContain('Grace was removed and signed out everywhere.')
    expect(await teamOf(customerId)).toEqual([])
    const next = await mate.browser.get('')
    expect([next.status, next.headers.get('location')]).toEqual([303, expect.stringContaining('/sign-in')])
  })

  it('lets admins manage others and not remove themselves', async () => {
    const { customerId } = await make()
    const admin = await makeTeamMate(server, server.partner, customerId, 'admin')
    const mate = await makeTeamMate(server, server.partner, customerId, 'member')
    const page = await admin.browser.get('/team')
    expect(page.html).not.toContain(`/team/members/${admin.teamMemberId}/remove`)
    const refused = await admin.browser.post(`/team/members/${admin.teamMemberId}/remove`)
    expect(refused.status).toBe(403)
    expect(textOf(refused.html)).toContain('You can’t remove yourself')
    await admin.browser.submit(`/team/members/${mate.teamMemberId}/remove`)
    const team = await teamOf(customerId)
    expect(team).toHaveLength(1)
    expect(stringAt(team, 0, 'id')).toBe(admin.teamMemberId)
    expect(at(team, 0, 'email')).toBe(admin.email)
  })
})
