// How people look through the console's lists: by words, days and an order, a page at a time, and never into another
// partner's.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../support/databases.ts'
import { at, makePartner, type TestPartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { startAtNoon } from '../support/noon.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type ConsoleBrowser, enterConsole } from './console-visitor.ts'
import { settingsActs } from './settings-acts.ts'

/** Each list with what a row is called in it, and whether its customer's name finds it. */
const LISTS = {
  customer_token_list_all: { name: 'name', isOfCustomer: true },
  instance_find: { name: 'name', isOfCustomer: true },
  mail_list: { name: 'recipient', isOfCustomer: true },
  plan_find: { name: 'name', isOfCustomer: false }
} as const

describe.each(databases)('lists on %s', (kind) => {
  let opened: TestService
  let mine: TestPartner
  let today: string
  const { act, listed } = settingsActs(() => opened)

  /** A customer of that company with one of everything that is called so. */
  async function fill(partner: TestPartner, companyName: string, name: string) {
    const { data } = await act(partner, 'customer_onboard', {
      basic: { email: `${name.replaceAll(/\W/g, '-').toLowerCase()}@example.com` },
      business: { companyName },
      allowPortalAccess: true
    })
    const customerId = String(at(data, 'id'))
    await act(partner, 'customer_token_mint', { customerId, name })
    await makeInstance(opened.service, partner.partnerId, customerId, { name })
    await act(partner, 'plan_create', { name, kind: 'subscription', features: {} })
  }

  beforeAll(async () => {
    startAtNoon()
    today = new Date().toISOString().slice(0, 10)
    opened = await openTestService(kind)
    mine = await makePartner(opened.service)
    const theirs = await makePartner(opened.service)
    await fill(mine, 'Clínica Über', 'beta Desk')
    await fill(mine, 'Northwind', 'Alpha_1')
    await fill(mine, 'Contoso', 'gamma 100%')
    await fill(theirs, 'Clínica Über', 'Alpha_1')
  })
  afterAll(async () => {
    vi.useRealTimers()
    await opened.close()
  })

  describe.each(Object.entries(LISTS))('%s', (operation, { name, isOfCustomer }) => {
    const named = async (input: Record<string, unknown>) =>
      (await listed(mine, operation, input)).map((row) => String(at(row, name)).slice(0, 5).toLowerCase())

    it('finds what begins with the words, in any case, and nothing of another partner', async () => {
      expect(await named({ search: 'ALPHA' })).toEqual(['alpha'])
      expect(await named({ search: 'beta' })).toEqual([
        'beta '.replace(' ', name === 'recipient' ? '-' : ' ')
      ])
      expect(await named({ search: 'nobody is called so' })).toEqual([])
      for (const hostile of ['%', '_', '\\', "'", '"', '* OR', '\u{10FFFF}'])
        expect((await named({ search: hostile })).length, hostile).toBeLessThanOrEqual(1)
    })

    it.runIf(isOfCustomer)(
      'finds what its customer has, by the customer’s name without accents',
      async () => {
        expect(await named({ search: 'clinica uber' })).toHaveLength(1)
      }
    )

    it('comes in the order of names, and the other way round, a page at a time', async () => {
      const ordered = await named({ sort: name })
      expect(ordered.map((one) => one[0])).toEqual(['a', 'b', 'g'])
      expect(await named({ sort: `-${name}` })).toEqual(ordered.toReversed())
      const pages = await Promise.all([1, 2, 3].map((page) => named({ sort: name, page, limit: 1 })))
      expect(pages.flat()).toEqual(ordered)
      expect(await named({ sort: 'createdAt' })).toEqual((await named({})).toReversed())
    })

    it('keeps to the days, and counts what is on them', async () => {
      const answer = await act(mine, operation, { createdFrom: today, createdTo: today, limit: 2, page: 2 })
      expect(answer).toMatchObject({ data: [expect.anything()], pagination: { totalCount: 3 } })
      expect(await named({ createdTo: '2020-01-01' })).toEqual([])
      expect(await named({ createdFrom: '2100-01-01', search: 'alpha' })).toEqual([])
      expect(await named({ createdFrom: today, search: 'alpha' })).toEqual(['alpha'])
    })
  })

  it('finds servers by the beginning of their host', async () => {
    const [server] = await listed(mine, 'instance_find', { search: 'alpha' })
    const host = String(at(server, 'host'))
    const found = await listed(mine, 'instance_find', { search: host })
    expect(found).toContainEqual(server)
  })

  it('finds mails by words and state at once', async () => {
    expect(await listed(mine, 'mail_list', { search: 'alpha', status: 'queued' })).toHaveLength(1)
    expect(await listed(mine, 'mail_list', { search: 'alpha', status: 'failed' })).toEqual([])
  })

  it('tells acts of some days, oldest or newest first, to the same count as their pages', async () => {
    const newest = await listed(mine, 'audit_list', { createdFrom: today, limit: 100 })
    expect(newest.length).toBeGreaterThan(5)
    const oldest = await listed(mine, 'audit_list', { createdTo: today, sort: 'createdAt', limit: 100 })
    expect(oldest).toEqual(newest.toReversed())
    const deep = await act(mine, 'audit_list', { createdTo: today, page: newest.length, limit: 1 })
    expect(deep).toMatchObject({ data: [newest.at(-1)], pagination: { totalCount: newest.length } })
    const ofKind = await act(mine, 'audit_list', { createdTo: today, action: 'plan_create' })
    expect(ofKind).toMatchObject({ pagination: { totalCount: 3 } })
    expect(await listed(mine, 'audit_list', { createdTo: '2020-01-01' })).toEqual([])
  })
})

describe('the console’s lists beside customers', () => {
  let server: TestServer
  let browser: ConsoleBrowser
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    browser = await enterConsole(server, server.partner)
  })
  afterAll(() => server.close())

  const PAGES = ['/keys', '/tokens', '/instances', '/mail', '/audit', '/plans']

  it.each(PAGES)('%s are looked through by words, days, order and size', async (path) => {
    const query = 'createdFrom=2020-01-01&limit=50&sort=createdAt'
    const { status, html } = await browser.get(`${path}?${query}`)
    expect(status).toBe(200)
    expect(html).toContain('type="search"')
    expect(html).toMatch(/type="date" value="2020-01-01" name="createdFrom"/)
    expect(html).toMatch(/<option value="createdAt" selected/)
    expect(html).toContain('<input type="hidden" name="limit" value="50"/>')
  })

  it.each(PAGES)('%s answer a page to whatever is asked', async (path) => {
    for (const query of ['limit=7', 'sort=hash', 'createdFrom=soon', 'page=0', 'search=%00', '__proto__=x']) {
      const { status } = await browser.get(`${path}?${query}`)
      expect([query, status]).toEqual([query, 200])
    }
  })

  it('keep the state that is shown while one searches', async () => {
    for (const [path, state] of [
      ['/keys', 'state=ended'],
      ['/mail', 'status=failed'],
      ['/instances', 'trouble=failedAt']
    ] as const) {
      const { html, text } = await browser.get(`${path}?${state}&search=zz`)
      const [name, value] = state.split('=')
      expect(html).toMatch(
        new RegExp(`type="hidden" name="${name}" value="${value}"|<option value="${value}" selected`)
      )
      expect(text).toMatch(/No (?:key|mail|server) matches/)
    }
  })

  it('find a key by a part of its name', async () => {
    const { service, partner } = server
    const { act } = settingsActs(() => ({ service }) as TestService)
    await act(partner, 'api_key_mint', { name: 'Night batch' })
    await act(partner, 'api_key_mint', { name: 'Website' })
    const { text } = await browser.get('/keys?search=BATCH&sort=-name')
    expect(text).toContain('Night batch')
    expect(text).not.toContain('Website')
  })
})
