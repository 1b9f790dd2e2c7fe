// A partner's own host is a server of its own: what began at one goes on at no other.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { openSession } from '../portal/customer-visitors.ts'
import { startSites } from '../portal/sites.ts'
import { makePartner, type TestPartner } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { authorizePath, CALLBACK, makeClient, makeOwner, type Owner, VERIFIER } from './by-hand.ts'

const ACME = 'portal.acme.example'
const OTHER = 'portal.other.example'

describe('a request to connect an app at a partner’s own host', () => {
  let server: TestServer
  let clientId: string
  let acme: TestPartner
  let other: TestPartner
  let owner: Owner
  let stranger: Owner
  beforeAll(async () => {
    server = await startSites('sqlite', { PUBLIC_URL: 'https://mindgate.example' })
    acme = server.partner
    other = await makePartner(server.service)
    await server.service.database.transaction(async (tx) => {
      await updatePartner(tx, acme.partnerId, { portalOrigin: `https://${ACME}` })
      await updatePartner(tx, other.partnerId, { portalOrigin: `https://${OTHER}` })
    })
    owner = await makeOwner(server)
    stranger = await makeOwner(server, other)
    clientId = await makeClient(server.url)
  })
  afterAll(() => server.close())

  interface HostAnswer {
    status: number
    location: string | undefined
    refresh: string | undefined
    text: string
  }

  /** A browser that sends its cookies wherever it is told to; `fetch` would choose the host itself. */
  function browse() {
    const cookies = new Map<string, string>()
    const send = (host: string, path: string, form?: Record<string, string>): Promise<HostAnswer> =>
      new Promise((resolve, reject) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const asked = request(
          server.url + path,
          {
            method: form ? 'POST' : 'GET',
            headers: {
              host,
              cookie,
              accept: 'text/html',
              'sec-fetch-site': 'same-origin',
              ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {})
            }
          },
          (answer) => {
            for (const line of answer.headers['set-cookie'] ?? []) {
              const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
              cookies.set(name, value)
            }
            const { location, refresh } = answer.headers
            const status = answer.statusCode ?? 0
            text(answer).then(
              (body) => resolve({ status, location, refresh: refresh?.toString(), text: body }),
              reject
            )
          }
        )
        asked.on('error', reject)
        asked.end(form && String(new URLSearchParams(form)))
      })
    const enter = async ({ partnerId }: TestPartner, { email }: Owner) => {
      const token = await openSession(server.service, partnerId, email)
      cookies.set('__Host-mindgate_portal', token)
    }
    return { cookies, send, enter }
  }

  const begin = (browser: ReturnType<typeof browse>, host: string) =>
    browser.send(host, authorizePath(`https://${host}`, clientId))
  const READ = { scopes: 'memory:read' }

  it('is decided there, and answered in that host’s name', async () => {
    const browser = browse()
    await browser.enter(acme, owner)
    const { location = '' } = await begin(browser, ACME)
    expect(location).toMatch(/^(?:https:\/\/portal\.acme\.example)?\/connect\//)
    const decided = await browser.send(ACME, new URL(location, `https://${ACME}`).pathname, READ)
    const back = await browser.send(ACME, /url=(.+)$/.exec(decided.refresh ?? '')?.[1] ?? '')
    const answer = new URL(back.location ?? '')
    expect(answer.searchParams.get('iss')).toBe(`https://${ACME}`)

    const redeemAt = (host: string) =>
      browser.send(host, '/oauth/token', {
        grant_type: 'authorization_code',
        client_id: clientId,
        code: answer.searchParams.get('code') ?? '',
        code_verifier: VERIFIER,
        redirect_uri: CALLBACK,
        resource: `https://${host}/api/mcp`
      })
    expect((await redeemAt(OTHER)).status).toBe(400)
  })

  it.each([
    ['another partner’s host', OTHER],
    ['the service’s own', 'mindgate.example']
  ])('is unknown at %s', async (_, host) => {
    const browser = browse()
    await browser.enter(acme, owner)
    const { location = '' } = await begin(browser, ACME)
    const { pathname } = new URL(location, `https://${ACME}`)
    await browser.enter(other, stranger)
    const uid = pathname.split('/').at(-1)
    const at = host === OTHER ? pathname : `/portal/${other.slug}/connect/${uid}`
    const shown = await browser.send(host, at)
    expect([shown.status, shown.text.includes('was begun in another browser')]).toEqual([404, true])
    const { refresh } = await browser.send(host, at, READ)
    expect(refresh).toBeUndefined()
    expect(
      await server.service.database.read
        .selectFrom('connectedApp')
        .where('partnerId', '=', other.partnerId)
        .selectAll()
        .execute()
    ).toEqual([])
  })

  it('is for no gateway of another host', async () => {
    const path = authorizePath(`https://${OTHER}`, clientId)
    const { location = '' } = await browse().send(ACME, path)
    const answer = new URL(location)
    expect(answer.searchParams.get('error')).toBe('invalid_target')
    expect(answer.searchParams.get('iss')).toBe(`https://${ACME}`)
  })

  it('is for no partner gateway, whose console isn’t there', async () => {
    const path = authorizePath(`https://${ACME}`, clientId, { resource: `https://${ACME}/api/partner-mcp` })
    const { status, location } = await browse().send(ACME, path)
    expect([status, location]).toEqual([400, undefined])
  })

  it.each(['evil.example', 'portal.acme.example.evil.example', 'portal.acme.example:8443'])(
    'is answered in nobody else’s name: %s',
    async (host) => {
      for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'])
        expect((await browse().send(host, path)).status).toBe(403)
      expect((await browse().send(host, authorizePath(`https://${host}`, clientId))).status).toBe(403)
      expect((await browse().send(ACME, '/.well-known/oauth-authorization-server')).status).toBe(200)
    }
  )
})
