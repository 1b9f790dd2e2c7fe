// The console's lists and its dashboard: found by text and filters, with links that keep what was asked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePartner, makePlan, makeVoiceAgent, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type ConsoleBrowser, enterConsole, textOf } from './console-visitor.ts'

describe('the console’s lists', () => {
  let server: TestServer
  let browser: ConsoleBrowser
  let today: string

  beforeAll(async () => {
    today = new Date().toISOString().slice(0, 10)
    server = await startTestServer('sqlite')
    browser = await enterConsole(server, server.partner)
    const planId = await makePlan(server.service, server.partner.partnerId, 'subscription', { trialDays: 9 })
    for (let n = 1; n <= 21; n += 1) {
      await act('customer_onboard', {
        basic: { email: uniqueEmail(), firstName: 'Person', lastName: `Number-${n}.` },
        business: {
          companyName: n % 2 ? 'Odd & Sons' : 'Even <Ltd>',
          monthlyCallVolume: n % 2 ? '0-500' : '1000+'
        },
        allowPortalAccess: n === 1,
        ...(n <= 2 ? { planId } : {})
      })
    }
  })
  afterAll(() => server.close())

  const act = (name: string, input: Record<string, unknown> = {}) =>
    run(server.service, server.partner.partnerId, name, input)
  const numbersOn = (text: string): number[] =>
    [...text.matchAll(/Number-(\d+)\./g)].map(([, number]) => Number(number))
  const linksOf = (html: string): string[] =>
    [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))

  it('show twenty customers a page, newest first', async () => {
    const first = await browser.get('/customers')
    expect(numbersOn(first.text)).toEqual(Array.from({ length: 20 }, (_, index) => 21 - index))
    expect(numbersOn((await browser.get('/customers?page=2')).text)).toEqual([1])
  })

  it('keep search and filters in the pager’s links', async () => {
    const page = await browser.get('/customers?search=person&credentialStatus=none')
    const next = linksOf(page.html).find((href) => href.includes('page=2'))
    expect(next).toBeUndefined()
    const all = await browser.get('/customers?search=person%20%6eumber')
    const following = linksOf(all.html).find((href) => href.includes('page=2')) ?? ''
    expect(new URL(following, server.url).searchParams.get('search')).toBe('person number')
    expect(numbersOn((await browser.get(following)).text)).toEqual([1])
  })

  it.each([
    ['monthlyCallVolume=1000%2B', [20, 18, 16, 14, 12, 10, 8, 6, 4, 2]],
    ['search=Number-7.', [7]],
    ['credentialStatus=active', [1]],
    ['isOnTrial=true', [2, 1]],
    ['isOnTrial=true&credentialStatus=none', [2]],
    ['orderStatus=active', []],
    ['callComplexity=high', []]
  ])('find by %s', async (query, numbers) => {
    const page = await browser.get(`/customers?${query}`)
    expect(numbersOn(page.text)).toEqual(numbers)
    if (numbers.length === 0) expect(page.text).toContain('No customer matches')
  })

  it('offer the labels that are in use', async () => {
    const { html } = await browser.get('/customers')
    const [, select = ''] = html.match(/<select[^>]*name="monthlyCallVolume"[^>]*>([\s\S]*?)<\/select>/) ?? []
    expect(textOf(select)).toBe('Any 0-500 1000+')
    expect(html).not.toContain('name="deploymentTimeline"')
  })

  it('are put in order by their heads, and keep order, size and days while one looks further', async () => {
    const byCompany = await browser.get('/customers?limit=50&sort=companyName&search=person')
    expect(byCompany.html).toMatch(/aria-sort="ascending"><a href="[^"]*sort=-companyName/)
    const numbers = numbersOn(byCompany.text)
    expect(numbers).toHaveLength(21)
    expect(new Set(numbers.slice(0, 10).map((number) => number % 2))).toEqual(new Set([0]))
    const turned = linksOf(byCompany.html).find((href) => href.includes('sort=-companyName')) ?? ''
    expect(turned).toContain('limit=50')
    expect(numbersOn((await browser.get(turned)).text)).toEqual(numbers.toReversed())
    expect(byCompany.html).toContain('<input type="hidden" name="limit" value="50"/>')
    const sized = linksOf(byCompany.html).find((href) => href.includes('limit=20')) ?? ''
    expect(new URL(sized, server.url).searchParams.get('sort')).toBe('companyName')
    expect(numbersOn((await browser.get(sized)).text)).toEqual(numbers.slice(0, 20))
    expect(numbersOn((await browser.get(`/customers?createdFrom=${today}&limit=100`)).text)).toHaveLength(21)
    const before = await browser.get('/customers?createdTo=2020-01-01')
    expect(before.text).toContain('No customer matches')
  })

  it('come as a file, as filtered, in which no spreadsheet calculates', async () => {
    const { service } = server
    const other = await makePartner(service)
    await run(service, other.partnerId, 'customer_create', { email: uniqueEmail(), companyName: 'Not yours' })
    const sly = { companyName: '=cmd|"/c calc"!A1', lastName: '@SUM(1)', email: uniqueEmail() }
    await act('customer_create', { ...sly, firstName: 'Zoë, "Z"' })
    const answer = await fetch(
      `${server.url}/console/customers/export?search=zo%C3%AB&sort=name&page=7&limit=50`,
      {
        headers: { cookie: browser.cookie }
      }
    )
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="customers.csv"')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [head, line, ...more] = bytes.toString().split('\r\n')
    expect(head).toContain('customerId,email,firstName')
    expect(more).toEqual([''])
    expect(line).toContain(`${sly.email},"Zoë, ""Z""",'@SUM(1),"'=cmd|""/c calc""!A1"`)
    const all = (await browser.get('/customers/export')).html
    expect(numbersOn(all)).toHaveLength(21)
    expect(all).not.toContain('Not yours')
    expect(
      (await browser.get('/customers/export?monthlyCallVolume=1000%2B')).html.split('\r\n')
    ).toHaveLength(12)
  })

  it.each([
    'limit=7',
    'limit=1000000',
    'sort=password',
    'sort=name%3B--',
    'createdFrom=yesterday&createdTo=2026-02-31',
    'page=0',
    'page=abc',
    'page=99999999999',
    'page=1&page=2',
    'credentialStatus=admin',
    'isOnTrial=perhaps',
    `search=${'x'.repeat(500)}`,
    'search=%00',
    'monthlyCallVolume=%0A',
    'search=%3Cscript%3Ealert(1)%3C/script%3E',
    'orderStatus[]=new',
    '__proto__=x'
  ])('answer a page to whatever is asked: %s', async (query) => {
    for (const list of ['/customers', '/voice-agents']) {
      const { status, html } = await browser.get(`${list}?${query}`)
      expect([list, status]).toEqual([list, 200])
      expect(html).not.toContain('<script>alert')
    }
  })

  it('show agents with their customers, by provider and mapping', async () => {
    const { service, partner } = server
    const a = await makeVoiceAgent(service, partner.partnerId, 'a')
    const b = await makeVoiceAgent(service, partner.partnerId, 'b')
    const customerId = stringAt(
      await act('customer_create', { email: uniqueEmail(), firstName: 'Zoë' }),
      'data',
      'id'
    )
    await act('voice_a_agent_map_customer', { agentId: a, customerId, profitMultiplier: 1.25 })
    const all = await browser.get('/voice-agents')
    expect(all.text).toContain('× 1.25')
    expect(linksOf(all.html)).toContain(`/console/customers/${customerId}/voice-agents`)
    const mapped = await browser.get('/voice-agents?isMapped=true')
    expect([mapped.html.includes(a), mapped.html.includes(b)]).toEqual([true, false])
    const ofB = await browser.get('/voice-agents?provider=b')
    expect([ofB.html.includes(a), ofB.html.includes(b)]).toEqual([false, true])
  })

  describe('the dashboard', () => {
    it('has figures that lead to what they count', async () => {
      const page = await browser.get('')
      const figures = [...page.html.matchAll(/<a href="([^"]+)"><b>([\d,]+)<\/b> <span>([^<]+)<\/span>/g)]
      expect(figures.length).toBe(6)
      for (const [, href = '', count, label] of figures) {
        const list = await browser.get(href.replaceAll('&amp;', '&'))
        const shown =
          list.text.match(/–\d+ of (\d+)/)?.[1] ?? String([...list.html.matchAll(/class="row-link"/g)].length)
        expect([label, shown]).toEqual([label, count])
      }
    })

    it('of a partner without a customer says how to begin', async () => {
      const fresh = await makePartner(server.service)
      const page = await (await enterConsole(server, fresh)).get('')
      expect(page.text).toContain('Your customers will be here')
      expect(linksOf(page.html)).toContain('/console/customers/onboard')
    })

    it('says when the partner’s credits are used up', async () => {
      const fresh = await makePartner(server.service)
      await run(server.service, fresh.partnerId, 'customer_create', { email: uniqueEmail() })
      await server.service.database.transaction((tx) =>
        tx.updateTable('creditAccount').set({ balanceMicros: 0 }).where('id', '=', fresh.partnerId).execute()
      )
      const page = await (await enterConsole(server, fresh)).get('')
      expect(page.text).toContain('Your credits are used up')
      expect(page.text).toContain('1 customer without portal access')
    })
  })
})
