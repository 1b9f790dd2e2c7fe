// Pictures of every page, at the widths and in the schemes that it must look good in.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { PAGES } from '../pages.ts'
import { openBrowser } from './browser.ts'
import { type Fixture, openFixture } from './fixture.ts'

const WIDTHS = { 1280: 800, 360: 740 }
const SCHEMES = ['light', 'dark'] as const

/** Writes `{page}-{width}-{scheme}.png` of every page whose name contains `only` into the folder, in that language. */
export async function takeScreenshots(folder: string, only = '', locale = 'en'): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const fixture = await openFixture()
  const browser = await openBrowser()
  try {
    return await photographAll(fixture, browser, { folder, only, locale })
  } finally {
    await browser.close()
    await fixture.close()
  }
}

async function photographAll(
  fixture: Fixture,
  browser: Browser,
  { folder, only, locale }: { folder: string; only: string; locale: string }
): Promise<string[]> {
  const files: string[] = []
  for (const { name, as, path } of PAGES.filter((listed) => listed.name.includes(only))) {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
    await fixture.enter(context, as)
    const page = await context.newPage()
    await page.goto(fixture.url + path(fixture))
    for (const [width, height] of Object.entries(WIDTHS)) {
      for (const colorScheme of SCHEMES) {
        const file = join(folder, `${name}-${width}-${colorScheme}.png`)
        await page.emulateMedia({ colorScheme })
        await photograph(page, { width: Number(width), height }, file)
        files.push(file)
      }
    }
    await context.close()
  }
  return files
}

/** The whole page, in a window as high as it, so that what is fixed to the window stands where it belongs. */
async function photograph(page: Page, size: { width: number; height: number }, path: string): Promise<void> {
  await page.setViewportSize(size)
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  await page.setViewportSize({ width: size.width, height: Math.max(size.height, height) })
  await page.screenshot({ path, animations: 'disabled' })
}
