// What stays and what goes when a second factor or a password changes: theirs, and nobody else's.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../support/databases.ts'
import { uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { askedIn, makeAuthenticator } from './authenticator.ts'
import { makeColleague, signInAt } from './console-visitor.ts'
import { people, recoveryIn, type Somebody } from './second-step.ts'
import { mailedSecret, onboardOwner, type SiteClient, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

const OWN = '/account/factor'
const NEW_PASSWORD = 'a quite different one'

describe.each(databases)('second factors and passwords on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startSites(kind, { SIGN_IN_LIMIT: '5', SIGN_IN_ADDRESS_LIMIT: '0', RATE_LIMIT: '0' })
  })
  afterAll(() => server.close())
  const { sites, signIn, isIn, codeOf, codesAround, shown, enrol, give } = people(() => server)

  /** Somebody else at the same partner. */
  const neighbourOf = async (somebody: Somebody, site: 'portal' | 'console'): Promise<Somebody> => {
    const { email } =
      site === 'portal'
        ? await onboardOwner(server.service, somebody.partner, uniqueEmail())
        : await makeColleague(server.service, somebody.partner.partnerId, 'admin')
    return { ...somebody, email }
  }
  const renew = async (client: SiteClient, { base, password }: Somebody) => {
    const { text } = await client.post(`${base}${OWN}/codes`, { form: { current: password } })
    return [...new Set(recoveryIn(text))]
  }
  const cookiesOf = (client: SiteClient) => new Map(client.cookies)

  describe.each(['portal', 'console'] as const)('at the %s', (site) => {
    it('a recovery code that was used is of no use later', async () => {
      const somebody = await sites[site]()
      const { codes } = await enrol(await signIn(somebody), somebody)
      const [code = '', another = ''] = codes
      expect((await give(await signIn(somebody), somebody, code)).status).toBe(303)
      const later = await signIn(somebody)
      expect([
        (await give(later, somebody, code)).status,
        (await give(later, somebody, another)).status
      ]).toEqual([400, 303])
    })

    it('new recovery codes leave the app, and come to nobody without one', async () => {
      const somebody = await sites[site]()
      const inside = await signIn(somebody)
      expect(await renew(inside, somebody)).toEqual([])
      const { secret } = await enrol(inside, somebody)
      expect(await renew(inside, somebody)).toHaveLength(10)
      expect((await give(await signIn(somebody), somebody, await codeOf(secret))).status).toBe(303)
    })

    it('a factor is added in the session that there is', async () => {
      const somebody = await sites[site]()
      const inside = await signIn(somebody)
      const before = cookiesOf(inside)
      await enrol(inside, somebody)
      expect(cookiesOf(inside)).toEqual(before)
      expect(await isIn(inside, somebody)).toBe(true)
    })

    it('an app takes the place of the one before', async () => {
      const somebody = await sites[site]()
      const inside = await signIn(somebody)
      const first = await enrol(inside, somebody)
      const former = await codeOf(first.secret)
      let second = await enrol(inside, somebody)
      // One in a million of them shows the former one's code.
      while ((await codesAround(second.secret)).includes(former)) second = await enrol(inside, somebody)
      const client = await signIn(somebody)
      expect((await give(client, somebody, former)).status).toBe(400)
      expect((await give(client, somebody, await codeOf(second.secret))).status).toBe(303)
    })

    it('codes that are right count as no failures', async () => {
      const somebody = await sites[site]()
      const { codes } = await enrol(await signIn(somebody), somebody)
      for (const code of codes.slice(0, 7))
        expect((await give(await signIn(somebody), somebody, code)).status).toBe(303)
    })

    it('a code is six digits', async () => {
      const somebody = await sites[site]()
      const { secret } = await enrol(await signIn(somebody), somebody)
      const client = await signIn(somebody)
      const code = await codeOf(secret)
      for (const typed of [`1${code}`, `${code}1`, `x${code}`, code.slice(1)])
        expect([typed, (await give(client, somebody, typed)).status]).toEqual([typed, 400])
      expect((await give(client, somebody, code)).status).toBe(303)
    })

    it('whoever has to set one up has just given the password', async () => {
      const somebody = await sites[site]()
      const owner = await makeColleague(server.service, somebody.partner.partnerId, 'owner')
      const demanded = site === 'portal' ? 'demandsCustomerFactor' : 'demandsTeamFactor'
      await (await signInAt(server.url, owner.email)).post('/console/security', { [demanded]: 'true' })
      const client = await signIn(somebody)
      const { secret, sealed } = shown((await client.get(`${somebody.base}/factor`)).text)
      const form = { sealed, code: await codeOf(secret, 0) }
      expect((await client.post(`${somebody.base}/factor/add`, { form })).status).toBe(200)
      expect(await isIn(client, somebody)).toBe(true)
      // With two of them either may go.
      const passkey = makeAuthenticator(server.url).create(
        askedIn((await client.get(somebody.base + OWN)).text)
      )
      const { base, password: current } = somebody
      await client.post(`${base}${OWN}/add`, { form: { passkey, current } })
      const removable = async () => (await client.get(base + OWN)).text.match(/fac_\w+(?=\/remove)/g) ?? []
      const [app, key] = await removable()
      for (const id of [app, key]) await client.post(`${base}${OWN}/${id}/remove`, { form: { current } })
      expect(await removable()).toEqual([key])
    })

    it('a new password is of whoever chose it, and ends nobody else’s link', async () => {
      const somebody = await sites[site]()
      const neighbour = await neighbourOf(somebody, site)
      const visitor = siteClient(server.url)
      await visitor.post(`${neighbour.base}/forgot`, { form: { email: neighbour.email } })
      const template = site === 'portal' ? 'password_forgotten' : 'console_password'
      const token = await vi.waitFor(
        async () => (await mailedSecret(server.service, neighbour.email, template)).linkToken,
        10_000
      )
      const inside = await signIn(somebody)
      const change = (form: Record<string, string>) =>
        inside.post(`${somebody.base}/account/password`, { form })
      const wrong = await change({ current: 'not the password', password: NEW_PASSWORD })
      expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('present password')])
      await change({ current: somebody.password, password: NEW_PASSWORD })
      expect(await isIn(await signIn({ ...somebody, password: NEW_PASSWORD }), somebody)).toBe(true)
      expect(await isIn(await signIn(neighbour), neighbour)).toBe(true)
      const path = site === 'portal' ? '/reset' : '/set-password'
      const form = { token, password: NEW_PASSWORD }
      expect((await visitor.post(neighbour.base + path, { form })).status).toBe(303)
      const changed = { ...neighbour, password: NEW_PASSWORD }
      expect(await isIn(await signIn(changed), changed)).toBe(true)
    })
  })
})
