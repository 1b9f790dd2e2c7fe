// The service's own address: a page for people, nothing for programs, and on a partner's host its portal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { makePartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makePortalCustomer, textOf } from './customer-visitors.ts'
import { siteClient } from './site-client.ts'

describe('the service’s own address', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  const open = (path: string, headers: Record<string, string> = {}) =>
    siteClient(server.url).get(path, headers)

  it('tells people what this is and where to go, in their language', async () => {
    const page = await open('/')
    expect(page.status).toBe(200)
    expect(textOf(page.text)).toContain('Long-term memory for AI agents')
    for (const href of ['/console', '/api/v1/mcp/reference', '/api/partner-mcp']) {
      expect(page.text).toContain(`href="${href}"`)
      expect((await open(href)).status).toBeLessThan(400)
    }
    const german = await open('/', { 'accept-language': 'de-AT' })
    expect(german.text).toContain('<html lang="de"')
    expect(textOf(german.text)).toContain('Langzeitgedächtnis für KI-Agenten')
  })

  it.each(['application/json', '*/*'])('answers programs that ask for %s as before', async (accept) => {
    const answer = await open('/', { accept })
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text)).toMatchObject({ success: false, code: 'not_found' })
  })

  it('leads to the portal of that name, however it was typed', async () => {
    const { slug } = server.partner
    for (const typed of [slug, ` ${slug.toUpperCase()} `, `https://mindgate.example/portal/${slug}/`]) {
      const answer = await open(`/?portal=${encodeURIComponent(typed)}`)
      expect(answer).toMatchObject({ status: 302, location: `/portal/${slug}` })
    }
  })

  it.each(['nobody', '\0', '%', '..', '"><script>alert(1)</script>'])(
    'says that there is no portal called %j, and no more',
    async (typed) => {
      const answer = await open(`/?portal=${encodeURIComponent(typed)}`)
      expect(answer.status).toBe(404)
      expect(textOf(answer.text)).toContain('There is no portal of this name.')
      expect(answer.text).not.toContain('<script>')
    }
  )

  it('says of a partner that is switched off what it says of none', async () => {
    const off = await makePartner(server.service)
    await server.service.database.transaction((tx) => updatePartner(tx, off.partnerId, { isActive: false }))
    const [one, other] = [await open(`/?portal=${off.slug}`), await open('/?portal=nobody')]
    const said = (text: string) => text.replaceAll(/(?:id|for|value|aria-describedby)="[^"]*"/g, '')
    expect(one.status).toBe(404)
    expect(said(one.text)).toBe(said(other.text))
  })

  it('is the portal on a host of the partner’s own', async () => {
    const partner = await makePartner(server.service)
    const { owner } = await makePortalCustomer(server, partner)
    await server.service.database.transaction((tx) =>
      updatePartner(tx, partner.partnerId, { portalOrigin: 'https://portal.front.example' })
    )
    const page = await owner.sendTo('portal.front.example', `${server.url}/`)
    expect(page.status).not.toBe(404)
    expect(page.html).not.toContain('Long-term memory for AI agents')
  })
})
