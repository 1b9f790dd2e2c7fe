// Every page of the portal and the console in the looks that pages.test.ts leaves out.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAGES } from './pages.ts'
import { DESK, faultsOf, PHONE } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { type Fixture, openFixture } from './support/fixture.ts'

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

it.each(PAGES)('$name is accessible in dark at a desk and in light on a phone', async ({ as, path }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await fixture.enter(context, as)
  const page = await context.newPage()
  await page.goto(fixture.url + path(fixture))
  const looks = [[DESK, 'dark'] as const, [PHONE, 'light'] as const]
  expect(await faultsOf(page, looks)).toEqual([])
  await context.close()
})
