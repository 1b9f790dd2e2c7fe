// The components in a real browser: what they do without script, and what the script adds.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { relativeTime } from '../../servers/portal/ui/values.tsx'
import { axeViolations, DESK, faultsOf, PHONE, WIDER_THAN_WINDOW } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { type Gallery, openGallery } from './support/gallery.tsx'
import { complaintsOf } from './support/watch.ts'

/** Where the button is that is on its way. While it is, Playwright's own look-ups wait for the answer. */
const TELL_BUSY_BUTTON = `document.addEventListener('submit', () => requestAnimationFrame(() =>
  console.log(JSON.stringify(document.querySelector('[aria-busy]').getBoundingClientRect()))))`
const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })

let gallery: Gallery
let browser: Browser

beforeAll(async () => {
  gallery = await openGallery()
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await gallery.close()
})

async function on(
  path: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>
): Promise<void> {
  const context = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce', ...options })
  try {
    const page = await context.newPage()
    await page.goto(gallery.url + path)
    await work(page)
  } finally {
    await context.close()
  }
}

const withoutScript = { javaScriptEnabled: false }

describe('every component', () => {
  it.each(['/content', '/forms', '/entry-refused', '/toast/good', '/toast/bad'])(
    'is accessible in each of its states: %s',
    (path) =>
      on(path, {}, async (page) => {
        expect(await faultsOf(page)).toEqual([])
      })
  )

  it.each(['ffff00', '777777'])('can be read with the accent #%s', (accent) =>
    on(`/content?accent=${accent}`, {}, async (page) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await axeViolations(page, ['color-contrast'])).toEqual([])
      }
    })
  )

  it('is mirrored where one writes from right to left', () =>
    on('/content', {}, async (page) => {
      await page.evaluate("document.documentElement.dir = 'rtl'")
      const side = await page.locator('#menu').boundingBox()
      const content = await page.locator('.content').boundingBox()
      expect(side?.x).toBeGreaterThan(1_000)
      expect(content?.x).toBeLessThan(100)
      expect(await page.evaluate(WIDER_THAN_WINDOW)).toBe(false)
    }))
})

describe('without script', () => {
  it('the menu of a phone opens and leads on', () =>
    on('/content', { ...withoutScript, viewport: PHONE }, async (page) => {
      const link = page.getByRole('link', { name: 'API keys' })
      expect(await link.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).click()
      await link.click()
      expect(new URL(page.url()).pathname).toBe('/gallery/keys')
    }))

  it('a dialog asks once and then acts, or is left by Escape', () =>
    on('/forms', withoutScript, async (page) => {
      const remove = page.getByRole('button', { name: 'Remove: Remove Marta Ruiz from the team?' })
      const dialog = page.getByRole('dialog', { name: 'Remove Marta Ruiz from the team?' })
      await remove.click()
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await remove.click()
      await dialog.getByRole('button', { name: 'Remove Marta Ruiz' }).click()
      await page.getByText('POST /gallery/remove').waitFor()
    }))

  it('nothing is offered that only a script could do, and no message lies over the content', () =>
    on('/content', withoutScript, async (page) => {
      expect(await page.locator('.copy:visible').count()).toBe(0)
      await page.goto(`${gallery.url}/toast/good`)
      expect(await page.getByRole('button', { name: 'Close the message' }).isVisible()).toBe(false)
      const toast = await page.locator('.toast').boundingBox()
      const content = await page.locator('.content').boundingBox()
      expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(content?.y ?? 0)
    }))
})

describe('the script', () => {
  it('copies the whole secret and says so', () =>
    on('/content', { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.getByRole('button', { name: 'Copy: API key' }).click()
      await page.getByRole('status').getByText('Copied').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        'pkt_7Yb3XkQ9mZ2VfL8sT4wR6nC1hJ5dG0pA_2Kc'
      )
    }))

  it('tells times in the same words as the server, however long the page stays open', async () => {
    const context = await browser.newContext({ timezoneId: 'UTC' })
    const page = await context.newPage()
    const later = new Date(Date.now() + 3 * 3_600_000)
    await page.clock.install({ time: later })
    await page.goto(`${gallery.url}/content`)
    await page.clock.runFor(31_000)
    const shown = await page
      .locator('time')
      .evaluateAll((times) =>
        times.map((time) => ({ iso: time.getAttribute('datetime') ?? '', text: time.textContent ?? '' }))
      )
    expect(shown.length).toBeGreaterThan(5)
    for (const { iso, text } of shown) {
      expect(text).toBe(relativeTime(iso, new Date(later.getTime() + 31_000)))
    }
    await context.close()
  })

  it('sends a form once, however often it is pressed, and moves nothing meanwhile', () =>
    on('/slow', {}, async (page) => {
      const button = page.getByRole('button', { name: 'Save changes' })
      const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {}
      const press = () => page.mouse.click(x + width / 2, y + height / 2)
      await page.evaluate(TELL_BUSY_BUTTON)
      const told = page.waitForEvent('console')
      await press()
      await press()
      await gallery.slowPost
      expect(Box.parse(JSON.parse((await told).text()))).toEqual({ x, y, width, height })
      await press()
      gallery.release()
      await page.getByText('POST /gallery/slow').waitFor()
      expect(gallery.slowPosts()).toBe(1)
    }))

  it('takes good news away after a while, but not from under a pointer, and leaves bad news', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(`${gallery.url}/toast/good`)
    const toast = page.locator('.toast')
    await toast.hover()
    await page.clock.runFor(20_000)
    expect(await toast.count()).toBe(1)
    await page.mouse.move(5, 5)
    await page.clock.runFor(6_001)
    expect(await toast.count()).toBe(0)

    await page.goto(`${gallery.url}/toast/bad`)
    await page.clock.runFor(60_000)
    expect(await toast.count()).toBe(1)
    await page.getByRole('button', { name: 'Close the message' }).click()
    expect(await toast.count()).toBe(0)
    await context.close()
  })

  it('complains about nothing', () =>
    on('/forms', {}, async (page) => {
      const complaints = complaintsOf(page)
      for (const path of ['/content', '/forms', '/toast/warn', '/site']) await page.goto(gallery.url + path)
      expect(complaints).toEqual([])
    }))
})

describe('a chart', () => {
  it('is readable on a phone: its texts keep their size and don’t meet', () =>
    on('/content', { viewport: PHONE }, async (page) => {
      const labels = page.locator('.chart-plot').first().locator('text:visible')
      const boxes = await Promise.all((await labels.all()).map((label) => label.boundingBox()))
      expect(boxes.length).toBeGreaterThanOrEqual(3)
      for (const [index, box] of boxes.entries()) {
        expect(box?.height).toBeGreaterThanOrEqual(12)
        const next = boxes[index + 1]
        if (next) expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(next.x)
      }
    }))

  it('has the same numbers behind it as a table', () =>
    on('/content', {}, async (page) => {
      const chart = page.locator('.chart').first()
      await chart.getByText('Show the numbers').click()
      const rows = await chart.getByRole('row').count()
      expect(rows).toBe(31)
      expect(await chart.locator('.chart-point title').first().textContent()).toBe('3 Oct: 40 credits')
      expect(
        await chart
          .getByRole('row', { name: /^3 Oct/ })
          .getByRole('cell')
          .textContent()
      ).toBe('40')
    }))

  it('says that there is nothing where there is nothing', () =>
    on('/content', {}, async (page) => {
      await page.getByText('Nothing in this time yet.').waitFor()
    }))
})

describe('a table', () => {
  it('follows a click anywhere in a row, but not one on its buttons', () =>
    on('/content', {}, async (page) => {
      await page.getByRole('cell', { name: '+353 1 555 0177' }).click({ force: true })
      expect(new URL(page.url()).pathname).toBe('/gallery/2')
    }))

  it('stacks its rows on a phone and names each value', () =>
    on('/content', { viewport: PHONE }, async (page) => {
      const row = page.locator('.table tbody tr').first()
      const label = await row
        .locator('td')
        .nth(3)
        .evaluate((cell) => Reflect.get(globalThis, 'getComputedStyle')(cell, '::before').content)
      expect(label).toBe('"Price"')
      expect(await row.locator('td.wide').isVisible()).toBe(false)
    }))
})
