// Every path at which the service is asked, by somebody without any credential: what it opens, and what its answers are like.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/http.ts'
import { exchangeRaw } from '../support/raw-socket.ts'
import { everyRoute, type Route } from './routes.ts'

const EVIL = 'https://evil.example'
const FORM = 'application/x-www-form-urlencoded'

/** Answered to anybody with something else than a refusal or the way to sign in, and why nobody is harmed. */
const OPEN: Record<string, string> = {
  'GET /healthz': 'says that the process is there',
  'GET /readyz': 'says that the database is there',
  'GET /api/v1/mcp/openapi.json': 'a document of the program',
  'GET /api/v1/mcp/reference': 'a document of the program',
  'GET /api/partner-mcp/openapi.json': 'a document of the program',
  'GET /api/mcp/openapi.json': 'a document of the program',
  'GET /.well-known/oauth-protected-resource': 'where to sign in',
  'GET /.well-known/oauth-protected-resource/*': 'where to sign in',
  'GET /.well-known/oauth-authorization-server': 'where to sign in',
  'GET /.well-known/openid-configuration': 'where to sign in',
  'GET /oauth/jwks': 'public keys',
  'GET /': 'the page that asks for a portal’s name',
  'GET /portal/:slug/sign-in': 'the page to sign in',
  'GET /portal/:slug/forgot': 'the page to ask for a link',
  'GET /console/sign-in': 'the page to sign in',
  'GET /console/forgot': 'the page to ask for a link',
  ...Object.fromEntries(
    ['', '.es', '.de', '.fr', '.pt', '.ar', '.ja'].map((of) => [
      `GET /widget${of}.js`,
      'a script without secrets'
    ])
  )
}

describe('without a credential', () => {
  let server: TestServer
  let routes: Route[]
  beforeAll(async () => {
    server = await startTestServer('sqlite', {
      METRICS_TOKEN: 'x'.repeat(32),
      RATE_LIMIT: '0',
      SIGN_IN_ADDRESS_LIMIT: '0',
      MAIL_ADDRESS_LIMIT: '0'
    })
    routes = everyRoute(server.service).filter(({ method }) => method !== 'OPTIONS')
  })
  afterAll(() => server.close())

  const addressOf = ({ path }: Route): string =>
    path
      .replace(':slug', server.partner.slug)
      .replace('oauth-protected-resource/*', 'oauth-protected-resource/api/mcp')
      .replaceAll(/:\w+(\{[^}]*\})?/g, 'nothing')

  const ask = (route: Route, headers: Record<string, string> = {}, body: string | undefined = undefined) =>
    fetch(server.url + addressOf(route), {
      method: route.method,
      redirect: 'manual',
      headers: { accept: 'text/html,application/json', ...headers },
      ...(route.method === 'GET' ? {} : { body: body ?? '' })
    })
  /** As a page of ours would. */
  const askOwn = (route: Route) =>
    ask(route, { origin: server.url, 'sec-fetch-site': 'same-origin', 'content-type': FORM })

  /** At once, or by the site's first page. */
  async function leadsToSignIn(headers: Headers, steps = 2): Promise<boolean> {
    const target = headers.get('location')
    if (target === null || steps === 0) return false
    if (/\/sign-in(\?|$)/.test(target)) return true
    const { headers: next } = await fetch(new URL(target, server.url), { redirect: 'manual' })
    return leadsToSignIn(next, steps - 1)
  }

  it('just what anybody may see is answered', async () => {
    const answered: string[] = []
    for (const route of routes) {
      const { status, headers } = await askOwn(route)
      if (status < 400 && !(await leadsToSignIn(headers))) answered.push(`${route.method} ${route.path}`)
    }
    expect(answered.toSorted()).toEqual(Object.keys(OPEN).toSorted())
  })

  it('no answer is a fault of ours, tells how it came about, or lets another site’s page read it', async () => {
    for (const route of routes) {
      const answer = await ask(route, { origin: EVIL, 'content-type': 'application/json' }, '{"a":')
      const text = await answer.text()
      const where = `${route.method} ${route.path}`
      expect([where, answer.status < 500]).toEqual([where, true])
      expect([where, /node_modules|\.tsx?:\d|SQLITE|kysely|select "/.exec(text)?.[0]]).toEqual([
        where,
        undefined
      ])
      expect([where, answer.headers.get('x-content-type-options')]).toEqual([where, 'nosniff'])
      expect([where, answer.headers.get('x-request-id')]).toEqual([where, expect.stringMatching(/^req_/)])
      for (const name of ['server', 'x-powered-by'])
        expect([where, answer.headers.get(name)]).toEqual([where, null])
      const isForAll = /^\/widget(\.\w\w)?\.js$/.test(route.path)
      const allowed = answer.headers.get('access-control-allow-origin')
      expect([where, allowed]).toEqual([where, isForAll ? '*' : null])
      if (answer.headers.get('content-type')?.startsWith('text/html'))
        expect([where, answer.headers.get('content-security-policy')]).toEqual([
          where,
          expect.stringContaining("default-src 'none'")
        ])
    }
  })

  it('no form of another site is taken by a page', async () => {
    const pages = routes.filter(
      ({ method, path }) => method !== 'GET' && /^\/(console|portal)\b|^\/api\/whitelabel/.test(path)
    )
    expect(pages.length).toBeGreaterThan(100)
    for (const route of pages) {
      const answer = await ask(
        route,
        { origin: EVIL, 'sec-fetch-site': 'cross-site', 'content-type': FORM },
        'a=b'
      )
      // Of the chat's it is first asked who is there.
      const refused = route.path.includes('/vps/') ? 401 : 403
      expect([route.path, answer.status]).toEqual([route.path, refused])
    }
  })

  it.each(['TRACE', 'PROPFIND', 'PUT', 'PURGE'])(
    '%s does nothing anywhere, and isn’t echoed',
    async (method) => {
      const { host } = new URL(server.url)
      const known = new Set(routes.filter((route) => route.method === method).map(({ path }) => path))
      for (const route of routes.filter(({ path }) => !known.has(path))) {
        const head = [
          `${method} ${addressOf(route)} HTTP/1.1`,
          `Host: ${host}`,
          'Cookie: planted=quill',
          'Content-Length: 0',
          'Connection: close',
          '',
          ''
        ]
        const answer = await exchangeRaw(server.url, head.join('\r\n'))
        const where = `${method} ${route.path}`
        expect([where, /^HTTP\/1\.1 (\d)/.exec(answer)?.[1]]).toEqual([where, '4'])
        expect([where, answer.includes('planted=quill')]).toEqual([where, false])
      }
    }
  )
})
