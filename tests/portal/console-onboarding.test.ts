// What a customer is asked at onboarding where the price hangs on it, and what the answers come to.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePartner, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { customersInConsole } from './console-customers.ts'
import { type ConsoleBrowser, enterConsole, formOn } from './console-visitor.ts'

let server: TestServer
let browser: ConsoleBrowser

beforeAll(async () => {
  server = await startTestServer('sqlite')
  browser = await enterConsole(server, server.partner)
})
afterAll(() => server.close())

const { act, customer } = customersInConsole(() => server)
const found = async (email: string): Promise<unknown> =>
  customer(stringAt(await act('customer_list', { search: email }), 'data', 0, 'id'))

describe('onboarding', () => {
  it('offers answers where the price hangs on them, and keeps what is none of them', async () => {
    const page = await browser.get('/customers/onboard')
    for (const offered of ['1,001–5,000 calls: $499.00', '10,000+ calls: $1,499.00', 'Simple: as the base'])
      expect(page.text).toContain(offered)
    expect(page.text).toContain('Medium: +25%')
    const { fields } = formOn(page, '/console/customers/onboard')
    const email = uniqueEmail()
    await browser.submit('/console/customers/onboard', {
      ...fields,
      email,
      monthlyCallVolume: '1001-5000',
      callComplexity: '…other',
      'callComplexity.other': 'three-way calls',
      // What was typed before something else was chosen doesn't count.
      scriptComplexity: 'high',
      'scriptComplexity.other': 'left over',
      crmSystem: '…other',
      'crmSystem.other': '',
      languages: ['German', 'English'],
      'languages.other': 'Basque\r\n German '
    })
    expect(await found(email)).toMatchObject({
      monthlyCallVolume: '1001-5000',
      callComplexity: 'three-way calls',
      scriptComplexity: 'high',
      crmSystem: null,
      languages: ['German', 'English', 'Basque']
    })
  })

  it('tells what the answers come to before anything is kept, by the partner’s own prices', async () => {
    const partner = await makePartner(server.service)
    const model = {
      volumeTiers: [
        { upTo: 10, base: 20 },
        { upTo: null, base: 70 }
      ],
      callComplexity: { odd: 3 }
    }
    await server.service.database.transaction((tx) =>
      tx
        .updateTable('partner')
        .set({ priceModel: JSON.stringify(model), currency: 'EUR' })
        .where('id', '=', partner.partnerId)
        .execute()
    )
    const own = await enterConsole(server, partner)
    const ask = async (fields: Record<string, string | string[]>) => {
      const answer = await own.post('/customers/onboard/estimate', fields)
      expect(answer.status).toBe(200)
      return /Estimated price: (\S+) a month/.exec(answer.text)?.[1]
    }
    expect((await own.get('/customers/onboard')).text).toContain('0–10 calls: €20.00')
    expect(await ask({})).toBe('€20.00')
    expect(await ask({ monthlyCallVolume: '10+' })).toBe('€70.00')
    expect(await ask({ monthlyCallVolume: '10+', callComplexity: 'odd' })).toBe('€210.00')
    expect(await ask({ monthlyCallVolume: '10+', callComplexity: 'odd', isQuickOnboarding: 'true' })).toBe(
      '€70.00'
    )
    expect(await ask({ languages: ['a', 'b', 'c'] })).toBe('€24.00')
    // What can't be an answer adds nothing, and neither stops the form.
    expect(await ask({ callComplexity: 'x'.repeat(5_000), crmSystem: 'two\nlines' })).toBe('€20.00')
    const { data } = await run(server.service, partner.partnerId, 'customer_list', {})
    expect(data).toEqual([])
  })

  it('keeps what was typed beside the choices where the form is refused', async () => {
    const refused = await browser.post('/customers/onboard', {
      email: 'nobody',
      callComplexity: '…other',
      'callComplexity.other': 'odd <ones>',
      scriptComplexity: 'unheard of',
      languages: ['German'],
      'languages.other': 'Basque'
    })
    expect(refused.status).toBe(400)
    expect(formOn(refused, '/console/customers/onboard').fields).toMatchObject({
      callComplexity: '…other',
      'callComplexity.other': 'odd <ones>',
      scriptComplexity: '…other',
      'scriptComplexity.other': 'unheard of',
      languages: 'German',
      'languages.other': 'Basque'
    })
  })
})
