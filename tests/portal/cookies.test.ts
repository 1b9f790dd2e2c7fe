// Behind a proxy that speaks TLS with a certificate of its own, as in front of a real installation.
import { request as httpRequest } from 'node:http'
import { createServer, request as httpsRequest, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { selfSigned } from '../support/self-signed.ts'
import { onboardOwner, PASSWORD, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

interface TlsAnswer {
  status: number
  setCookies: string[]
  headers: Record<string, string | string[] | undefined>
}

describe('the cookies of a session', () => {
  let server: TestServer
  let proxy: Server
  let base: string
  let email: string
  beforeAll(async () => {
    server = await startSites(
      'sqlite',
      { TRUST_PROXY: '1' },
      { alone: 'Caddy believes no one else’s X-Forwarded-Proto' }
    )
    base = `/portal/${server.partner.slug}`
    email = (await onboardOwner(server.service, server.partner, uniqueEmail())).email
    proxy = await startTlsProxy(server.url)
  })
  afterAll(async () => {
    proxy.close()
    await server.close()
  })

  const overTls = (path: string, headers: Record<string, string> = {}, body?: string): Promise<TlsAnswer> =>
    new Promise((resolve, reject) => {
      const { port } = proxy.address() as AddressInfo
      const sent = httpsRequest(
        {
          port,
          path,
          method: body === undefined ? 'GET' : 'POST',
          rejectUnauthorized: false,
          headers: {
            host: 'portal.test',
            ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
            ...headers
          }
        },
        (answer) => {
          answer.resume()
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              setCookies: answer.headers['set-cookie'] ?? [],
              headers: answer.headers
            })
          )
        }
      )
      sent.on('error', reject)
      sent.end(body)
    })
  const credentials = () => new URLSearchParams({ email, password: PASSWORD }).toString()
  const OWN_PAGE = { origin: 'https://portal.test', 'sec-fetch-site': 'same-origin' }

  it('are bound to the host and to https, and no script reads them', async () => {
    const signedIn = await overTls(`${base}/sign-in`, OWN_PAGE, credentials())
    expect(signedIn.status).toBe(303)
    expect(signedIn.setCookies).toEqual([
      expect.stringMatching(
        /^__Host-mindgate_portal=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/
      )
    ])
    const cookie = signedIn.setCookies[0]?.split(';')[0] ?? ''
    expect((await overTls(base, { cookie })).status).toBe(200)
    const out = await overTls(`${base}/sign-out`, { ...OWN_PAGE, cookie }, '')
    expect(out.setCookies).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^__Host-mindgate_portal=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/
        ),
        expect.stringMatching(
          /^__Host-mindgate_flash=[\w%.-]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/
        )
      ])
    )
  })

  it('aren’t taken over https under the name that plain http has', async () => {
    const signedIn = await overTls(`${base}/sign-in`, OWN_PAGE, credentials())
    const token = /=([^;]*)/.exec(signedIn.setCookies[0] ?? '')?.[1]
    expect((await overTls(base, { cookie: `mindgate_portal=${token}` })).status).toBe(303)
  })

  it('have a name of their own on plain http', async () => {
    const client = siteClient(server.url)
    await client.post(`${base}/sign-in`, { form: { email, password: PASSWORD } })
    expect(client.setCookies).toEqual([
      expect.stringMatching(/^mindgate_portal=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    ])
  })

  it('come with HSTS over https, and without it over http', async () => {
    const secure = await overTls(`${base}/sign-in`)
    expect(secure.headers['strict-transport-security']).toBe('max-age=31536000')
    const plain = await siteClient(server.url).get(`${base}/sign-in`)
    expect(plain.headers.get('strict-transport-security')).toBeNull()
    for (const [name, value] of [
      ['referrer-policy', 'same-origin'],
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
      ['cross-origin-opener-policy', 'same-origin']
    ] as const) {
      expect(secure.headers[name]).toBe(value)
    }
    const policy = plain.headers.get('content-security-policy') ?? ''
    expect(policy.split('; ').sort()).toEqual(
      [
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'"
      ].sort()
    )
  })

  it('need the origin to be the https one that the proxy speaks for', async () => {
    const fromHttp = { origin: 'http://portal.test' }
    expect((await overTls(`${base}/sign-in`, fromHttp, credentials())).status).toBe(403)
  })
})

/** Hands everything on and says what a proxy says, over a certificate made just now. */
async function startTlsProxy(upstream: string): Promise<Server> {
  const { hostname, port } = new URL(upstream)
  const proxy = createServer(selfSigned('portal.test'), (asked, answer) => {
    const headers = {
      ...asked.headers,
      'x-forwarded-for': asked.socket.remoteAddress ?? '',
      'x-forwarded-proto': 'https'
    }
    const { method, url: path } = asked
    const onward = httpRequest({ hostname, port, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
    })
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve)
  })
  return proxy
}
