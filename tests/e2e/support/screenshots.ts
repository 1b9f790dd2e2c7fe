// Pictures of every page, at the widths and in the schemes that it must look good in.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { PAGES } from '../pages.ts'
import { openBrowser } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

const WIDTHS = { 1280: 800, 360: 740 }
const SCHEMES = ['light', 'dark'] as const

/** Writes `{page}-{width}-{scheme}.png` of every page whose name contains `only` into the folder. */
export async function takeScreenshots(folder: string, only = ''): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const stage = await openStage()
  const browser = await openBrowser()
  try {
    return await photographAll(stage, browser, folder, only)
  } finally {
    await browser.close()
    await stage.close()
  }
}

async function photographAll(
  stage: Stage,
  browser: Browser,
  folder: string,
  only: string
): Promise<string[]> {
  const files: string[] = []
  for (const { name, as, path } of PAGES.filter((listed) => listed.name.includes(only))) {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    await stage.enter(context, as)
    const page = await context.newPage()
    await page.goto(stage.url + path(stage))
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
