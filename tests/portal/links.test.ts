// The links of mails: they let in once, whom they were meant for, and only when somebody acts on them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { brandingOf } from '../../src/mail/templates/branding.ts'
import { portalInvite, teamInvite } from '../../src/mail/templates/customer-letters.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { textOf } from './customer-visitors.ts'
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
    expect(again.text).toContain('This link was used')
    expect(again.text).toContain(`href="${base}/sign-in"`)
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

  const age = (customerId: string) =>
    server.service.database.transaction((tx) =>
      tx
        .updateTable('accessLink')
        .set({ expiresAt: fromNow(-1) })
        .where('customerId', '=', customerId)
        .execute()
    )
  const opened = async (path: string) => {
    const { status, text } = await siteClient(server.url).get(path)
    return { status, text: textOf(text), html: text }
  }

  it('that ran out says whom to ask for another invite, or where to get another reset', async () => {
    await act('brand_update', { name: 'Acme Voice', supportEmail: 'help@acme.example' })
    const invite = await invited()
    const { customerId, email } = await owner()
    await act('customer_send_password_reset', { customerId })
    const reset = await mailedSecret(server.service, email, 'password_reset')
    for (const id of [invite.customerId, customerId]) await age(id)
    const late = await opened(`${base}/accept?token=${invite.linkToken}`)
    expect(late.text).toContain('Ask Acme Voice, or whoever invited you, for a new one.')
    expect(late.text).toContain('help@acme.example')
    const again = await opened(`${base}/reset?token=${reset.linkToken}`)
    expect(again.text).toContain('This link ran out')
    expect(again.html).toContain(`href="${base}/forgot"`)
    expect(again.text).not.toContain('whoever invited you')
    for (const page of [late, again]) expect([page.status, page.html.includes(email)]).toEqual([404, false])
  })

  it('that set a password leads to signing in with it', async () => {
    const { customerId, email } = await owner()
    await act('customer_send_password_reset', { customerId })
    const { linkToken } = await mailedSecret(server.service, email, 'password_reset')
    const form = { token: linkToken, password: OTHER_PASSWORD }
    await siteClient(server.url).post(`${base}/reset`, { form })
    const used = await opened(`${base}/reset?token=${linkToken}`)
    expect(used.text).toContain('A password was chosen with it. Sign in with that one.')
    expect(used.html).not.toContain(email)
  })

  it('tells a stranger nothing: another’s, a replaced and a made-up one are alike', async () => {
    const first = await invited()
    await siteClient(server.url).post(`${base}/accept`, {
      form: { token: first.linkToken, password: PASSWORD }
    })
    const replaced = await invited()
    await act('customer_enable_portal_access', { customerId: replaced.customerId })
    const stranger = await makePartner(server.service)
    const theirs = `/portal/${stranger.slug}/accept?token=`
    for (const path of [`${base}/accept?token=${replaced.linkToken}`, `${base}/accept?token=made-up`])
      expect((await opened(path)).text).toContain('It was replaced by a newer one or taken back')
    expect((await opened(theirs + first.linkToken)).text).toBe((await opened(`${theirs}made-up`)).text)
  })

  it('asks for what its mail says: a password of one’s own, or the one that one has', async () => {
    const { linkToken, email, customerId } = await invited()
    const { recipientName, companyName } = { recipientName: 'Ada', companyName: 'Engines' }
    const content = {
      branding: brandingOf({ name: 'Acme', brand: {} }),
      linkBase: base,
      consoleUrl: '',
      recipient: email,
      recipientName,
      companyName,
      linkToken,
      temporaryPassword: 'a b c',
      validUntil: fromNow(1_000)
    }
    const wanted = /<input[^>]*name="(?!idempotencyKey|token)[^"]*"[^>]*>/g
    const asksFor = async (token: string) =>
      [...(await opened(`${base}/accept?token=${token}`)).html.matchAll(wanted)].map(
        ([field]) => `${/type="(\w+)"/.exec(field)?.[1]} ${/autocomplete="([\w-]+)"/.exec(field)?.[1]}`
      )
    expect(portalInvite(content).intro.join(' ')).toContain('choose a password of your own')
    expect(await asksFor(linkToken)).toEqual(['text username', 'password new-password'])
    const member = uniqueEmail()
    const known = await owner()
    for (const address of [member, known.email])
      await act('team_member_add', { customerId, email: address, name: 'Grace' })
    expect(teamInvite(content).intro.join(' ')).toContain(
      'choose a password, or sign in if you already have one there'
    )
    const tokenOf = async (address: string) =>
      (await mailedSecret(server.service, address, 'team_invite')).linkToken
    expect(await asksFor(await tokenOf(member))).toEqual(['text username', 'password new-password'])
    expect(await asksFor(await tokenOf(known.email))).toEqual(['text username', 'password current-password'])
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
