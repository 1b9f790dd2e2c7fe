// What a page holds on a phone beyond fitting: where one is stays in view, messages cover nothing, rows are short.
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { type Fixture, openFixture, type Visitor } from './support/fixture.ts'

let fixture: Fixture
let browser: Browser

beforeAll(async () => {
  fixture = await openFixture()
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await fixture.close()
})

async function open(visitor: Visitor, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce', ...options })
  await fixture.enter(context, visitor)
  const page = await context.newPage()
  await page.goto(fixture.url + path)
  return page
}
async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not to be seen')
  return { ...box, end: box.x + box.width, bottom: box.y + box.height }
}
const portal = (path: string) => `/portal/${fixture.partner.slug}${path}`

describe('on a phone', () => {
  it.each(['voice-agents', 'team', 'credits', 'tokens'])(
    'the tab of where one is is in view: %s',
    async (tab) => {
      const page = await open('console', `/console/customers/${fixture.customer.customerId}/${tab}`)
      const [current, bar] = [
        await boxOf(page.locator('.tabs [aria-current]')),
        await boxOf(page.locator('.tabs'))
      ]
      expect(current.x).toBeGreaterThanOrEqual(bar.x)
      expect(current.end).toBeLessThanOrEqual(bar.end + 1)
      expect(await page.evaluate('scrollX + scrollY')).toBe(0)
    }
  )

  it('a message stands above what it is about, and stays until it is closed', async () => {
    const page = await open('owner', portal('/team'))
    await page.clock.install()
    await page.getByLabel('Name', { exact: true }).fill('Pere Vidal')
    await page.getByLabel('E-mail', { exact: true }).fill('pere@phone.example')
    await page.getByRole('button', { name: 'Send invite' }).click()
    const message = page.locator('.toast')
    await message.waitFor()
    const [box, content] = [await boxOf(message), await boxOf(page.locator('.content'))]
    expect(box.bottom).toBeLessThanOrEqual(content.y)
    // Going by itself it would take the page along, from under a finger.
    await page.clock.runFor(60_000)
    expect(await boxOf(page.locator('.content'))).toEqual(content)
    await page.getByRole('button', { name: 'Close the message' }).click()
    expect(await message.count()).toBe(0)
  })

  it('a row has its button beside its name, and each value beside what it is called', async () => {
    const page = await open('owner', portal('/team'))
    const row = page.locator('.table tbody tr').first()
    const [name, button] = [
      await boxOf(row.locator('td').first()),
      await boxOf(row.getByRole('button').first())
    ]
    expect(button.y).toBeLessThan(name.bottom)
    expect(button.x).toBeGreaterThanOrEqual(name.end)
    for (const cell of await row.locator('td[data-label]:visible').all())
      expect((await boxOf(cell)).height).toBeLessThan(30)
  })

  it('a long name leaves the menu’s button whole', async () => {
    const page = await open('owner', portal('/team'))
    await page.evaluate("document.querySelector('.bar .brand-name').textContent = 'W'.repeat(200)")
    const button = await boxOf(page.getByRole('button', { name: 'Menu' }))
    expect(button.height).toBe(40)
    expect(button.width).toBeGreaterThan(80)
  })
})
