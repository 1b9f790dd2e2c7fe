// The links of mails: they let in once, whom they were meant for, and only when somebody acts on them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { mailedSecret, onboard, onboardOwner, PASSWORD, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

const OTHER_PASSWORD = 'another battery staple'

describe.each(databases)('a link to the portal on %s', (kind) => {
  let server: TestServer
  let base: string
  beforeAll(async () => {
    server = await startSites(kind, { SIGN_IN_LIMIT: '0', SIGN_IN_ADDRESS_LIMIT: '0' })
    base = `/portal/${server.partner.slug}`
  })
  afterAll(() => server.close())

  const owner = () => onboardOwner(server.service, server.partner, uniqueEmail())
  const invited = () => onboard(server.service, server.partner.partnerId, uniqueEmail())
  const act = (name: string, input: Record<string, unknown>) =>
    run(server.service, server.partner.partnerId, name, input)
  const signIn = async (email: string, password: string) => {
    const client = siteClient(server.url)
    return { client, ...(await client.post(`${base}/sign-in`, { form: { email, password } })) }
  }
  const mailsTo = async (recipient: string) => {
    const mails = await server.service.database.read
      .selectFrom('mail')
      .where('recipient', '=', recipient)
      .select('template')
      .orderBy('createdAt')
      .execute()
    return mails.map(({ template }) => template)
  }

  it('lets in once, however many come at once', async () => {
    const { linkToken } = await invited()
    const form = { token: linkToken, password: PASSWORD }
    const answers = await Promise.all(
      [1, 2, 3].map(() => siteClient(server.url).post(`${base}/accept`, { form }))
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404])
    const again = await siteClient(server.url).get(`${base}/accept?token=${linkToken}`)
    expect(again.status).toBe(404)
    expect(again.text).toContain('This link has ended')
  })

  it('is nothing at another partner’s portal, for another purpose, or after its time', async () => {
    const { linkToken, customerId } = await invited()
    const stranger = await makePartner(server.service)
    const client = siteClient(server.url)
    const form = { token: linkToken, password: PASSWORD }
    expect((await client.get(`/portal/${stranger.slug}/accept?token=${linkToken}`)).status).toBe(404)
    expect((await client.post(`/portal/${stranger.slug}/accept`, { form })).status).toBe(404)
    expect((await client.post(`${base}/reset`, { form })).status).toBe(404)
    expect((await client.post('/console/set-password', { form })).status).toBe(404)
    await server.service.database.transaction((tx) =>
      tx
        .updateTable('accessLink')
        .set({ expiresAt: fromNow(-1) })
        .where('customerId', '=', customerId)
        .execute()
    )
    expect((await client.post(`${base}/accept`, { form })).status).toBe(404)
    expect(client.cookies.has('mindgate_portal')).toBe(false)
  })

  it('sets a new password by a reset that the partner sent, and ends every session', async () => {
    const { customerId, email } = await owner()
    const { client } = await signIn(email, PASSWORD)
    await act('customer_send_password_reset', { customerId })
    const { linkToken } = await mailedSecret(server.service, email, 'password_reset')
    const elsewhere = siteClient(server.url)
    expect((await elsewhere.get(`${base}/reset?token=${linkToken}`)).text).toContain(email)
    const form = { token: linkToken, password: OTHER_PASSWORD }
    const answer = await elsewhere.post(`${base}/reset`, { form })
    expect(answer).toMatchObject({ status: 303, location: `${base}/sign-in` })
    expect((await elsewhere.get(`${base}/sign-in`)).text).toContain('Your new password is set')
    expect((await client.get(base)).status).toBe(303)
    expect((await signIn(email, PASSWORD)).status).toBe(401)
    expect((await signIn(email, OTHER_PASSWORD)).status).toBe(303)
    expect((await elsewhere.post(`${base}/reset`, { form })).status).toBe(404)
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('isn’t used up by opening it', async () => {
    const { linkToken, email } = await invited()
    for (let i = 0; i < 3; i += 1) {
      const page = await siteClient(server.url).get(`${base}/accept?token=${linkToken}`)
      expect(page.status).toBe(200)
      expect(page.text).toContain(email)
    }
    const client = siteClient(server.url)
    const form = { token: linkToken, password: PASSWORD }
    expect(await client.post(`${base}/accept`, { form })).toMatchObject({ status: 303, location: base })
    expect((await client.get(base)).status).toBe(200)
    expect((await signIn(email, PASSWORD)).status).toBe(303)
  })

  it('keeps the link when the password is refused', async () => {
    const { linkToken, email } = await invited()
    for (const password of ['short', email, 'Password12345', '1111111111', 'x'.repeat(201)]) {
      const refused = await siteClient(server.url).post(`${base}/accept`, {
        form: { token: linkToken, password }
      })
      expect(refused.status).toBe(400)
      expect(refused.text).toContain(`value="${linkToken}"`)
    }
    const form = { token: linkToken, password: PASSWORD }
    expect((await siteClient(server.url).post(`${base}/accept`, { form })).status).toBe(303)
  })

  it('ends the temporary password that came with it', async () => {
    const { linkToken, email, temporaryPassword } = await invited()
    await siteClient(server.url).post(`${base}/accept`, { form: { token: linkToken, password: PASSWORD } })
    expect((await signIn(email, temporaryPassword)).status).toBe(401)
  })

  it('ends once its owner has chosen another password', async () => {
    const { customerId, email } = await owner()
    const { client } = await signIn(email, PASSWORD)
    await act('customer_send_password_reset', { customerId })
    const { linkToken } = await mailedSecret(server.service, email, 'password_reset')
    const form = { current: PASSWORD, password: OTHER_PASSWORD }
    expect((await client.post(`${base}/account/password`, { form })).status).toBe(303)
    expect((await siteClient(server.url).get(`${base}/reset?token=${linkToken}`)).status).toBe(404)
  })

  it('ends once the temporary password was changed', async () => {
    const { linkToken, email, temporaryPassword } = await invited()
    const { client } = await signIn(email, temporaryPassword)
    await client.post(`${base}/password`, { form: { password: PASSWORD } })
    expect((await client.get(`${base}/accept?token=${linkToken}`)).status).toBe(404)
  })

  it('accepts an invite to a portal that was blocked since without letting in', async () => {
    const { linkToken, customerId } = await invited()
    await act('customer_toggle_portal_block', { customerId })
    const client = siteClient(server.url)
    const answer = await client.post(`${base}/accept`, { form: { token: linkToken, password: PASSWORD } })
    expect(answer).toMatchObject({ status: 303, location: `${base}/sign-in` })
    expect(client.cookies.has('mindgate_portal')).toBe(false)
  })

  it('makes an invited team member active, with its own password and role', async () => {
    const { customerId } = await owner()
    const email = uniqueEmail()
    await act('team_member_add', { customerId, email, name: 'Grace Hopper' })
    const { linkToken } = await mailedSecret(server.service, email, 'team_invite')
    const client = siteClient(server.url)
    expect((await client.get(`${base}/accept?token=${linkToken}`)).text).toContain('Engines')
    await client.post(`${base}/accept`, { form: { token: linkToken, password: PASSWORD } })
    expect(JSON.parse((await client.get('/api/whitelabel/session')).text)).toEqual({
      customerId,
      name: 'Grace Hopper',
      role: 'member'
    })
    expect(await act('team_member_list', { customerId })).toMatchObject({
      data: [{ email, status: 'active' }]
    })
    expect((await signIn(email, PASSWORD)).status).toBe(303)
  })

  it('is mailed to who forgot the password, and the page says the same to everybody', async () => {
    const { email, customerId } = await owner()
    const member = uniqueEmail()
    await act('team_member_add', { customerId, email: member, name: 'Grace' })
    const invite = await mailedSecret(server.service, member, 'team_invite')
    await siteClient(server.url).post(`${base}/accept`, {
      form: { token: invite.linkToken, password: PASSWORD }
    })
    const blocked = await owner()
    await act('customer_toggle_portal_block', { customerId: blocked.customerId })
    const unknown = uniqueEmail()
    const ask = (address: string) =>
      siteClient(server.url).post(`${base}/forgot`, { form: { email: address } })
    const answers = await Promise.all([email.toUpperCase(), member, blocked.email, unknown].map(ask))
    const said = answers.map(({ status, text }) => ({ status, text: text.replaceAll(/value="[^"]*"/g, '') }))
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1)
    await expect.poll(() => mailsTo(email)).toEqual(['portal_invite', 'password_forgotten'])
    await expect.poll(() => mailsTo(member)).toEqual(['team_invite', 'password_forgotten'])
    expect(await mailsTo(blocked.email)).toEqual(['portal_invite'])
    expect(await mailsTo(unknown)).toEqual([])

    for (const address of [email, member]) {
      const { linkToken } = await mailedSecret(server.service, address, 'password_forgotten')
      const form = { token: linkToken, password: OTHER_PASSWORD }
      expect((await siteClient(server.url).post(`${base}/reset`, { form })).status).toBe(303)
      expect((await signIn(address, OTHER_PASSWORD)).status).toBe(303)
    }
  })
})
