// Every page of the portal and the console in the looks that pages.test.ts leaves out.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAGES } from './pages.ts'
import { DESK, faultsOf, PHONE } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { openStage, type Stage } from './support/stage.ts'

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await stage.close()
})

it.each(PAGES)('$name is accessible in dark at a desk and in light on a phone', async ({ as, path }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await stage.enter(context, as)
  const page = await context.newPage()
  await page.goto(stage.url + path(stage))
  const looks = [[DESK, 'dark'] as const, [PHONE, 'light'] as const]
  expect(await faultsOf(page, looks)).toEqual([])
  await context.close()
})
