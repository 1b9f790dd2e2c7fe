// The second step of signing in: what comes after the password, at both sites.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../support/databases.ts'
import type { TestServer } from '../support/http.ts'
import { makeColleague, signInAt } from './console-visitor.ts'
import { people, recoveryIn } from './second-step.ts'
import { mailedSecret, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

describe.each(databases)('the second step on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startSites(kind, { SIGN_IN_LIMIT: '5', SIGN_IN_ADDRESS_LIMIT: '0', RATE_LIMIT: '0' })
  })
  afterAll(() => server.close())
  const { sites, signIn, isIn, codeOf, wrongCodes, shown, enrol, give, actsOf } = people(() => server)

  describe.each(['portal', 'console'] as const)('of the %s', (site) => {
    it('is asked for once an app is there, and opens nothing before it is given', async () => {
      const somebody = await sites[site]()
      const { base } = somebody
      const other = await signIn(somebody)
      const first = await signIn(somebody)
      const { secret, added, codes } = await enrol(first, somebody)
      expect(added.status).toBe(200)
      expect(codes).toHaveLength(10)
      expect([await isIn(first, somebody), await isIn(other, somebody)]).toEqual([true, false])

      const client = await signIn(somebody)
      const cookies = new Map(client.cookies)
      for (const path of ['', '/account', '/account/factor', '/connect/none', '/choose', '/password'])
        expect([path, (await client.get(base + path)).location]).toMatchObject([
          path,
          expect.stringMatching(/\/factor/)
        ])
      for (const path of ['/account/password', '/account/sessions/end-all', '/account/factor/add', '/choose'])
        expect((await client.post(base + path, { form: { current: somebody.password } })).location).toMatch(
          /factor/
        )
      expect((await client.get('/api/whitelabel/session')).status).toBe(401)
      for (const path of ['/factor/add', '/factor/codes', '/factor/fac_1/remove']) {
        const { text } = await client.post(base + path, { form: { current: somebody.password } })
        expect(recoveryIn(text)).toEqual([])
        expect(await isIn(client, somebody)).toBe(false)
      }

      const wrong = await give(client, somebody, (await wrongCodes(secret, 1))[0] ?? '')
      expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('This doesn’t match')])
      const right = await give(client, somebody, ` ${await codeOf(secret)} `)
      expect([right.status, right.location]).toEqual([303, base])
      expect(client.cookies).not.toEqual(cookies)
      expect(await isIn(client, somebody)).toBe(true)
      const old = siteClient(server.url)
      for (const [name, value] of cookies) old.cookies.set(name, value)
      expect((await old.get(`${base}/factor`)).location).not.toBe(null)
      expect(await isIn(old, somebody)).toBe(false)
      expect(await actsOf(somebody)).toEqual(['factor_added', 'factor_failed', 'factor_given'])
    })

    it('stands between an app that is to be connected and its user, and leads back to it', async () => {
      const somebody = await sites[site]()
      const [code = ''] = (await enrol(await signIn(somebody), somebody)).codes
      const client = await signIn(somebody)
      const next = `${somebody.base}/connect/some-request`
      for (const answer of [
        await client.get(next),
        await client.post(next),
        await client.post(`${next}/cancel`)
      ])
        expect(answer.location).toMatch(/\/factor(\?next=|$)/)
      const wanted =
        new URL((await client.get(next)).location ?? '', server.url).searchParams.get('next') ?? ''
      const given = await client.post(`${somebody.base}/factor`, { form: { code, next: wanted } })
      expect(given.location).toBe(next)
      // There is no such request.
      expect((await client.get(next)).status).toBe(404)
    })

    it('tells JSON clients what is asked for, and takes it from them', async () => {
      const somebody = await sites[site]()
      const [code = ''] = (await enrol(await signIn(somebody), somebody)).codes
      const client = siteClient(server.url)
      const { email, password } = somebody
      const entered = await client.post(`${somebody.base}/sign-in`, { json: { email, password } })
      expect(JSON.parse(entered.text)).toEqual({ secondFactor: 'factor' })
      const junk = await client.post(`${somebody.base}/factor`, { json: { passkey: '{"id":"x"}' } })
      expect([junk.status, JSON.parse(junk.text)]).toMatchObject([400, { code: 'invalid_input' }])
      expect((await client.post(`${somebody.base}/factor`, { json: { code } })).status).toBe(200)
      expect(await isIn(client, somebody)).toBe(true)
    })

    it('takes a code of the app once, and none from before', async () => {
      const somebody = await sites[site]()
      const { secret } = await enrol(await signIn(somebody), somebody)
      const code = await codeOf(secret)
      const clients = await Promise.all([1, 2, 3].map(() => signIn(somebody)))
      const answers = await Promise.all(clients.map((client) => give(client, somebody, code)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400])
      const later = await signIn(somebody)
      expect((await give(later, somebody, await codeOf(secret, 0))).status).toBe(400)
      expect((await give(later, somebody, code)).status).toBe(400)
    })

    it('takes a recovery code once, and none once there are new ones', async () => {
      const somebody = await sites[site]()
      const inside = await signIn(somebody)
      const [spent = '', kept = ''] = (await enrol(inside, somebody)).codes
      const clients = await Promise.all([1, 2].map(() => signIn(somebody)))
      const answers = await Promise.all(clients.map((client) => give(client, somebody, spent.toUpperCase())))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400])
      expect((await inside.get(`${somebody.base}/account/factor`)).text).toContain(
        '9 recovery codes are left'
      )

      const at = `${somebody.base}/account/factor/codes`
      await inside.post(at, { form: { current: 'not the password' } })
      const renewed = await inside.post(at, { form: { current: somebody.password } })
      const fresh = [...new Set(recoveryIn(renewed.text))]
      expect(fresh).toHaveLength(10)
      const client = await signIn(somebody)
      expect((await give(client, somebody, kept)).status).toBe(400)
      expect((await give(client, somebody, fresh[0] ?? '')).status).toBe(303)
    })

    it('is not to be guessed, whatever the session', async () => {
      const somebody = await sites[site]()
      const { secret, codes } = await enrol(await signIn(somebody), somebody)
      const statuses: number[] = []
      for (const code of await wrongCodes(secret, 6))
        statuses.push((await give(await signIn(somebody), somebody, code)).status)
      expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
      expect((await give(await signIn(somebody), somebody, codes[0] ?? '')).status).toBe(429)
    })

    it('is added and removed with the present password alone, and only by whose it is', async () => {
      const somebody = await sites[site]()
      const client = await signIn(somebody)
      const at = `${somebody.base}/account/factor`
      const { secret, sealed } = shown((await client.get(at)).text)
      const form = { sealed, code: await codeOf(secret), current: 'not the password' }
      expect(await client.post(`${at}/add`, { form })).toMatchObject({
        status: 400,
        text: expect.stringContaining('present password')
      })
      const [code = ''] = await wrongCodes(secret, 1)
      const wrong = { sealed, code, current: somebody.password }
      expect((await client.post(`${at}/add`, { form: wrong })).text).toContain('This isn’t the app’s code')
      await enrol(client, somebody)
      const id = /factor\/(fac_\w+)\/remove/.exec((await client.get(at)).text)?.[1]

      const stranger = await sites[site]()
      const theirs = await signIn(stranger)
      const taken = { sealed, code: await codeOf(secret), current: stranger.password }
      expect(
        (await theirs.post(`${at.replace(somebody.base, stranger.base)}/add`, { form: taken })).status
      ).toBe(400)
      await enrol(theirs, stranger)
      await theirs.post(`${stranger.base}/account/factor/${id}/remove`, {
        form: { current: stranger.password }
      })
      await client.post(`${at}/${id}/remove`, { form: { current: 'not the password' } })
      expect((await client.get(at)).text).toContain(`${id}/remove`)

      await client.post(`${at}/${id}/remove`, { form: { current: somebody.password } })
      expect((await client.get(at)).text).not.toContain(`${id}/remove`)
      expect(await isIn(await signIn(somebody), somebody)).toBe(true)
      expect(await isIn(await signIn(stranger), stranger)).toBe(false)
    })

    it('is demanded: who has none sets one up first, and can’t take the last one away', async () => {
      const somebody = await sites[site]()
      const before = await signIn(somebody)
      const owner = await signInAt(
        server.url,
        (await makeColleague(server.service, somebody.partner.partnerId, 'owner')).email
      )
      const fields = site === 'portal' ? { demandsCustomerFactor: 'true' } : { demandsTeamFactor: 'true' }
      await owner.post('/console/security', fields)
      for (const client of [before, await signIn(somebody)]) {
        expect((await client.get(`${somebody.base}/account`)).location).toMatch(/\/factor\?next=/)
        expect((await client.post(`${somebody.base}/factor`, { form: { code: '000000' } })).status).not.toBe(
          200
        )
      }
      const client = await signIn(somebody)
      const { added, codes } = await enrol(client, somebody, '/factor')
      expect([added.status, codes.length]).toEqual([200, 10])
      expect(await isIn(client, somebody)).toBe(true)
      expect(await isIn(before, somebody)).toBe(false)
      const page = await client.get(`${somebody.base}/account/factor`)
      const id = /factor\/(fac_\w+)\/remove/.exec(page.text)?.[1]
      await client.post(`${somebody.base}/account/factor/${id}/remove`, {
        form: { current: somebody.password }
      })
      expect((await client.get(`${somebody.base}/account/factor`)).text).toContain(`${id}/remove`)
    })

    it('is asked for behind the link of a reset, too', async () => {
      const somebody = await sites[site]()
      await enrol(await signIn(somebody), somebody)
      const client = siteClient(server.url)
      await client.post(`${somebody.base}/forgot`, { form: { email: somebody.email } })
      const template = site === 'portal' ? 'password_forgotten' : 'console_password'
      const token = await vi.waitFor(
        async () => (await mailedSecret(server.service, somebody.email, template)).linkToken
      )
      const path = site === 'portal' ? '/reset' : '/set-password'
      const password = 'a quite different one'
      expect((await client.post(somebody.base + path, { form: { token, password } })).status).toBe(303)
      expect(await isIn(client, somebody)).toBe(false)
      const again = await signIn({ ...somebody, password })
      expect((await again.get(somebody.base)).location).toMatch(/\/factor/)
    })

    it('keeps its secret out of answers, logs and the database', async () => {
      const somebody = await sites[site]()
      const client = await signIn(somebody)
      const { secret, codes } = await enrol(client, somebody)
      const rows = await server.service.database.read.selectFrom('factor').selectAll().execute()
      const told =
        JSON.stringify(rows) + server.logs.join('\n') + (await client.get(`${somebody.base}/account`)).text
      for (const one of [secret, ...codes]) expect(told).not.toContain(one)
    })
  })
})
