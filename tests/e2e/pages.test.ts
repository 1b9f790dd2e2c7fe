// What every page of the portal and the console holds, in a real browser.
import type { Browser, BrowserContext, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGES, type Visitor } from './pages.ts'
import { axeViolations } from './support/axe.ts'
import { openBrowser } from './support/browser.ts'
import { openStage, type Stage } from './support/stage.ts'
import { complaintsOf, weightOf } from './support/watch.ts'

const MAX_SCRIPT_BYTES = 20 * 1024
/** Gzipped; loaded by the chat's page alone. */
const MAX_WIDGET_BYTES = 45 * 1024
const MAX_BYTES = 100 * 1024
const PHONE = { width: 360, height: 740 }
const DESK = { width: 1280, height: 800 }
const WIDER_THAN_WINDOW = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

let stage: Stage
let browser: Browser
const contexts = new Map<string, BrowserContext>()

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

/** A page of a browser in which that visitor is signed in. */
async function pageOf(visitor: Visitor, javaScriptEnabled: boolean): Promise<Page> {
  const key = `${visitor} ${javaScriptEnabled}`
  let context = contexts.get(key)
  if (!context) {
    context = await browser.newContext({ javaScriptEnabled, viewport: DESK, reducedMotion: 'reduce' })
    await stage.enter(context, visitor)
    contexts.set(key, context)
  }
  return context.newPage()
}

describe.each(PAGES)('$name', (listed) => {
  const url = () => stage.url + listed.path(stage)
  const { form } = listed
  let page: Page
  let complaints: string[]
  let answer: Response | null

  beforeAll(async () => {
    page = await pageOf(listed.as, true)
    complaints = complaintsOf(page)
    answer = await page.goto(url())
  })
  afterAll(() => page.close())

  it('answers, loads little and has nothing to complain about', async () => {
    const { all, script, stylesheets } = await weightOf(page)

    expect(answer?.status()).toBe(listed.status ?? 200)
    // It is this page, and not where one was sent instead.
    expect(page.url()).toBe(url())
    expect(stylesheets).toBe(1)
    expect(script).toBeGreaterThan(0)
    expect(script).toBeLessThanOrEqual(MAX_SCRIPT_BYTES + (listed.hasChat ? MAX_WIDGET_BYTES : 0))
    expect(all).toBeLessThanOrEqual(MAX_BYTES)
    // A browser reports the status of the page itself as a failed load.
    const others = complaints
      .filter((text) => !/status of 4\d\d/.test(text) || !listed.status)
      .filter((text) => !/status of 503/.test(text) || !listed.hasChat)
    expect(others).toEqual([])
  })

  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE]
  ])('is accessible in light and dark %s, without being scrolled sideways', async (_name, viewport) => {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await axeViolations(page)).toEqual([])
    // The elements are the same ones: only their colours are others.
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axeViolations(page, ['color-contrast', 'link-in-text-block'])).toEqual([])
    expect(await page.evaluate(WIDER_THAN_WINDOW)).toBe(false)
  })

  it(form ? 'says the same without script, and sends its form' : 'says the same without script', async () => {
    const withScript = await textOf(page)
    const plain = await pageOf(listed.as, false)
    await plain.goto(url())
    expect(await textOf(plain)).toBe(withScript)
    expect(withScript).not.toBe('')
    if (form) {
      for (const [label, value] of Object.entries(form.fields ?? {})) {
        await plain.getByLabel(label, { exact: true }).fill(value)
      }
      await plain.getByRole('button', { name: form.button, exact: true }).click()
      await plain.getByText(form.answers).first().waitFor()
    }
    await plain.close()
  })
})

/** What stands in the page but for times, which go on between two looks. */
async function textOf(page: Page): Promise<string> {
  const times = await page.locator('main time').allTextContents()
  const text = (await page.locator('main').textContent()) ?? ''
  return times.reduce((rest, time) => rest.replace(time, ''), text.replaceAll('\u200b', ''))
}
