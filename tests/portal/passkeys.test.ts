// Passkeys as the second step: what one must say, and that nothing that was said before or elsewhere is taken.
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import type { TestServer } from '../support/http.ts'
import { moveClock } from '../support/moved-clock.ts'
import { type Authenticator, askedIn, makeAuthenticator } from './authenticator.ts'
import { people, recoveryIn, type Somebody } from './second-step.ts'
import type { SiteClient } from './site-client.ts'
import { startSites } from './sites.ts'

describe.each(databases)('a passkey on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startSites(
      kind,
      { SIGN_IN_LIMIT: '50', SIGN_IN_ADDRESS_LIMIT: '0', RATE_LIMIT: '0' },
      { alone: 'the clock that moves is this process’s' }
    )
  })
  afterAll(() => server.close())
  const { sites, signIn, isIn, codeOf, enrol, give, actsOf } = people(() => server)

  const OWN = '/account/factor'
  const askedAt = async (client: SiteClient, { base }: Somebody, page = OWN) =>
    askedIn((await client.get(base + page)).text)
  const addTo = (client: SiteClient, { base, password }: Somebody, passkey: string, page = OWN) =>
    client.post(`${base}${page}/add`, { form: { passkey, current: password } })
  /** Somebody who has a passkey, and their recovery codes. */
  const holder = async (site: 'portal' | 'console') => {
    const somebody = await sites[site]()
    const inside = await signIn(somebody)
    const authenticator = makeAuthenticator(server.url)
    const added = await addTo(inside, somebody, authenticator.create(await askedAt(inside, somebody)))
    expect(added.status).toBe(200)
    return { somebody, inside, authenticator, codes: [...new Set(recoveryIn(added.text))] }
  }
  const showAt = async (
    client: SiteClient,
    somebody: Somebody,
    authenticator: Authenticator,
    changed: Parameters<Authenticator['show']>[1] = {}
  ) => {
    const passkey = authenticator.show(await askedAt(client, somebody, '/factor'), changed)
    return { passkey, ...(await client.post(`${somebody.base}/factor`, { form: { passkey } })) }
  }
  const factorsIn = async (client: SiteClient, { base }: Somebody) =>
    [...(await client.get(base + OWN)).text.matchAll(/factor\/(fac_\w+)\/remove/g)].map(([, id = '']) => id)

  describe.each(['portal', 'console'] as const)('at the %s', (site) => {
    it('is added once, lets in each time, and what it said once never again', async () => {
      const { somebody, inside, authenticator, codes } = await holder(site)
      expect(codes).toHaveLength(10)
      const said: string[] = []
      for (let n = 0; n < 2; n += 1) {
        const client = await signIn(somebody)
        const asked = await askedAt(client, somebody, '/factor')
        expect(asked.allowCredentials).toMatchObject([{ id: authenticator.id }])
        const given = await showAt(client, somebody, authenticator)
        expect([given.status, await isIn(client, somebody)]).toEqual([303, true])
        said.push(given.passkey)
      }
      const client = await signIn(somebody)
      await askedAt(client, somebody, '/factor')
      for (const passkey of said)
        expect((await client.post(`${somebody.base}/factor`, { form: { passkey } })).status).toBe(400)
      expect(await isIn(client, somebody)).toBe(false)
      expect(await isIn(inside, somebody)).toBe(true)
      expect((await askedAt(inside, somebody)).excludeCredentials).toMatchObject([{ id: authenticator.id }])
    })

    it('is refused that isn’t this person’s, or that somebody copied', async () => {
      const { somebody, authenticator } = await holder(site)
      const stranger = await holder(site)
      const client = await signIn(somebody)
      const refused = async (by: Authenticator, changed: Parameters<Authenticator['show']>[1] = {}) => {
        const { status, text } = await showAt(client, somebody, by, changed)
        expect([status, text]).toEqual([400, expect.stringContaining('This doesn’t match')])
      }
      const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      await refused(stranger.authenticator)
      await refused(authenticator, { key })
      await refused(authenticator, { rpId: 'evil.example' })
      await refused(authenticator, { type: 'webauthn.create' })
      await refused(authenticator, { origin: 'http://evil.example' })
      // One that counts less than the last time is a copy.
      await showAt(await signIn(somebody), somebody, authenticator, { counter: 50 })
      await refused(authenticator, { counter: 50 })
      expect(await isIn(client, somebody)).toBe(false)
      const { status } = await showAt(client, somebody, authenticator, { counter: 51 })
      expect([status, await isIn(client, somebody)]).toEqual([303, true])
    })

    it('answers what this session asked, within ten minutes', async () => {
      const { somebody, authenticator } = await holder(site)
      /** What is answered so many seconds later, to what that session or another one was asked. */
      const answerAfter = async (seconds: number, isOther = false) => {
        const client = await signIn(somebody)
        if (isOther) await askedAt(client, somebody, '/factor')
        const asked = await askedAt(isOther ? await signIn(somebody) : client, somebody, '/factor')
        const clock = moveClock(Date.now() + seconds * 1_000)
        const form = { passkey: authenticator.show(asked) }
        const answer = client.post(`${somebody.base}/factor`, { form })
        return (await answer.finally(() => clock.restore())).status
      }
      expect([await answerAfter(0, true), await answerAfter(601), await answerAfter(540)]).toEqual([
        400, 400, 303
      ])
    })

    it('that doesn’t count lets in once for each time that it is asked', async () => {
      const somebody = await sites[site]()
      const inside = await signIn(somebody)
      const authenticator = makeAuthenticator(server.url)
      const counter = 0
      await addTo(inside, somebody, authenticator.create(await askedAt(inside, somebody), { counter }))
      const client = await signIn(somebody)
      const passkey = authenticator.show(await askedAt(client, somebody, '/factor'), { counter })
      const send = (by: SiteClient) => by.post(`${somebody.base}/factor`, { form: { passkey } })
      await Promise.all([send(client), send(client)])
      const later = await signIn(somebody)
      await askedAt(later, somebody, '/factor')
      expect((await send(later)).status).toBe(400)
      expect((await actsOf(somebody)).filter((act) => act === 'factor_given')).toHaveLength(1)
      expect((await showAt(later, somebody, authenticator, { counter })).status).toBe(303)
    })

    it('answers nothing where nothing was asked', async () => {
      const { somebody, authenticator } = await holder(site)
      const client = await signIn(somebody)
      const challenge = Buffer.from('null').toString('base64url')
      const passkey = authenticator.show({ challenge, rpId: new URL(server.url).hostname })
      expect((await client.post(`${somebody.base}/factor`, { form: { passkey } })).status).toBe(400)
      expect(await isIn(client, somebody)).toBe(false)
    })

    it('is made by one answer to what was asked, and refused elsewhere', async () => {
      const somebody = await sites[site]()
      const client = await signIn(somebody)
      const asked = await askedAt(client, somebody)
      const authenticator = makeAuthenticator(server.url)
      const elsewhere = makeAuthenticator('https://evil.example').create(asked)
      for (const wrong of [
        elsewhere,
        authenticator.create(asked, { challenge: 'x' }),
        authenticator.create(asked, { type: 'webauthn.get' }),
        authenticator.create(asked, { rpId: 'evil.example' }),
        authenticator.create(asked).slice(0, -2),
        '{}'
      ]) {
        const { status, text } = await addTo(client, somebody, wrong)
        expect([status, text]).toEqual([400, expect.stringContaining('The passkey couldn’t be added')])
      }
      expect(await factorsIn(client, somebody)).toEqual([])
      const fresh = await askedAt(client, somebody)
      const answers = await Promise.all(
        [0, 1, 2].map(() => addTo(client, somebody, makeAuthenticator(server.url).create(fresh)))
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await factorsIn(client, somebody)).toHaveLength(1)
    })

    it('is one of ten, beside an app, and each is removed by itself', async () => {
      const { somebody, inside, authenticator } = await holder(site)
      const { codes } = await enrol(inside, somebody)
      expect(codes).toEqual([])
      let made = authenticator
      const add = async () => {
        made = makeAuthenticator(server.url)
        const { status, text } = await addTo(inside, somebody, made.create(await askedAt(inside, somebody)))
        return { status, text }
      }
      // There are no codes to show.
      for (let n = 0; n < 9; n += 1) expect((await add()).status).toBe(303)
      expect((await showAt(await signIn(somebody), somebody, made)).status).toBe(303)
      expect(await add()).toEqual({ status: 400, text: expect.stringContaining('You have 10 passkeys') })
      const app = await enrol(inside, somebody)
      const ids = await factorsIn(inside, somebody)
      expect(ids).toHaveLength(11)
      expect((await askedAt(inside, somebody)).excludeCredentials).toHaveLength(10)
      await inside.post(`${somebody.base}${OWN}/${ids[0]}/remove`, { form: { current: somebody.password } })
      expect(await factorsIn(inside, somebody)).toEqual(ids.slice(1))
      const client = await signIn(somebody)
      expect((await showAt(client, somebody, authenticator)).status).toBe(400)
      expect((await give(client, somebody, await codeOf(app.secret))).status).toBe(303)
    })

    it('stands alone: no code of an app is taken then', async () => {
      const { somebody, codes } = await holder(site)
      const client = await signIn(somebody)
      for (const code of ['000000', '1234567', 'x123456', ''])
        expect([code, (await give(client, somebody, code)).status]).toEqual([code, 400])
      expect((await give(client, somebody, codes[0] ?? '')).status).toBe(303)
    })
  })
})
