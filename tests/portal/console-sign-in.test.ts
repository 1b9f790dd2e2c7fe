import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertPartner, updatePartner } from '../../src/partners/store.ts'
import { databases } from '../support/databases.ts'
import { unique, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { mailedSecret, PASSWORD, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

const OTHER_PASSWORD = 'another battery staple'

describe.each(databases)('signing in to the console on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startSites(kind, { SIGN_IN_LIMIT: '0', SIGN_IN_ADDRESS_LIMIT: '0' })
  })
  afterAll(() => server.close())

  /** A partner as the CLI makes one; its link isn't opened yet. */
  const create = async () => {
    const email = uniqueEmail()
    const name = unique('Partner ')
    const created = await server.service.database.transaction((tx) => insertPartner(tx, { name, email }))
    return { ...created, email, name }
  }
  const ready = async () => {
    const partner = await create()
    const form = { token: partner.setPasswordToken, password: PASSWORD }
    const client = siteClient(server.url)
    expect(await client.post('/console/set-password', { form })).toMatchObject({
      status: 303,
      location: '/console'
    })
    return { ...partner, client }
  }
  const signIn = async (email: string, password: string) => {
    const client = siteClient(server.url)
    return { client, ...(await client.post('/console/sign-in', { form: { email, password } })) }
  }
  const acts = (partnerId: string) =>
    server.service.database.read
      .selectFrom('audit')
      .where('partnerId', '=', partnerId)
      .select(['action', 'actor', 'targetType', 'targetId'])
      .orderBy('createdAt')
      .execute()

  it('begins with the link that `partner create` prints, which works once and not by opening it', async () => {
    const { email, setPasswordToken } = await create()
    const client = siteClient(server.url)
    const path = `/console/set-password?token=${setPasswordToken}`
    for (let i = 0; i < 2; i += 1) expect((await client.get(path)).text).toContain(email)
    const refused = await client.post('/console/set-password', {
      form: { token: setPasswordToken, password: 'short' }
    })
    expect(refused.status).toBe(400)
    const form = { token: setPasswordToken, password: PASSWORD }
    expect((await client.post('/console/set-password', { form })).location).toBe('/console')
    expect((await client.get('/console')).status).toBe(200)
    expect((await client.get(path)).status).toBe(404)
    expect((await siteClient(server.url).post('/console/set-password', { form })).status).toBe(404)
  })

  it('ends at the browser that signs out', async () => {
    const { client } = await ready()
    const token = client.cookies.get('mindgate_console') ?? ''
    expect((await client.post('/console/sign-out')).location).toBe('/console/sign-in')
    client.cookies.set('mindgate_console', token)
    expect((await client.get('/console')).status).toBe(303)
  })

  it('shows no page of another partner’s', async () => {
    const first = await ready()
    const second = await ready()
    expect((await first.client.get('/console/account')).text).toContain(first.email)
    expect((await second.client.get('/console/account')).text).not.toContain(first.email)
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('is noted in the audit log, with who it was', async () => {
    const { partnerId, email } = await ready()
    await signIn(email, PASSWORD)
    await signIn(email, 'wrong password')
    const noted = await acts(partnerId)
    expect(noted.map(({ action }) => action)).toEqual(['console_password_set', 'console_sign_in'])
    for (const { actor, targetType, targetId } of noted) {
      expect(actor).toMatch(/^usr_/)
      expect([targetType, targetId]).toEqual(['partner_user', actor])
    }
  })

  it('answers JSON with who it is', async () => {
    const { email, partnerId, name } = await ready()
    const answer = await siteClient(server.url).post('/console/sign-in', {
      json: { email, password: PASSWORD }
    })
    expect(JSON.parse(answer.text)).toEqual({ partnerId, partnerName: name, email })
  })

  it('answers unknown and wrong alike, and an inactive partner’s user, too', async () => {
    const { email, partnerId } = await ready()
    const wrong = await signIn(email, 'wrong password')
    await server.service.database.transaction((tx) => updatePartner(tx, partnerId, { isActive: false }))
    const plain = (text: string) => text.replaceAll(/value="[^"]*"/g, '').replaceAll(/-\w+"/g, '"')
    for (const other of [await signIn(email, PASSWORD), await signIn(uniqueEmail(), PASSWORD)]) {
      expect(other.status).toBe(401)
      expect(plain(other.text)).toBe(plain(wrong.text))
    }
  })

  it('asks for it where it is missing, and remembers what was wanted', async () => {
    const client = siteClient(server.url)
    expect(await client.get('/console')).toMatchObject({ status: 303, location: '/console/sign-in' })
    expect((await client.get('/console/keys?page=2')).location).toBe(
      '/console/sign-in?next=%2Fkeys%3Fpage%3D2'
    )
    expect((await client.post('/console/keys', { json: {} })).status).toBe(401)
    const { email } = await ready()
    const form = { email, password: PASSWORD, next: '/keys?page=2' }
    expect((await client.post('/console/sign-in', { form })).location).toBe('/console/keys?page=2')
  })

  it('mails a link to who forgot the password, from Mindgate and to the console', async () => {
    const { email, client } = await ready()
    expect((await siteClient(server.url).post('/console/forgot', { form: { email } })).status).toBe(200)
    await siteClient(server.url).post('/console/forgot', { form: { email: uniqueEmail() } })
    const { linkToken } = await vi.waitFor(
      () => mailedSecret(server.service, email, 'console_password'),
      10_000
    )
    const form = { token: linkToken, password: OTHER_PASSWORD }
    expect((await siteClient(server.url).post('/console/set-password', { form })).status).toBe(303)
    expect((await client.get('/console')).status).toBe(303)
    expect((await signIn(email, PASSWORD)).status).toBe(401)
    expect((await signIn(email, OTHER_PASSWORD)).status).toBe(303)
  })
})
