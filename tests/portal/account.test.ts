import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserName } from '../../servers/portal/account-pages.tsx'
import { databases } from '../support/databases.ts'
import { makePartner, quickHash, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { onboardOwner, PASSWORD, type SiteClient, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

const OTHER_PASSWORD = 'another battery staple'

describe.each(databases)('the account page on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startSites(kind, { SIGN_IN_LIMIT: '3' })
  })
  afterAll(() => server.close())

  const sites = {
    async portal() {
      const base = `/portal/${server.partner.slug}`
      const { email } = await onboardOwner(server.service, server.partner, uniqueEmail())
      return { base, email }
    },
    async console() {
      const { partnerId } = await makePartner(server.service)
      const passwordHash = await quickHash(PASSWORD)
      const { email } = await server.service.database.transaction((tx) =>
        tx
          .updateTable('partnerUser')
          .set({ passwordHash })
          .where('partnerId', '=', partnerId)
          .returning('email')
          .executeTakeFirstOrThrow()
      )
      return { base: '/console', email }
    }
  }
  const signIn = async (base: string, email: string, password = PASSWORD): Promise<SiteClient> => {
    const client = siteClient(server.url)
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/130.0' }
    const answer = await client.post(`${base}/sign-in`, { form: { email, password }, headers })
    expect(answer.status).toBe(303)
    return client
  }
  const isIn = async (client: SiteClient, base: string) =>
    (await client.get(`${base}/account`)).status === 200
  const sessionIds = (html: string) => [...html.matchAll(/sessions\/(ses_\w+)\/end/g)].map(([, id]) => id)

  describe.each(['portal', 'console'] as const)('of the %s', (site) => {
    it('ends nobody else’s session', async () => {
      const { base, email } = await sites[site]()
      const stranger = await sites[site]()
      const other = await signIn(stranger.base, stranger.email)
      const third = await signIn(stranger.base, stranger.email)
      const [theirs] = sessionIds((await third.get(`${stranger.base}/account`)).text)
      const client = await signIn(base, email)
      const answer = await client.post(`${base}/account/sessions/${theirs}/end`)
      expect(answer.status).toBe(303)
      await client.post(`${base}/account/sessions/end-all`)
      expect([await isIn(other, stranger.base), await isIn(third, stranger.base)]).toEqual([true, true])
    })

    // The rest is the same whatever the database.
    if (kind !== 'sqlite') return

    it('changes the password and ends every other session', async () => {
      const { base, email } = await sites[site]()
      const [here, elsewhere] = [await signIn(base, email), await signIn(base, email)]
      const change = (current: string, password: string) =>
        here.post(`${base}/account/password`, { form: { current, password } })
      const wrong = await change('wrong password', OTHER_PASSWORD)
      expect(wrong.status).toBe(400)
      expect(wrong.text).toContain('This is not your present password.')
      const weak = await change(PASSWORD, 'short')
      expect(weak.status).toBe(400)
      expect(weak.text).toContain('at least 10 characters')
      expect(await isIn(elsewhere, base)).toBe(true)
      expect((await change(PASSWORD, OTHER_PASSWORD)).location).toBe(`${base}/account`)
      expect((await here.get(`${base}/account`)).text).toContain('Your password is changed.')
      expect(await isIn(here, base)).toBe(true)
      expect(await isIn(elsewhere, base)).toBe(false)
      await signIn(base, email, OTHER_PASSWORD)
    })

    it('lets nobody guess the present password without end', async () => {
      const { base, email } = await sites[site]()
      const client = await signIn(base, email)
      const form = { current: 'wrong password', password: OTHER_PASSWORD }
      const statuses: number[] = []
      for (let i = 0; i < 4; i += 1)
        statuses.push((await client.post(`${base}/account/password`, { form })).status)
      expect(statuses).toEqual([400, 400, 400, 429])
    })

    it('lists where one is signed in and ends one, the others, or all', async () => {
      const { base, email } = await sites[site]()
      const [here, second, third] = [
        await signIn(base, email),
        await signIn(base, email),
        await signIn(base, email)
      ]
      const page = await here.get(`${base}/account`)
      expect(page.text).toContain('This browser')
      expect(page.text).toContain('Firefox on Windows')
      expect(sessionIds(page.text)).toHaveLength(2)
      const [newest] = sessionIds((await second.get(`${base}/account`)).text)
      expect(newest).toBeDefined()
      await here.post(`${base}/account/sessions/end-others`)
      expect([await isIn(here, base), await isIn(second, base), await isIn(third, base)]).toEqual([
        true,
        false,
        false
      ])
      const fourth = await signIn(base, email)
      const [id] = sessionIds((await here.get(`${base}/account`)).text)
      await here.post(`${base}/account/sessions/${id}/end`)
      expect([await isIn(here, base), await isIn(fourth, base)]).toEqual([true, false])
      const fifth = await signIn(base, email)
      expect((await here.post(`${base}/account/sessions/end-all`)).location).toBe(`${base}/sign-in`)
      expect([await isIn(here, base), await isIn(fifth, base)]).toEqual([false, false])
    })
  })
})

describe('a browser’s name', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0 Safari/537.36 Edg/129.0',
      'Edge on Windows'
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15',
      'Safari on macOS'
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/129.0 Mobile Safari/604.1',
      'Chrome on iPhone'
    ],
    [
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0 Mobile Safari/537.36',
      'Chrome on Android'
    ],
    ['curl/8.5.0', 'curl'],
    ['', 'Unknown browser']
  ])('%s is %s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name)
  })
})
