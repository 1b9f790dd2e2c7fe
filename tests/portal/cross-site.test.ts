// Nobody acts in a visitor's name from another site. A real browser's headers are checked in tests/e2e as well.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { onboardOwner, PASSWORD, type SiteClient, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

describe('what another site sends', () => {
  let server: TestServer
  let base: string
  let email: string
  let signedIn: SiteClient
  beforeAll(async () => {
    server = await startSites('sqlite')
    base = `/portal/${server.partner.slug}`
    email = (await onboardOwner(server.service, server.partner, uniqueEmail())).email
    signedIn = siteClient(server.url)
    await signedIn.post(`${base}/sign-in`, { form: { email, password: PASSWORD } })
  })
  afterAll(() => server.close())

  const send = (path: string, headers: Record<string, string>, body?: string) =>
    fetch(server.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `mindgate_portal=${signedIn.cookies.get('mindgate_portal')}`, ...headers },
      ...(body === undefined ? {} : { body })
    })
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
  const JSON_BODY = { 'content-type': 'application/json' }
  const paths = () => [
    `${base}/sign-in`,
    `${base}/sign-out`,
    `${base}/forgot`,
    `${base}/accept`,
    `${base}/account/sessions/end-all`,
    '/console/sign-in',
    '/console/keys',
    '/api/whitelabel/session'
  ]

  const REFUSED: [what: string, headers: Record<string, string>][] = [
    ['a cross-site form', { ...FORM, 'sec-fetch-site': 'cross-site' }],
    ['a form of a sibling host', { ...FORM, 'sec-fetch-site': 'same-site' }],
    ['a form with another origin', { ...FORM, origin: 'https://evil.example' }],
    ['a form with an opaque origin', { ...FORM, origin: 'null' }],
    [
      'a form whose headers disagree',
      { ...FORM, 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }
    ],
    ['a form that says nothing', FORM],
    ['a multipart form that says nothing', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['plain text that says nothing', { 'content-type': 'text/plain' }],
    ['a body without a type', {}],
    ['JSON with another origin', { ...JSON_BODY, origin: 'https://evil.example' }],
    ['cross-site JSON', { ...JSON_BODY, 'sec-fetch-site': 'cross-site' }]
  ]
  it.each(REFUSED)('is refused at every site: %s', async (_, headers) => {
    for (const path of paths()) {
      const answer = await send(path, headers, '{}')
      expect([path, answer.status]).toEqual([path, 403])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await signedIn.get('/api/whitelabel/session')).status).toBe(200)
  })

  it('is let through where it is our own page, or no browser at all', async () => {
    const body = `email=${encodeURIComponent(email)}&password=${encodeURIComponent(PASSWORD)}`
    const json = JSON.stringify({ email, password: PASSWORD })
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { origin: server.url },
      { 'sec-fetch-site': 'same-origin', origin: server.url }
    ]) {
      expect((await send(`${base}/sign-in`, { ...FORM, ...headers }, body)).status).toBe(303)
      expect((await send(`${base}/sign-in`, { ...JSON_BODY, ...headers }, json)).status).toBe(200)
    }
    expect((await send(`${base}/sign-in`, JSON_BODY, json)).status).toBe(200)
  })

  it('can’t read an answer, either', async () => {
    const asked = await fetch(`${server.url}/api/whitelabel/session`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type'
      }
    })
    expect(asked.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('is told in the words of what it sent', async () => {
    const form = await send(
      `${base}/sign-in`,
      { ...FORM, origin: 'https://evil.example', accept: 'text/html' },
      'a=b'
    )
    expect(form.headers.get('content-type')).toContain('text/html')
    const json = await send(`${base}/sign-in`, { ...JSON_BODY, origin: 'https://evil.example' }, '{}')
    expect(await json.json()).toMatchObject({ success: false, code: 'cross_site' })
  })
})
