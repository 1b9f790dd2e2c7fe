// What is done to many customers at once: to each by itself, to nobody else's, and once however often it is sent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, makePartner, makePlan, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { customersInConsole } from './console-customers.ts'
import { type ConsoleBrowser, enterConsole, formOn, makeColleague, signInAt } from './console-visitor.ts'

const BULK = '/console/customers/bulk'

let server: TestServer
let browser: ConsoleBrowser
beforeAll(async () => {
  server = await startTestServer('sqlite', { RATE_LIMIT: '0' })
  browser = await enterConsole(server, server.partner)
})
afterAll(() => server.close())

const { act, makeCustomer, customer } = customersInConsole(() => server)
const chosen = async (ids: readonly string[], name: string) => {
  const page = await browser.get(`${BULK}?${ids.map((id) => `id=${id}`).join('&')}`)
  return formOn(page, `${BULK}/${name}`)
}

describe('many customers at once', () => {
  it('are ticked in the list, or all that its filters leave', async () => {
    const companyName = `Bakery ${uniqueEmail()}`
    const ids = [await makeCustomer({ companyName }), await makeCustomer({ companyName })]
    await makeCustomer()
    const list = await browser.get(`/customers?search=${encodeURIComponent(companyName)}`)
    for (const id of ids) expect(list.html).toContain(`name="id" value="${id}" form="chosen"`)
    expect((await browser.get(`${BULK}?id=${ids[0]}`)).text).toContain('1 customer is chosen.')
    const all = await browser.get(`${BULK}?all=yes&search=${encodeURIComponent(companyName)}`)
    expect(all.text).toContain('2 customers are chosen.')
    expect((await browser.get(BULK)).text).toContain('Nobody is chosen')
  })

  it('are invited, each with a mail, and once though it is sent twice', async () => {
    const ids = [await makeCustomer(), await makeCustomer()]
    const { action, fields } = await chosen(ids, 'invite')
    for (let time = 0; time < 2; time += 1) {
      const page = await browser.post(action, fields)
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('2 of 2')])
    }
    for (const id of ids) {
      expect(await customer(id)).toMatchObject({ portalAccess: { state: 'invited' } })
      const mails = server.service.database.read.selectFrom('mail').where('customerId', '=', id).selectAll()
      expect(await mails.execute()).toHaveLength(1)
    }
  })

  it('go on behind one that is refused, which is named', async () => {
    const [open, never] = [await makeCustomer(), await makeCustomer({ companyName: 'Never invited' })]
    await act('customer_enable_portal_access', { customerId: open })
    const { action, fields } = await chosen([never, open], 'block')
    const page = await browser.post(action, fields)
    expect(page.text).toContain('1 of 2')
    expect(page.text).toContain('Not done: Never invited')
    expect(await customer(open)).toMatchObject({ portalAccess: { state: 'blocked' } })
    const back = await chosen([open], 'unblock')
    await browser.post(back.action, back.fields)
    expect(await customer(open)).toMatchObject({ credentialStatus: 'active' })
  })

  it('get a plan and credits', async () => {
    const ids = [await makeCustomer(), await makeCustomer()]
    const planId = await makePlan(server.service, server.partner.partnerId, 'subscription')
    const plan = await chosen(ids, 'plan')
    expect((await browser.post(plan.action, plan.fields)).status).toBe(400)
    await browser.post(plan.action, { ...plan.fields, planId })
    const grant = await chosen(ids, 'grant')
    const refused = await browser.post(grant.action, { ...grant.fields, amount: '-1' })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('2 customers are chosen.')])
    for (let time = 0; time < 2; time += 1) await browser.post(grant.action, { ...grant.fields, amount: '7' })
    for (const customerId of ids) {
      expect(await customer(customerId)).toMatchObject({ planId })
      expect(at(await act('customer_credits_balance', { customerId }), 'data', 'balance')).toBe(7)
    }
  })

  it('are the partner’s own', async () => {
    const rival = await makePartner(server.service)
    const email = uniqueEmail()
    const theirs = stringAt(
      await run(server.service, rival.partnerId, 'customer_create', { email }),
      'data',
      'id'
    )
    expect((await browser.get(`${BULK}?id=${theirs}`)).text).toContain('Nobody is chosen')
    const page = await browser.post(`${BULK}/invite`, {
      customers: `${theirs} Theirs`,
      idempotencyKey: 'one'
    })
    expect(page.text).toContain('0 of 1')
    expect(page.text).not.toContain(email)
    const { data } = await run(server.service, rival.partnerId, 'customer_get', { customerId: theirs })
    expect(data).toMatchObject({ credentialStatus: 'none' })
  })

  it('are at most a thousand, and what is called what it likes stays text', async () => {
    const customers = Array.from({ length: 1_100 }, (_, n) => `cus_none${n} <script>alert(${n})</script>`)
    const page = await browser.post(`${BULK}/unblock`, { customers: customers.join('\n') })
    expect(page.text).toContain('0 of 1000')
    expect(page.html).not.toContain('<script>alert')
  })

  it.each([
    ['billing', ['grant']],
    ['support', ['invite', 'block', 'unblock', 'plan']],
    ['read_only', []]
  ] as const)('are acted on as the role may: %s', async (role, may) => {
    const { email } = await makeColleague(server.service, server.partner.partnerId, role)
    const visitor = await signInAt(server.url, email)
    const id = await makeCustomer()
    const planId = await makePlan(server.service, server.partner.partnerId, 'subscription')
    const { html } = await visitor.get(`${BULK}?id=${id}`)
    const shown = [...html.matchAll(/action="\/console\/customers\/bulk\/(\w+)"/g)].map(([, name]) => name)
    expect(shown).toEqual(may)
    for (const name of ['invite', 'block', 'unblock', 'plan', 'grant']) {
      const { status } = await visitor.post(`${BULK}/${name}`, {
        customers: `${id} Ada`,
        amount: '1',
        planId
      })
      expect([name, status]).toEqual([name, may.some((one) => one === name) ? 200 : 403])
    }
  })
})
