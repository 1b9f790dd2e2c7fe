// One browser in the portals of several partners on one host: each session opens its own partner's portal, and stays
// whatever happens at another one's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { makePartner, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { onboardOwner, PASSWORD, type SiteClient, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

interface Portal {
  partner: TestPartner
  base: string
  email: string
  customerId: string
}

describe.each(databases)('several partners’ portals in one browser on %s', (kind) => {
  let server: TestServer
  let first: Portal
  let second: Portal
  beforeAll(async () => {
    server = await startSites(kind, { SSH_ALLOW_PRIVATE: '1' })
    first = await makePortal(server.partner)
    second = await makePortal()
  })
  afterAll(() => server.close())

  const makePortal = async (given?: TestPartner): Promise<Portal> => {
    const partner = given ?? (await makePartner(server.service))
    const { email, customerId } = await onboardOwner(server.service, partner, uniqueEmail())
    return { partner, base: `/portal/${partner.slug}`, email, customerId }
  }
  const signIn = (client: SiteClient, { base, email }: Portal) =>
    client.post(`${base}/sign-in`, { form: { email, password: PASSWORD } })
  const isIn = async (client: SiteClient, { base }: Portal) => (await client.get(base)).status === 200
  const whoIs = async (client: SiteClient) => JSON.parse((await client.get('/api/whitelabel/session')).text)

  it('stays signed in to one while looking at another, which that session doesn’t open', async () => {
    const client = siteClient(server.url)
    await signIn(client, first)
    const session = new Map(client.cookies)
    for (const path of ['', '/account', '/choose', '/password', '/sign-in', '/forgot']) {
      const answer = await client.get(second.base + path)
      expect(answer.text).not.toContain('Ada Lovelace')
      if (answer.location) expect(answer.location).toContain(`${second.base}/sign-in`)
      expect(client.setCookies).toEqual([])
    }
    expect(client.cookies).toEqual(session)
    expect(await isIn(client, first)).toBe(true)
  })

  it('signs in to each beside the other, and out of one only', async () => {
    const client = siteClient(server.url)
    for (const portal of [first, second, first]) expect((await signIn(client, portal)).status).toBe(303)
    expect([await isIn(client, first), await isIn(client, second)]).toEqual([true, true])
    // One that began anew took its own place.
    expect(client.cookies.get('mindgate_portal')).toMatch(/^[\w-]{43}\.[\w-]{43}$/)
    expect(await whoIs(client)).toMatchObject({ customerId: first.customerId })

    await client.post(`${first.base}/sign-out`)
    expect([await isIn(client, first), await isIn(client, second)]).toEqual([false, true])
    expect(await whoIs(client)).toMatchObject({ customerId: second.customerId })
    await client.post(`${first.base}/sign-out`)
    expect(await isIn(client, second)).toBe(true)
    await client.post(`${second.base}/sign-out`)
    expect(client.cookies.has('mindgate_portal')).toBe(false)
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('asks the agents of each by the session that is its own', async () => {
    const { partner, customerId } = first
    const agent = await makeInstance(server.service, partner.partnerId, customerId)
    const history = (client: SiteClient) =>
      client.get(`/api/whitelabel/vps/instances/${agent.id}/cli-agent/chat/history`)
    const client = siteClient(server.url)
    await signIn(client, second)
    expect((await history(client)).status).toBe(404)
    await signIn(client, first)
    await signIn(client, second)
    expect((await history(client)).status).toBe(200)
    await client.post(`${first.base}/sign-out`)
    expect((await history(client)).status).toBe(404)
    await client.post(`${second.base}/sign-out`)
    expect((await history(client)).status).toBe(401)
  })

  it('forgets a session that has ended, and only that', async () => {
    const client = siteClient(server.url)
    await signIn(client, first)
    await signIn(client, second)
    await server.service.database.transaction((tx) =>
      tx.deleteFrom('session').where('partnerId', '=', second.partner.partnerId).execute()
    )
    expect(await client.get(second.base)).toMatchObject({ status: 303, location: `${second.base}/sign-in` })
    expect((await client.get(`${second.base}/sign-in`)).text).toContain('You are signed out.')
    expect(client.cookies.get('mindgate_portal')).toMatch(/^[\w-]{43}$/)
    expect(await isIn(client, first)).toBe(true)
  })

  it('remembers five at most, and looks at no more', async () => {
    const client = siteClient(server.url)
    const portals = [first, second]
    while (portals.length < 6) portals.push(await makePortal())
    for (const portal of portals) await signIn(client, portal)
    const held = client.cookies.get('mindgate_portal') ?? ''
    expect(held.split('.')).toHaveLength(5)
    const open = await Promise.all(portals.map((portal) => isIn(siteClientWith(held), portal)))
    expect(open).toEqual([false, true, true, true, true, true])
    const padded = siteClientWith(`${'x.'.repeat(5)}${held}`)
    expect(await isIn(padded, second)).toBe(false)
  })

  const siteClientWith = (cookie: string): SiteClient => {
    const client = siteClient(server.url)
    client.cookies.set('mindgate_portal', cookie)
    return client
  }

  it('has nothing to do with the console', async () => {
    const client = siteClient(server.url)
    client.cookies.set('mindgate_console', 'another-site')
    await signIn(client, first)
    await client.get(second.base)
    await client.post(`${second.base}/sign-out`)
    expect(client.cookies.get('mindgate_console')).toBe('another-site')
    await client.post('/console/sign-out')
    expect(client.cookies.has('mindgate_console')).toBe(false)
    expect(await isIn(client, first)).toBe(true)
  })
})
