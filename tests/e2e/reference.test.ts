// Trying an operation from its reference, in a real browser.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { run, stringAt } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { faultsOf } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { complaintsOf } from './support/watch.ts'

/** What a browser keeps of a page once that is left. */
const KEPT =
  'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])'

let server: TestServer
let browser: Browser
let page: Page

beforeAll(async () => {
  server = await startTestServer('sqlite')
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await server.close()
})
beforeEach(async () => {
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
})

async function formOf(operation: string) {
  await page.goto(`${server.url}/api/v1/mcp/reference?search=${operation}`)
  const place = page.locator(`#${operation.replaceAll('_', '-')} .try`)
  await place.locator('summary').click()
  return {
    key: place.getByLabel('Your API key'),
    address: place.getByLabel('Address'),
    body: place.getByLabel('Body'),
    send: place.getByRole('button'),
    answer: place.locator('pre')
  }
}

const keyFor = async (...scopes: string[]) =>
  stringAt(
    await run(server.service, server.partner.partnerId, 'api_key_mint', { name: 'Mine', scopes }),
    'key'
  )

describe('trying an operation', () => {
  it('sends the real request with the key that was typed, and keeps the key nowhere', async () => {
    const complaints = complaintsOf(page)
    const { key, address, answer, send } = await formOf('customer_list')
    const typed = await keyFor('customers:read')
    expect([await key.getAttribute('type'), await key.getAttribute('autocomplete')]).toEqual([
      'password',
      'off'
    ])
    await key.fill(typed)
    await address.fill('/api/v1/mcp/customers?limit=7')
    await send.click()
    await answer.getByText('"limit": 7').waitFor()
    expect(await answer.textContent()).toMatch(/^200 OK\n[\s\S]*x-request-id: req_/)
    expect(await page.evaluate(KEPT)).not.toContain(typed)
    expect(await page.context().storageState()).toEqual({ cookies: [], origins: [] })
    expect(await faultsOf(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.reload()
    await page.locator('.try summary').first().click()
    expect(await page.getByLabel('Your API key').inputValue()).toBe('')
  })

  it('sends the body, and shows what is refused', async () => {
    const { key, body, answer, send } = await formOf('customer_onboard')
    await key.fill(await keyFor('customers:write'))
    expect(JSON.parse(await body.inputValue())).toHaveProperty('basic')
    await body.fill('{"basic": {"email": "no address"}}')
    await send.click()
    await answer.getByText('"code": "invalid_input"').waitFor()
    await body.fill('{"basic": {"email": "ada@try.example"}}')
    await send.click()
    await answer.getByText('"email": "ada@try.example"').waitFor()
  })

  it('asks before it destroys, and sends nothing after a no', async () => {
    const made = await run(server.service, server.partner.partnerId, 'customer_onboard', {
      basic: { email: 'kept@try.example' }
    })
    const customerId = stringAt(made, 'data', 'id')
    const { key, address, body, answer, send } = await formOf('customer_update')
    await key.fill(await keyFor('customers:write'))
    await address.fill(`/api/v1/mcp/customers/${customerId}`)
    await body.fill('{"companyName": "Engines"}')
    const asked: string[] = []
    page.once('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await send.click()
    expect(asked).toEqual(['Update a customer? This acts on what is really there.'])
    expect(await answer.textContent()).toBe('')
    page.once('dialog', (dialog) => void dialog.accept())
    await send.click()
    await answer.getByText('"companyName": "Engines"').waitFor()
  })

  it('sends the key to no other site', async () => {
    const { key, address, answer, send } = await formOf('customer_list')
    await key.fill('pkt_secret')
    const elsewhere: string[] = []
    page.on('request', (request) => elsewhere.push(request.url()))
    for (const target of ['//evil.test/x', 'https://evil.test/x', '\\\\evil.test/x']) {
      await address.fill(target)
      await send.click()
      await answer.getByText('Nothing came back: the address has to begin with a slash.').waitFor()
    }
    expect(elsewhere).toEqual([])
  })

  it('isn’t offered without script, where there is curl', async () => {
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await plain.goto(`${server.url}/api/v1/mcp/reference`)
    expect(await plain.getByText('Try it').first().isVisible()).toBe(false)
    await plain.getByLabel('Search the operations').fill('onboard')
    await plain.getByRole('button', { name: 'Search' }).click()
    await plain.getByText('curl').first().waitFor()
    expect(await plain.locator('article').count()).toBeLessThan(10)
  })
})
