// The console's lists and its dashboard: found by text and filters, with links that keep what was asked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePartner, makePlan, makeVoiceAgent, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type ConsoleBrowser, enterConsole, textOf } from './console-visitor.ts'

describe('the console’s lists', () => {
  let server: TestServer
  let browser: ConsoleBrowser

  beforeAll(async () => {
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

  it.each([
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
