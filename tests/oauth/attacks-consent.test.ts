// Nobody decides about an app but the person before the page, in the browser that began it, and no further than they may.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONSOLE_PASSWORD } from '../portal/console-visitor.ts'
import { type SiteClient, siteClient } from '../portal/site-client.ts'
import { startSites } from '../portal/sites.ts'
import { makePartner, type TestPartner } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import {
  authorizePath,
  begin,
  codeOf,
  comeBack,
  makeClient,
  makeOwner,
  type Owner,
  redeem,
  signedIn
} from './by-hand.ts'
import { makeStaff } from './people.ts'

describe('consent to an app', () => {
  let server: TestServer
  let url: string
  let partner: TestPartner
  let other: TestPartner
  let owner: Owner
  let clientId: string
  beforeAll(async () => {
    server = await startSites('sqlite', { RATE_LIMIT: '0' })
    url = server.url
    partner = server.partner
    other = await makePartner(server.service)
    owner = await makeOwner(server)
    clientId = await makeClient(url)
  })
  afterAll(() => server.close())

  const enter = (person = owner, slug = partner.slug) => signedIn(url, person, slug)
  const beginAt = (browser: SiteClient, changed: Record<string, string> = {}) =>
    begin(browser, url, clientId, { portal: partner.slug, ...changed })
  const READ = { scopes: 'memory:read' }
  const apps = () => server.service.database.read.selectFrom('connectedApp').selectAll().execute()
  /** Runs what must connect nothing. */
  const connectsNothing = async (work: () => Promise<void>) => {
    const before = await apps()
    await work()
    expect(await apps()).toEqual(before)
  }
  const scopesOf = async (browser: SiteClient, answer: Awaited<ReturnType<SiteClient['post']>>) => {
    const { body } = await redeem(url, clientId, codeOf(await comeBack(browser, answer)))
    return body.scope
  }

  describe('forged by another site', () => {
    it.each([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['a sibling host', { 'sec-fetch-site': 'same-site' }],
      ['another origin', { origin: 'https://evil.example' }],
      ['an opaque origin', { origin: 'null' }],
      ['another port of the same host', { origin: 'http://127.0.0.1:1' }]
    ])('is refused: %s', async (_, headers) => {
      const browser = await enter()
      const path = await beginAt(browser)
      await connectsNothing(async () => {
        for (const to of [path, `${path}/cancel`]) {
          const { status, headers: answered } = await browser.post(to, { form: READ, headers })
          expect([to, status, answered.get('refresh')]).toEqual([to, 403, null])
        }
      })
      expect(await scopesOf(browser, await browser.post(path, { form: READ }))).toBe('memory:read')
    })

    it('is no link', async () => {
      const browser = await enter()
      const path = await beginAt(browser)
      await connectsNothing(async () => {
        const shown = await browser.get(`${path}?scopes=memory%3Aread`)
        expect([shown.status, shown.headers.get('refresh')]).toEqual([200, null])
        expect((await browser.get(`${path}/cancel`)).status).toBe(302)
      })
    })
  })

  describe('in another browser', () => {
    const isUnknown = async (browser: SiteClient, path: string) => {
      await connectsNothing(async () => {
        const shown = await browser.get(path)
        expect(shown.status).toBe(404)
        expect(shown.text).toContain('was begun in another browser')
        expect((await browser.post(path, { form: READ })).headers.get('refresh')).toBeNull()
        expect((await browser.post(`${path}/cancel`)).headers.get('refresh')).toBeNull()
      })
    }

    it('is not to be given by who follows an attacker’s link to the page', async () => {
      const attacker = siteClient(url)
      const victim = await enter()
      const path = await beginAt(attacker)
      await isUnknown(victim, path)
    })

    it('nor by who began a request of their own meanwhile', async () => {
      const victim = await enter()
      await beginAt(victim)
      await isUnknown(victim, await beginAt(siteClient(url)))
    })

    it('isn’t carried away by who saw the address of the page', async () => {
      const browser = await enter()
      const path = await beginAt(browser)
      const answer = await browser.post(path, { form: READ })
      const uid = path.split('/').at(-1)
      const thief = siteClient(url)
      for (const cookie of [undefined, 'mindgate_connect']) {
        if (cookie) thief.cookies.set(cookie, uid ?? '')
        const { status, location } = await thief.get(`/oauth/authorize/${uid}`)
        expect([status, location]).toEqual([400, null])
      }
      expect(await scopesOf(browser, answer)).toBe('memory:read')
    })

    it('is given once', async () => {
      const browser = await enter()
      const path = await beginAt(browser)
      const answer = await browser.post(path, { form: READ })
      await comeBack(browser, answer)
      await isUnknown(browser, path)
    })

    it('needs somebody signed in', async () => {
      const browser = siteClient(url)
      const path = await beginAt(browser)
      await connectsNothing(async () => {
        for (const { status, location } of [
          await browser.get(path),
          await browser.post(path, { form: READ })
        ])
          expect([status, location?.startsWith(`/portal/${partner.slug}/sign-in`)]).toEqual([303, true])
      })
    })
  })

  it('is on pages that no other page shows in itself', async () => {
    const browser = siteClient(url)
    const unsure = await browser.get(authorizePath(url, clientId))
    expect(unsure.text).toContain('Which portal is yours?')
    const broken = await browser.get(authorizePath(url, 'unknown', { portal: partner.slug }))
    const path = await beginAt(browser)
    const signIn = await browser.get((await browser.get(path)).location ?? '')
    const { email, password } = owner
    await browser.post(`/portal/${partner.slug}/sign-in`, { form: { email, password } })
    const asked = await browser.get(path)
    const unfit = await browser.post(path, { form: {} })
    const posted = await browser.post(path, { form: READ })
    const declined = await browser.post(`${await beginAt(browser)}/cancel`)
    const expired = await browser.get('/oauth/authorize/some-uid')
    const forged = await browser.get(
      authorizePath(url, clientId, { portal: partner.slug, response_mode: 'form_post' })
    )
    for (const { status, headers, text } of [
      unsure,
      broken,
      signIn,
      asked,
      unfit,
      posted,
      declined,
      expired,
      forged
    ]) {
      expect(status).not.toBe(500)
      if (status === 303) continue
      expect([text.slice(0, 200), headers.get('x-frame-options')]).toEqual([text.slice(0, 200), 'DENY'])
      expect(headers.get('content-security-policy')).toMatch(
        /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/
      )
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('same-origin')
    }
    expect(unfit.status).toBe(400)
  })

  describe('opened elsewhere', () => {
    const isUnknownAt = (browser: SiteClient, path: string) =>
      connectsNothing(async () => {
        expect((await browser.get(path)).status).toBe(404)
        expect((await browser.post(path, { form: READ })).headers.get('refresh')).toBeNull()
      })
    /** As who knows their way around cookies would: it is sent to any path. */
    const uidOf = (path: string) => path.split('/').at(-1)

    it('is unknown in another partner’s portal', async () => {
      const stranger = await makeOwner(server, other)
      const browser = await enter(stranger, other.slug)
      const path = await beginAt(browser)
      await isUnknownAt(browser, `/portal/${other.slug}/connect/${uidOf(path)}`)
    })

    it('is unknown in the console when it is about a customer’s memory', async () => {
      const { email } = await makeStaff(server, partner)
      const browser = siteClient(url)
      await browser.post('/console/sign-in', { form: { email, password: CONSOLE_PASSWORD } })
      const path = await beginAt(browser)
      await isUnknownAt(browser, `/console/connect/${uidOf(path)}`)
      const partners = await begin(browser, url, clientId, { resource: `${url}/api/partner-mcp` })
      expect((await browser.get(partners)).status).toBe(200)
    })

    it('is unknown in a portal when it is about a partner’s customers', async () => {
      const browser = await enter()
      const path = await begin(browser, url, clientId, { resource: `${url}/api/partner-mcp` })
      expect(path).toMatch(/^\/console\//)
      await isUnknownAt(browser, `/portal/${partner.slug}/connect/${uidOf(path)}`)
    })
  })
})
