// Where portals stand: below a slug on our own host, and on all of a host that the operator approved.
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { databases } from '../support/databases.ts'
import { makePartner, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { onboardOwner, PASSWORD } from './site-client.ts'
import { startSites } from './sites.ts'

interface HostAnswer {
  status: number
  location: string | undefined
  cookies: string[]
  text: string
}

describe.each(databases)('a portal on a host of its own on %s', (kind) => {
  let server: TestServer
  let acme: TestPartner
  let other: TestPartner
  let email: string
  let customerId: string
  const ACME = 'portal.acme.example'
  const OTHER = 'portal.other.example:8443'

  beforeAll(async () => {
    server = await startSites(kind, { PUBLIC_URL: 'http://mindgate.example' })
    acme = server.partner
    other = await makePartner(server.service)
    await server.service.database.transaction(async (tx) => {
      await updatePartner(tx, acme.partnerId, { portalOrigin: `https://${ACME}` })
      await updatePartner(tx, other.partnerId, { portalOrigin: `https://${OTHER}` })
    })
    const owner = await onboardOwner(server.service, acme, uniqueEmail())
    email = owner.email
    customerId = owner.customerId
  })
  afterAll(() => server.close())

  /** fetch would not let us choose the host. */
  const ask = (
    host: string,
    path: string,
    {
      form,
      cookie,
      headers = {}
    }: { form?: Record<string, string>; cookie?: string; headers?: Record<string, string> } = {}
  ): Promise<HostAnswer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url)
      const sent = request(
        {
          hostname,
          port,
          path,
          method: form ? 'POST' : 'GET',
          headers: {
            host,
            accept: 'text/html',
            ...(cookie ? { cookie } : {}),
            ...(form
              ? { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
              : {}),
            ...headers
          }
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              location: answer.headers.location,
              cookies: answer.headers['set-cookie'] ?? [],
              text: Buffer.concat(chunks).toString()
            })
          )
        }
      )
      sent.on('error', reject)
      sent.end(form ? new URLSearchParams(form).toString() : undefined)
    })
  const signIn = async (host: string, base = '', next = '') => {
    const answer = await ask(host, `${base}/sign-in`, { form: { email, password: PASSWORD, next } })
    return { answer, cookie: answer.cookies[0]?.split(';')[0] ?? '' }
  }

  it('refuses a session of another partner’s', async () => {
    const { cookie } = await signIn(ACME)
    for (const path of ['/', '/account', '/memory']) {
      expect((await ask(OTHER, path, { cookie })).location).toMatch(/^\/sign-in/)
    }
    expect((await ask(OTHER, '/api/whitelabel/session', { cookie })).status).toBe(401)
    const { id } = await makeInstance(server.service, acme.partnerId, customerId)
    const history = `/api/whitelabel/vps/instances/${id}/cli-agent/chat/history`
    expect((await ask(ACME, history, { cookie })).status).toBe(200)
    expect((await ask(OTHER, history, { cookie })).status).toBe(401)
    expect((await ask('mindgate.example', `/portal/${other.slug}`, { cookie })).location).toBe(
      `/portal/${other.slug}/sign-in`
    )
    expect((await signIn(OTHER)).answer.status).toBe(401)
  })

  it('is one partner’s, under either scheme', async () => {
    const taken = server.service.database.transaction((tx) =>
      updatePartner(tx, other.partnerId, { portalOrigin: `http://${ACME}` })
    )
    await expect(taken).rejects.toMatchObject({ code: 'invalid_input', field: 'portalOrigin' })
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('has its pages from the root on, with cookies of that host over https', async () => {
    expect(await ask(ACME, '/')).toMatchObject({ status: 303, location: '/sign-in' })
    const { answer, cookie } = await signIn(ACME)
    expect(answer).toMatchObject({ status: 303, location: '/' })
    expect(cookie).toMatch(/^__Host-mindgate_portal=/)
    const home = await ask(ACME, '/', { cookie })
    expect(home.status).toBe(200)
    expect(home.text).not.toContain(`/portal/${acme.slug}`)
    expect(home.text).toContain('href="/account"')
    const session = await ask(ACME, '/api/whitelabel/session', { cookie })
    expect(JSON.parse(session.text)).toMatchObject({ customerId, role: 'owner' })
  })

  it('takes forms of its own origin only', async () => {
    const form = { email, password: PASSWORD }
    for (const [origin, status] of [
      [`https://${ACME}`, 303],
      [`http://${ACME}`, 403],
      ['http://mindgate.example', 403],
      [`https://${OTHER}`, 403]
    ] as const) {
      const answer = await ask(ACME, '/sign-in', { form, headers: { origin } })
      expect([origin, answer.status]).toEqual([origin, status])
    }
  })

  it('serves neither the console nor anybody else’s portal', async () => {
    const { cookie } = await signIn(ACME)
    for (const path of [
      '/console',
      '/console/sign-in',
      `/portal/${other.slug}`,
      `/portal/${other.slug}/sign-in`
    ]) {
      const answer = await ask(ACME, path, { cookie })
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.text).toContain('Page not found')
    }
    const form = { email, password: PASSWORD }
    expect((await ask(ACME, '/console/sign-in', { form })).status).not.toBe(200)
  })

  it('leads from the address below the slug to its own, and nowhere else', async () => {
    expect(await ask(ACME, `/portal/${acme.slug}/account?a=b`)).toMatchObject({
      status: 308,
      location: '/account?a=b'
    })
    expect((await ask(ACME, `/portal/${acme.slug}`)).location).toBe('/')
    for (const path of [
      '//evil.example/x',
      '/%09/evil.example',
      '/%5Cevil.example',
      '/%0a/evil.example',
      '/%09/['
    ]) {
      expect(await ask(ACME, `/portal/${acme.slug}${path}`)).toMatchObject({ status: 308, location: '/' })
    }
    const { answer } = await signIn(ACME, '', '/.//evil.example')
    expect(answer).toMatchObject({ status: 303, location: '/' })
  })

  it('serves the APIs and the assets as everywhere', async () => {
    const { status, text } = await ask(ACME, '/api/v1/mcp/customers', {
      headers: { authorization: `Bearer ${acme.key}` }
    })
    expect([status, JSON.parse(text).success]).toEqual([200, true])
    const unknown = await ask(ACME, '/api/v1/nothing')
    expect(JSON.parse(unknown.text)).toMatchObject({ success: false, code: 'not_found' })
    const gateway = await ask(ACME, '/api/mcp', { headers: { 'content-type': 'application/json' } })
    expect(gateway.status).not.toBe(403)
    const page = await ask(ACME, '/sign-in')
    const stylesheet = /href="(\/assets\/[^"]+\.css)"/.exec(page.text)?.[1] ?? ''
    expect((await ask(ACME, stylesheet)).status).toBe(200)
  })

  it('stands on no host that nobody approved', async () => {
    for (const path of ['/', '/sign-in', '/account']) {
      const answer = await ask('portal.evil.example', path)
      expect(answer.status).toBe(404)
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'not_found' })
    }
    const gateway = await ask('portal.evil.example', '/api/mcp', {
      headers: { 'content-type': 'application/json' }
    })
    expect(gateway.status).toBe(403)
  })

  it('stays on our own host, too', async () => {
    const base = `/portal/${acme.slug}`
    const { answer, cookie } = await signIn('mindgate.example', base)
    expect(answer).toMatchObject({ status: 303, location: base })
    expect(cookie).toMatch(/^mindgate_portal=/)
    expect((await ask('mindgate.example', base, { cookie })).status).toBe(200)
  })

  it('is closed while its partner is switched off', async () => {
    const closing = await makePartner(server.service)
    const host = 'portal.closing.example'
    const change = (changes: Parameters<typeof updatePartner>[2]) =>
      server.service.database.transaction((tx) => updatePartner(tx, closing.partnerId, changes))
    await change({ portalOrigin: `https://${host}` })
    expect((await ask(host, '/sign-in')).status).toBe(200)
    await change({ isActive: false })
    expect((await ask(host, '/sign-in')).status).toBe(404)
  })
})
