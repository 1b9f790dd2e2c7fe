import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { makePartner, run, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { mailedSecret, onboard, onboardOwner, PASSWORD, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

describe.each(databases)('signing in to a portal on %s', (kind) => {
  let server: TestServer
  let base: string
  beforeAll(async () => {
    server = await startSites(kind, { SIGN_IN_LIMIT: '0', SIGN_IN_ADDRESS_LIMIT: '0' })
    base = `/portal/${server.partner.slug}`
  })
  afterAll(() => server.close())

  const owner = (companyName?: string) =>
    onboardOwner(server.service, server.partner, uniqueEmail(), companyName)
  const signIn = async (email: string, password: string, path = base) => {
    const client = siteClient(server.url)
    const answer = await client.post(`${path}/sign-in`, { form: { email, password } })
    return { client, answer }
  }

  it('answers an unknown account, a wrong password and another partner’s customer alike', async () => {
    const { email } = await owner()
    const stranger = await makePartner(server.service)
    const refusals = await Promise.all([
      signIn(email, 'wrong password'),
      signIn(uniqueEmail(), PASSWORD),
      signIn(email, PASSWORD, `/portal/${stranger.slug}`)
    ])
    for (const { answer, client } of refusals) {
      expect(answer.status).toBe(401)
      expect(answer.text).toContain('don’t match')
      expect([...client.cookies.keys()]).toEqual([])
    }
    const json = await Promise.all(
      [email, uniqueEmail()].map(async (address) => {
        const answer = await siteClient(server.url).post(`${base}/sign-in`, {
          json: { email: address, password: 'wrong password' }
        })
        const { requestId, ...body } = JSON.parse(answer.text)
        return { status: answer.status, body }
      })
    )
    expect(json[0]).toEqual(json[1])
    expect(json[0]).toMatchObject({ status: 401, body: { success: false, code: 'unauthorized' } })
  })

  it('takes a temporary password once, however many come at once', async () => {
    const { email, temporaryPassword } = await onboard(
      server.service,
      server.partner.partnerId,
      uniqueEmail()
    )
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(email, temporaryPassword)))
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([303, 401, 401, 401])
  })

  it('lets who has several portals choose, and switch', async () => {
    const first = await owner('Alpha')
    const second = await owner('Beta')
    await run(server.service, server.partner.partnerId, 'team_member_add', {
      customerId: second.customerId,
      email: first.email,
      name: 'Ada',
      role: 'admin'
    })
    const { linkToken } = await mailedSecret(server.service, first.email, 'team_invite')
    const invited = siteClient(server.url)
    expect((await invited.get(`${base}/accept?token=${linkToken}`)).text).toContain(
      'You have a password here already'
    )
    const wrong = await invited.post(`${base}/accept`, {
      form: { token: linkToken, password: 'wrong password' }
    })
    expect(wrong.status).toBe(401)
    const accepted = await invited.post(`${base}/accept`, { form: { token: linkToken, password: PASSWORD } })
    expect(accepted).toMatchObject({ status: 303, location: base })
    expect(JSON.parse((await invited.get('/api/whitelabel/session')).text)).toMatchObject({
      customerId: second.customerId,
      role: 'admin'
    })

    const { client } = await signIn(first.email, PASSWORD)
    expect(await client.get(base)).toMatchObject({ status: 303, location: `${base}/choose` })
    const page = await client.get(`${base}/choose`)
    expect(page.text).toContain('Alpha · Owner')
    expect(page.text).toContain('Beta · Admin')
    await client.post(`${base}/choose`, { form: { membership: first.customerId } })
    expect(JSON.parse((await client.get('/api/whitelabel/session')).text)).toMatchObject({
      customerId: first.customerId,
      role: 'owner'
    })
    const stranger = await owner('Gamma')
    const refused = await client.post(`${base}/choose`, { form: { membership: stranger.customerId } })
    expect(refused.location).toBe(`${base}/choose`)
    expect(JSON.parse((await client.get('/api/whitelabel/session')).text)).toMatchObject({
      customerId: first.customerId
    })
  })

  it('signs out for good', async () => {
    const { email } = await owner()
    const { client } = await signIn(email, PASSWORD)
    const stolen = client.cookies.get('mindgate_portal') ?? ''
    expect(await client.post(`${base}/sign-out`)).toMatchObject({ status: 303, location: `${base}/sign-in` })
    expect(client.cookies.has('mindgate_portal')).toBe(false)
    expect((await client.get(`${base}/sign-in`)).text).toContain('You are signed out.')
    client.cookies.set('mindgate_portal', stolen)
    expect((await client.get(base)).location).toBe(`${base}/sign-in`)
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('leads home with a session of its own', async () => {
    const { email } = await owner()
    const { client, answer } = await signIn(email.toUpperCase(), PASSWORD)
    expect(answer).toMatchObject({ status: 303, location: base })
    expect((await client.get(base)).status).toBe(200)
  })

  it('leads to the page that was asked for, and never to another site', async () => {
    const { email } = await owner()
    const client = siteClient(server.url)
    const asked = await client.get(`${base}/account?x=1`)
    expect(asked).toMatchObject({ status: 303, location: `${base}/sign-in?next=%2Faccount%3Fx%3D1` })
    for (const [next, location] of [
      ['/account?x=1', `${base}/account?x=1`],
      ['//evil.example/', base],
      ['/\\evil.example', base],
      ['/../../console', base],
      ['https://evil.example', base]
    ] as const) {
      const form = { email, password: PASSWORD, next }
      expect((await client.post(`${base}/sign-in`, { form })).location).toBe(location)
    }
  })

  it('answers JSON with who it is', async () => {
    const { email, customerId } = await owner()
    const client = siteClient(server.url)
    const answer = await client.post(`${base}/sign-in`, { json: { email, password: PASSWORD } })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toEqual({ customerId, name: 'Ada Lovelace', role: 'owner' })
    const session = await client.get('/api/whitelabel/session')
    expect(JSON.parse(session.text)).toEqual({ customerId, name: 'Ada Lovelace', role: 'owner' })
  })

  it('keeps what was typed, but for the password', async () => {
    const { answer } = await signIn('ada@example.com"><script>', 'my-typed-password')
    expect(answer.text).toContain('ada@example.com&quot;&gt;&lt;script&gt;')
    expect(answer.text).not.toContain('my-typed-password')
  })

  it('takes a temporary password once, and lets in only to choose another', async () => {
    const { email, temporaryPassword } = await onboard(
      server.service,
      server.partner.partnerId,
      uniqueEmail()
    )
    const { client } = await signIn(email, temporaryPassword)
    expect(await client.get(base)).toMatchObject({ status: 303, location: `${base}/password` })
    const location = `${base}/password?next=%2Faccount`
    expect(await client.get(`${base}/account`)).toMatchObject({ status: 303, location })
    expect(await client.get('/api/whitelabel/session')).toMatchObject({ status: 401 })
    expect((await signIn(email, temporaryPassword)).answer.status).toBe(401)

    const before = client.cookies.get('mindgate_portal')
    const short = await client.post(`${base}/password`, { form: { password: 'short' } })
    expect(short.status).toBe(400)
    expect(short.text).toContain('at least 10 characters')
    const chosen = await client.post(`${base}/password`, { form: { password: PASSWORD } })
    expect(chosen).toMatchObject({ status: 303, location: base })
    expect(client.cookies.get('mindgate_portal')).not.toBe(before)
    expect((await client.get(base)).status).toBe(200)
    expect((await signIn(email, PASSWORD)).answer.location).toBe(base)
  })

  it('tells JSON clients that a temporary password must be changed', async () => {
    const { email, temporaryPassword } = await onboard(
      server.service,
      server.partner.partnerId,
      uniqueEmail()
    )
    const answer = await siteClient(server.url).post(`${base}/sign-in`, {
      json: { email, password: temporaryPassword }
    })
    expect(JSON.parse(answer.text)).toEqual({ mustChangePassword: true })
  })

  it('refuses the temporary password of an invite that ran out', async () => {
    const { email, temporaryPassword } = await onboard(
      server.service,
      server.partner.partnerId,
      uniqueEmail()
    )
    await server.service.database.transaction((tx) =>
      tx
        .updateTable('identity')
        .set({ temporaryPasswordExpiresAt: new Date(Date.now() - 1).toISOString() })
        .where('email', '=', email)
        .execute()
    )
    expect((await signIn(email, temporaryPassword)).answer.status).toBe(401)
  })

  it('says that the portal is closed only to who knows the password', async () => {
    const { email, customerId } = await owner()
    await run(server.service, server.partner.partnerId, 'customer_toggle_portal_block', { customerId })
    const closed = await signIn(email, PASSWORD)
    expect(closed.answer.status).toBe(403)
    expect(closed.answer.text).toContain('access to this portal is closed')
    expect((await signIn(email, 'wrong password')).answer.status).toBe(401)
  })
})
