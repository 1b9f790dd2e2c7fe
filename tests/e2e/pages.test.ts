// What every page of the portal and the console holds, in a real browser.
import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGES } from './pages.ts'
import { DESK, faultsOf } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { type Fixture, openFixture, type Visitor } from './support/fixture.ts'
import { complaintsOf, weightOf } from './support/watch.ts'

const MAX_SCRIPT_BYTES = 20 * 1024
/** Gzipped; loaded by the chat's page alone. */
const MAX_WIDGET_BYTES = 45 * 1024
const MAX_BYTES = 100 * 1024

/** What stands in a page without those elements. */
const textWithout = (elements: string) => `(page) => {
  const main = page.querySelector('main').cloneNode(true)
  for (const one of main.querySelectorAll('${elements}')) one.remove()
  return main.textContent.replaceAll('\\u200b', '')
}`
/** Times go on between two looks. */
const TEXT_OF = textWithout('time')
const TEXT = `(${TEXT_OF})(document)`
/** Keys are of any letters. */
const WORDS = `(${textWithout('time, code')})(document)`
/** The parser runs nothing, and reads what stands there for who has no script. */
const TEXT_WITHOUT_SCRIPT = `fetch(location.href, { headers: { accept: 'text/html' } }).then((answer) => answer.text())
  .then((html) => (${TEXT_OF})(new DOMParser().parseFromString(html, 'text/html')))`

let fixture: Fixture
let browser: Browser
const pages = new Map<string, Page>()

beforeAll(async () => {
  fixture = await openFixture()
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await fixture.close()
})

/** The page of a browser in which that visitor is signed in. */
async function pageOf(visitor: Visitor, javaScriptEnabled: boolean): Promise<Page> {
  const key = `${visitor} ${javaScriptEnabled}`
  const known = pages.get(key)
  if (known) return known
  const context = await browser.newContext({ javaScriptEnabled, viewport: DESK, reducedMotion: 'reduce' })
  await fixture.enter(context, visitor)
  const page = await context.newPage()
  pages.set(key, page)
  return page
}

describe.each(PAGES)('$name', (listed) => {
  const url = () => fixture.url + listed.path(fixture)
  const { form } = listed
  let page: Page
  let complaints: string[]
  let answer: Response | null

  beforeAll(async () => {
    page = await pageOf(listed.as, true)
    complaints = complaintsOf(page)
    answer = await page.goto(url())
  })

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

  it('is accessible in light at a desk and in dark on a phone, without being scrolled sideways', async () => {
    expect(await faultsOf(page)).toEqual([])
  })

  it('says the same without script', async () => {
    const withScript = await page.evaluate(TEXT)
    expect(await page.evaluate(TEXT_WITHOUT_SCRIPT)).toBe(withScript)
    expect(withScript).not.toBe('')
    expect(await page.evaluate(WORDS)).not.toMatch(/undefined|NaN|\[object/)
  })

  if (form) {
    it('sends its form without script', async () => {
      const plain = await pageOf(listed.as, false)
      await plain.goto(url())
      for (const [label, value] of Object.entries(form.fields ?? {})) {
        // A closed dialog may ask for the same.
        await plain.getByLabel(label, { exact: true }).filter({ visible: true }).fill(value)
      }
      await plain.getByRole('button', { name: form.button, exact: true }).click()
      // Where a field says it, the notice above the form is there, too, and hidden.
      await plain.getByText(form.answers).filter({ visible: true }).first().waitFor()
    })
  }
})
