// The components in the looks and with the accents that ui.test.ts leaves out.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeViolations, DESK, faultsOf, PHONE } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { type Gallery, openGallery } from './support/gallery.tsx'

let gallery: Gallery
let browser: Browser
let page: Page

beforeAll(async () => {
  gallery = await openGallery()
  browser = await openBrowser()
  page = await browser.newPage({ reducedMotion: 'reduce' })
})
afterAll(async () => {
  await leaveBrowser(browser)
  await gallery.close()
})

it.each(['/content', '/forms', '/entry-refused', '/toast/good', '/toast/bad'])(
  'every component is accessible in dark at a desk and in light on a phone: %s',
  async (path) => {
    await page.goto(gallery.url + path)
    const looks = [[DESK, 'dark'] as const, [PHONE, 'light'] as const]
    expect(await faultsOf(page, looks)).toEqual([])
  }
)

it.each(['000000', 'ffffff', '00ff00', '0000ff'])(
  'every component can be read with the accent #%s',
  async (accent) => {
    await page.goto(`${gallery.url}/content?accent=${accent}`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page, ['color-contrast'])).toEqual([])
    }
  }
)
