// Every page with the worst that people can have typed: nothing is wider than the window, on phones, at a desk and at 200 % zoom.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGES } from './pages.ts'
import { DESK, TABLE_WIDER, WIDER_THAN_WINDOW } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { type Fixture, openFixture, type Visitor } from './support/fixture.ts'
import { makeHostile } from './support/hostile.ts'

/** 640 is a desk’s 1280 px at 200 % zoom. */
const WIDTHS = [360, 390, 640, 1280]

let fixture: Fixture
let browser: Browser
const pages = new Map<Visitor, Page>()

beforeAll(async () => {
  fixture = await openFixture()
  await makeHostile(fixture)
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await fixture.close()
})

async function pageOf(visitor: Visitor): Promise<Page> {
  const known = pages.get(visitor)
  if (known) return known
  const context = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce' })
  await fixture.enter(context, visitor)
  const page = await context.newPage()
  pages.set(visitor, page)
  return page
}

describe('whatever people have typed', () => {
  it.each(PAGES)('fits: $name', async ({ as, path, status }) => {
    const page = await pageOf(as)
    expect((await page.goto(fixture.url + path(fixture)))?.status()).toBe(status ?? 200)
    const wider: unknown[] = []
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 740 })
      if (await page.evaluate(WIDER_THAN_WINDOW)) wider.push(width)
      if (await page.evaluate(TABLE_WIDER)) wider.push(`a table at ${width}`)
    }
    await page.setViewportSize(DESK)
    expect(wider).toEqual([])
  })
})
