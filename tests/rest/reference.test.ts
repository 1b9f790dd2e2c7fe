// The reference page: complete, from us alone, and closed to anything that isn't ours.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { documentRest } from '../../servers/rest/openapi.ts'
import { referencePages } from '../../servers/rest/reference/pages.tsx'
import { restRoutes } from '../../servers/rest/routes.ts'
import { defineOperation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

describe('the reference page', () => {
  let server: TestServer
  let page: Response
  let html: string
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    page = await fetch(`${server.url}/api/v1/mcp/reference`)
    html = await page.text()
  })
  afterAll(() => server.close())

  it('needs no key', () => {
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=UTF-8')
  })

  it('shows every operation with its path, scope and tool name', () => {
    for (const { name, title, scope, http, channels } of operations) {
      if (!channels.includes('rest')) continue
      const section =
        html.split(`<article id="${name.replaceAll('_', '-')}"`)[1]?.split('</article>')[0] ?? ''
      const text = section.replaceAll(/<[^>]+>/g, '')
      expect([name, text.includes(title), text.includes(scope)]).toEqual([name, true, true])
      expect([name, text.includes(`MCP tool${name}`)]).toEqual([name, channels.includes('mcp')])
      expect(text).toContain(`/api/v1/mcp${http?.path}`)
      expect(text).toContain('curl')
    }
  })

  it('has a target for every link inside of it, and every anchor once', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.length).toBe(new Set(ids).size)
    for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
    expect(ids).toContain('authentication')
  })

  it('loads nothing from elsewhere, and its policy forbids it', () => {
    const scripts = html.match(/<script[\s\S]*?<\/script>/g)
    expect(scripts).toHaveLength(1)
    expect(scripts?.[0]).toMatch(/^<script type="module" src="[^"]+"><\/script>$/)
    expect(html).not.toMatch(/<iframe| style="| on[a-z]+="/i)
    const loaded = [...html.matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(([, url]) => url)
    for (const url of loaded) expect(url).toMatch(/^(?:\/api\/v1\/mcp\/|data:,$)/)
    const links = [...html.matchAll(/href="\/api\/v1\/mcp\/reference#([^"]+)"/g)].map(([, id]) => id)
    for (const id of links) expect(html).toContain(` id="${id}"`)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("style-src 'self'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toContain('unsafe')
  })

  it('is found by words in what operations are called and do, without a script', async () => {
    const found = async (search: string) => {
      const text = await (await fetch(`${server.url}/api/v1/mcp/reference?search=${search}`)).text()
      return { ids: [...text.matchAll(/<article id="([^"]+)"/g)].map(([, id]) => id), text }
    }
    expect((await found('map+AGENT')).ids).toContain('voice-a-agent-map-customer')
    expect((await found('map+agent')).ids).not.toContain('customer-list')
    expect((await found('credits+GRANT+post')).ids).toEqual(['credits-grant'])
    expect((await found('zeppelin')).text).toContain('No operation has all of these words.')
    expect((await found('%3Cscript%3Ealert(1)')).text).not.toContain('<script>alert')
    expect((await found('')).ids.length).toBe(html.match(/<article /g)?.length)
  })

  it('has the address in its examples at which it was asked', async () => {
    expect(html.includes(`&quot;${server.url}/api/v1/mcp/customers`)).toBe(true)
    expect(html.includes(`${server.url}/api/partner-mcp`)).toBe(true)
    const asked = (config: { publicUrl: string | undefined; trustedProxies: number }, headers = {}) =>
      referencePages(() => documentRest(restRoutes(operations)), config).request('/', { headers })
    const ours = await asked(
      { publicUrl: 'https://mindgate.example', trustedProxies: 0 },
      { host: 'mindgate.example' }
    )
    expect((await ours.text()).includes('&quot;https://mindgate.example/api/v1/mcp/customers')).toBe(true)
    const hostile = await asked({ publicUrl: undefined, trustedProxies: 0 }, { host: '"><script>' })
    expect(await hostile.text()).not.toContain('"><script>')
  })

  it('has its stylesheet at an address that changes with it', async () => {
    const path = html.match(/href="(\/api\/v1\/mcp\/reference\/style-[0-9a-f]{12}\.css)"/)?.[1] ?? ''
    const stylesheet = await fetch(server.url + path)
    expect(stylesheet.status).toBe(200)
    expect(stylesheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(stylesheet.headers.get('cache-control')).toContain('immutable')
    expect(await stylesheet.text()).not.toMatch(/url\((?!"data:)|@import/)
  })

  it('escapes what operations say', async () => {
    const hostile = defineOperation({
      name: 'hostile_get',
      title: '<img src=x onerror=alert(1)>',
      summary: 'Answers `<b>` & "quotes".',
      scope: 'customers:read',
      channels: ['rest'],
      http: { method: 'get', path: '/hostile', group: 'Customers' },
      input: z.strictObject({ 'a"b': z.string().describe('</ul><script>').optional() }),
      output: z.object({}),
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      errors: [],
      handle: async () => ({})
    })
    const config = { publicUrl: undefined, trustedProxies: 0 }
    const answer = await referencePages(() => documentRest(restRoutes([hostile])), config).request('/')
    const text = await answer.text()
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(text).not.toMatch(/<img|<script(?! type="module" src=)|<b>/)
  })
})
