// What the console's forms do while they are filled in, and when they are left.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultsOf } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { type Fixture, openFixture } from './support/fixture.ts'

describe('a long form of the console', () => {
  let fixture: Fixture
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    fixture = await openFixture()
    browser = await openBrowser()
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce'
    })
    await fixture.enter(context, 'console')
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await fixture?.close()
  })

  const estimate = () => page.locator('[data-part="estimate"] b')

  it('tells what the answers come to while one types, and keeps nothing', async () => {
    await page.goto(`${fixture.url}/console/customers/onboard`)
    const before = await estimate().textContent()
    await page.getByLabel('Monthly call volume', { exact: true }).selectOption({ index: 3 })
    await expect.poll(() => estimate().textContent()).not.toBe(before)
    const chosen = await estimate().textContent()
    await page.getByLabel('CRM', { exact: true }).selectOption('Other…')
    await page.getByLabel('Other CRM').fill('Our own')
    await expect.poll(() => estimate().textContent()).not.toBe(chosen)
    expect(await faultsOf(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  it('asks for what else it is only where that is chosen', async () => {
    await page.goto(`${fixture.url}/console/customers/onboard`)
    const other = page.getByLabel('Other call complexity')
    expect(await other.isVisible()).toBe(false)
    await page.getByLabel('Call complexity', { exact: true }).selectOption('Other…')
    expect(await other.isVisible()).toBe(true)
  })

  it('asks before it is left with changes, and not once they are saved', async () => {
    const details = `${fixture.url}/console/customers/${fixture.customer.customerId}/details`
    let asked = 0
    const own = await page.context().newPage()
    own.on('dialog', async (dialog) => {
      asked += 1
      await dialog.accept()
    })
    await own.goto(details)
    await own.getByRole('link', { name: 'Overview' }).click()
    await own.waitForURL(details.replace('/details', ''))
    expect(asked).toBe(0)

    await own.goto(details)
    await own.getByLabel('Peak hours').fill('9:00-12:00')
    await own.getByRole('link', { name: 'Overview' }).click()
    await own.waitForURL(details.replace('/details', ''))
    expect(asked).toBe(1)

    await own.goto(details)
    await own.getByLabel('Peak hours').fill('9:00-12:00')
    await own.getByRole('button', { name: 'Save changes' }).click()
    await own.getByText('Business: the changes are saved.').waitFor()
    expect(asked).toBe(1)
  })

  it('finds customers, pages and actions by Ctrl-K on any page, with the keyboard alone', async () => {
    const own = await page.context().newPage()
    await own.goto(`${fixture.url}/console/mail`)
    await own.keyboard.press('Control+k')
    const finder = own.getByRole('dialog', { name: 'Find' })
    await finder.getByRole('link', { name: 'Onboard a customer' }).waitFor()
    expect(await faultsOf(own)).toEqual([])
    await own.keyboard.type('clin')
    await finder.getByRole('link', { name: /Clínica Sol/ }).waitFor()
    await expect.poll(() => finder.getByRole('link', { name: 'Onboard a customer' }).count()).toBe(0)
    await own.keyboard.press('ArrowDown')
    await own.keyboard.press('Enter')
    await own.waitForURL(`**/console/customers/${fixture.customer.customerId}`)

    await own.keyboard.press('Control+k')
    await own.keyboard.press('Escape')
    expect(await finder.isVisible()).toBe(false)
  })

  it('estimates by its button where no script runs', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    await fixture.enter(context, 'console')
    const plain = await context.newPage()
    await plain.goto(`${fixture.url}/console/customers/onboard`)
    const price = plain.locator('[data-part="estimate"] b')
    const before = await price.textContent()
    await plain.getByLabel('Phone system', { exact: true }).selectOption('Twilio')
    await plain.getByRole('button', { name: 'Estimate' }).click()
    await plain.waitForURL(/estimate$/)
    expect(await price.textContent()).not.toBe(before)
    expect(await plain.getByLabel('Phone system', { exact: true }).inputValue()).toBe('Twilio')
  })
})
