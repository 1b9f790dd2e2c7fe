// Erasing a customer in the console: the code is typed once, and it is gone.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makePartner, stringAt } from '../support/fixture.ts'
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

const { makeCustomer, customer, pathOf } = customersInConsole(() => server)

it('asks for the short code, keeps the page where it is another, and goes to the list', async () => {
  const customerId = await makeCustomer({ companyName: 'Planted Engines' })
  const code = stringAt(await customer(customerId), 'customerId')
  const details = pathOf(customerId, 'details')
  const page = await browser.get(details)
  expect(page.text).toContain('Erase Planted Engines')
  const form = formOn(page, `${details}/erase`)

  for (const confirm of ['', 'Planted Engines']) {
    const refused = await browser.post(form.action, { ...form.fields, confirm })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Short code must')])
  }
  expect(await customer(customerId)).toMatchObject({ companyName: 'Planted Engines' })

  const list = await browser.submit(form.action, { ...form.fields, confirm: code.toLowerCase() })
  expect(list.text).toContain('The customer was erased.')
  expect(list.text).not.toContain('Planted Engines')
  expect((await browser.get(details)).status).toBe(404)
  await vi.waitFor(async () => {
    const audit = await browser.get('/audit')
    expect(audit.text).toContain('Erase a customer')
    expect(audit.html.includes(`/console/customers/${customerId}`)).toBe(false)
  }, 15_000)
})

it('is no other partner’s to do', async () => {
  const customerId = await makeCustomer()
  const code = stringAt(await customer(customerId), 'customerId')
  const mallory = await enterConsole(server, await makePartner(server.service))
  const answer = await mallory.post(pathOf(customerId, 'details', 'erase'), { confirm: code })
  expect(answer.status).toBe(404)
  expect(await customer(customerId)).toMatchObject({ id: customerId })
})
