// Every page of a portal in every language: nothing is wider than a phone or a desk, and from right to left it is as
// accessible as from left to right.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../schemas/language.ts'
import { PAGES } from './pages.ts'
import { DESK, faultsOf, PHONE, WIDER_THAN_WINDOW } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { type Fixture, openFixture, type Visitor } from './support/fixture.ts'
import { complaintsOf } from './support/watch.ts'

/** Run in the page, on an element. */
const DIRECTION = (element: unknown): string => Reflect.get(globalThis, 'getComputedStyle')(element).direction

const PORTAL = PAGES.filter(({ name }) => name.startsWith('portal-'))

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

describe.each(LANGUAGES.filter((one) => one !== 'en'))('the portal in %s', (locale) => {
  const pages = new Map<Visitor, Page>()

  async function pageOf(visitor: Visitor): Promise<Page> {
    const known = pages.get(visitor)
    if (known) return known
    const context = await browser.newContext({ locale, viewport: DESK, reducedMotion: 'reduce' })
    await fixture.enter(context, visitor)
    const page = await context.newPage()
    pages.set(visitor, page)
    return page
  }

  it.each(PORTAL)('fits: $name', async ({ as, path, status, hasChat }) => {
    const page = await pageOf(as)
    const complaints = complaintsOf(page)
    const url = fixture.url + path(fixture)
    expect((await page.goto(url))?.status()).toBe(status ?? 200)
    expect(page.url()).toBe(url)
    expect(await page.evaluate('document.documentElement.lang')).toBe(locale)
    for (const viewport of [DESK, PHONE]) {
      await page.setViewportSize(viewport)
      expect([viewport.width, await page.evaluate(WIDER_THAN_WINDOW)]).toEqual([viewport.width, false])
    }
    if (locale === 'ar') expect(await faultsOf(page)).toEqual([])
    await page.setViewportSize(DESK)
    // A browser reports the status of the page itself as a failed load, and the chat's agent is not there.
    if (!status && !hasChat) expect(complaints).toEqual([])
  })
})

describe('from right to left', () => {
  it('the menu stands at the right, prices and codes read from the left, and the chat speaks along', async () => {
    const context = await browser.newContext({ locale: 'ar', viewport: DESK })
    await fixture.enter(context, 'owner')
    const page = await context.newPage()
    await page.goto(`${fixture.url}/portal/${fixture.partner.slug}/agents`)
    const menu = await page.locator('nav.side').boundingBox()
    const main = await page.locator('main').boundingBox()
    expect(menu?.x).toBeGreaterThan(main?.x ?? Number.POSITIVE_INFINITY)
    expect(await page.locator('code').first().evaluate(DIRECTION)).toBe('ltr')
    await page.goto(`${fixture.url}/portal/${fixture.partner.slug}/chat`)
    const box = page.locator('mindgate-chat textarea')
    await box.waitFor()
    expect(await box.getAttribute('placeholder')).toMatch(/\p{Script=Arabic}/u)
    expect(await box.evaluate(DIRECTION)).toBe('rtl')
    await context.close()
  })
})
