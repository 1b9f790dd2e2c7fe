// People on their way through the real pages: they click what they see, what they do is counted, and every page that
// they come to is looked at.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, CDPSession, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { inLanguage, say, type Text } from '../../../src/language/say.ts'
import { giveAuthenticator } from './acts.ts'
import { axeViolations, TABLE_WIDER, WIDER_THAN_WINDOW } from './axe.ts'
import { complaintsOf } from './watch.ts'

/** How somebody looks at the pages on the way. */
export interface Way {
  width: 390 | 1280
  colorScheme: 'light' | 'dark'
  /** The portal’s, from right to left in Arabic. The console speaks English. */
  language: 'en' | 'ar'
  script: boolean
}

const HEIGHTS = { 390: 844, 1280: 800 }

/** Of all that moves by itself on one page, in the browser’s own measure. */
const MAX_SHIFT = 0.02

/** Where pictures of each page go, if somebody wants to look at them. */
const PICTURES = process.env.JOURNEY_PICTURES

/** What has moved since the page was opened and nobody had pressed anything. */
const SHIFT = `(() => {
  const seen = globalThis.seenShifts ??= { total: 0 }
  const add = (entries) => {
    for (const { value, hadRecentInput } of entries) if (!hadRecentInput) seen.total += value
  }
  if (!seen.observer) {
    seen.observer = new PerformanceObserver((list) => add(list.getEntries()))
    seen.observer.observe({ type: 'layout-shift', buffered: true })
  }
  add(seen.observer.takeRecords())
  return seen.total
})()`

const WAYS_ON = ':is(a:not(.skip), button):visible'

export interface Journey {
  /** Somebody with a browser of their own, and with what keeps a passkey where that is at hand. */
  join(atHand?: 'passkey'): Promise<Person>
  /** A word of the portal’s in the language of the way. */
  said: (text: PlainText) => string
  /** Nothing happened on the last pages either, and it all took as much as that at most. Answers what it took. */
  end(most: Taken): Promise<Taken & { shift: number }>
}

/** How often somebody clicked, and how many fields they filled in. */
export interface Taken {
  clicks: number
  fields: number
}

export interface Person {
  page: Page
  /** Opens the link of a mail or of the command line. */
  follow(link: string): Promise<void>
  /** Clicks what leads to another page, and looks at that. */
  go(target: Locator | string): Promise<void>
  /** Clicks what changes something on this page, and looks at that. */
  touch(target: Locator | string): Promise<void>
  /** Goes where the menu leads, which a phone has behind a button. */
  menu(entry: string): Promise<void>
  fill(fields: Record<string, string>, within?: Locator): Promise<void>
  choose(label: string, option: string): Promise<void>
  attach(label: string, name: string, text: string): Promise<void>
  sees(what: string | RegExp | Locator): Promise<void>
  /** Comes back to this page until it has what is done in the background. */
  comesToSee(text: string): Promise<void>
  /** Looks at what has come to the page by itself. */
  look(): Promise<void>
}

/** Without values in it. */
type PlainText = Exclude<Text, `${string}{${string}`>

interface Done extends Taken {
  shift: number
  pages: number
}

export const inWords = ({ width, colorScheme, language, script }: Way): string =>
  [`${width} px`, colorScheme, language === 'ar' ? 'right to left' : 'left to right']
    .concat(script ? [] : 'without script')
    .join(', ')

export function setOut(browser: Browser, name: string, way: Way): Journey {
  const done = { clicks: 0, fields: 0, shift: 0, pages: 0 }
  const people: (Person & { leave(): Promise<void> })[] = []
  const said = (text: PlainText) => inLanguage(way.language, () => say(text))
  return {
    said,
    async join(atHand) {
      const { width, colorScheme } = way
      const viewport = { width, height: HEIGHTS[width] }
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      if (atHand) await giveAuthenticator(page)
      const session = await context.newCDPSession(page)
      await setScript(session, way.script)
      if (way.script) await page.addInitScript(SHIFT)
      const person = personAt(page, { name, way, done, session, said })
      people.push(person)
      return person
    },
    async end(most) {
      for (const { leave } of people) await leave()
      await Promise.all(people.map(({ page }) => page.context().close()))
      const { clicks, fields, shift } = done
      expect(clicks, 'clicks').toBeLessThanOrEqual(most.clicks)
      expect(fields, 'fields').toBeLessThanOrEqual(most.fields)
      return { clicks, fields, shift }
    }
  }
}

/** Of the page itself: Playwright’s own switch would stop what is asked of it here, too. */
const setScript = (session: CDPSession, isOn: boolean) =>
  session.send('Emulation.setScriptExecutionDisabled', { value: !isOn })

interface OnTheWay extends Pick<Journey, 'said'> {
  name: string
  way: Way
  done: Done
  session: CDPSession
}

function personAt(page: Page, { name, way, done, session, said }: OnTheWay) {
  const complaints = complaintsOf(page)
  const pages = { opened: 0, seen: 0 }
  let menuSeen = false
  page.on('load', () => {
    pages.opened += 1
  })
  const noteShift = async () => {
    const shift = Number(await page.evaluate(SHIFT))
    done.shift = Math.max(done.shift, shift)
    expect(shift, `layout shift of ${page.url()}`).toBeLessThanOrEqual(MAX_SHIFT)
  }

  async function look(): Promise<void> {
    const at = page.url()
    // What moves without script does so before anybody does anything.
    if (!way.script && pages.seen < pages.opened) await noteShift()
    pages.seen = pages.opened
    done.pages += 1
    await photograph(page, `${name}-${String(done.pages).padStart(2, '0')}`, way)
    expect(await page.evaluate(WIDER_THAN_WINDOW), `wider than the window: ${at}`).toBe(false)
    expect(await page.evaluate(TABLE_WIDER), `a table wider than its frame: ${at}`).toBe(false)
    expect(await page.locator(WAYS_ON).count(), `ways on: ${at}`).not.toBe(0)
    if (!way.script) await setScript(session, true)
    expect(await axeViolations(page), at).toEqual([])
    if (!way.script) await setScript(session, false)
    expect(complaints, at).toEqual([])
  }

  /** What the page did until now; none is left that nobody has looked at. */
  async function leave(): Promise<void> {
    expect(pages.seen, `pages seen before ${page.url()}`).toBe(pages.opened)
    if (way.script && pages.opened > 0) await noteShift()
    expect(complaints, page.url()).toEqual([])
  }

  const called = (name: string, within: Page | Locator = page): Locator => {
    const both = within
      .getByRole('link', { name, exact: true })
      .or(within.getByRole('button', { name, exact: true }))
    return both.filter({ visible: true }).first()
  }
  const click = async (target: Locator | string) => {
    await leave()
    done.clicks += 1
    await (typeof target === 'string' ? called(target) : target).click()
  }
  const go = async (target: Locator | string) => {
    const opened = page.waitForEvent('load')
    await Promise.all([opened, click(target)])
    await look()
  }
  const touch = async (target: Locator | string) => {
    await click(target)
    await look()
  }
  return {
    page,
    leave,
    look,
    go,
    touch,
    async follow(link: string) {
      await leave()
      // A passkey is of a name, and never of an address.
      await page.goto(link.replace('//127.0.0.1:', '//localhost:'))
      await look()
    },
    async menu(entry: string) {
      const menu = page.getByRole('navigation', { name: said('Main'), exact: true })
      if (way.width === 390) await (menuSeen ? click : touch)(said('Menu'))
      menuSeen = true
      await go(called(entry, menu))
    },
    async fill(fields: Record<string, string>, within?: Locator) {
      for (const [label, text] of Object.entries(fields)) {
        const field = (within ?? page).getByLabel(label, { exact: true })
        await field.filter({ visible: true }).fill(text)
        done.fields += 1
      }
    },
    async choose(label: string, option: string) {
      const select = page.getByLabel(label, { exact: true }).filter({ visible: true })
      await select.selectOption({ label: option })
      done.fields += 1
    },
    async attach(label: string, fileName: string, text: string) {
      const file = { name: fileName, mimeType: 'text/csv', buffer: Buffer.from(text) }
      await page.getByLabel(label, { exact: true }).setInputFiles(file)
      done.fields += 1
    },
    async comesToSee(text: string) {
      const isThere = async () => {
        await page.reload()
        return page.getByText(text).first().isVisible()
      }
      await expect.poll(isThere, { timeout: 60_000 }).toBe(true)
      await look()
    },
    async sees(what: string | RegExp | Locator) {
      const seen = typeof what === 'string' || what instanceof RegExp ? page.getByText(what) : what
      await seen.filter({ visible: true }).first().waitFor()
    }
  }
}

async function photograph(page: Page, name: string, way: Way): Promise<void> {
  if (!PICTURES) return
  mkdirSync(PICTURES, { recursive: true })
  const file = `${name}-${way.width}-${way.colorScheme}-${way.language}${way.script ? '' : '-plain'}.png`
  await page.screenshot({ path: join(PICTURES, file), fullPage: true, animations: 'disabled' })
}
