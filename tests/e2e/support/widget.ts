// The widget in a real browser, on a page of its own for each test.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { type ChatRoute, openChatRoute, type Room } from '../../support/chat-route.ts'
import { unique } from '../../support/fixture.ts'
import { DESK, LOOKS } from './axe.ts'
import { leaveBrowser, openBrowser } from './browser.ts'
import { complaintsOf } from './watch.ts'

export interface Widget {
  page: Page
  room: Room
  instance: string
  log: Locator
  /** What stands above the box, and below messages that failed. */
  notice: Locator
  box: Locator
  /** What a screen reader is told. */
  status: Locator
  button(name: string): Locator
  /** Writes and presses Enter. */
  say(message: string): Promise<void>
  /** Errors of the page, apart from answers that the test asked for. */
  complaints(): string[]
  /** Another tab of the same browser. */
  tab(): Promise<Widget>
}

export interface Opening {
  browser?: BrowserContextOptions
  /** Of the page around: `lang`, `dir`, `name`, `theme`, `texts`. */
  query?: Record<string, string>
  /** Before the page is opened. */
  arrange?(room: Room): void
  /** The browser's clock is the test's. */
  hasOwnClock?: boolean
}

export interface WidgetFixture {
  url: string
  /** Opens a page with a fresh instance and closes it after the work. */
  on(opening: Opening, work: (widget: Widget) => Promise<void>): Promise<void>
  close(): Promise<void>
}

export async function openWidgetFixture(): Promise<WidgetFixture> {
  const route = await openChatRoute()
  const browser = await openBrowser()
  return {
    url: route.url,
    async on(opening, work) {
      const context = await browser.newContext(contextOptions(opening))
      try {
        const instance = unique('ins_')
        opening.arrange?.(route.room(instance))
        await work(await openTab(route, context, instance, opening))
      } finally {
        await context.close()
      }
    },
    async close() {
      await leaveBrowser(browser)
      await route.close()
    }
  }
}

const contextOptions = ({ browser = {} }: Opening): BrowserContextOptions => ({
  viewport: DESK,
  reducedMotion: 'reduce',
  timezoneId: 'Europe/Madrid',
  locale: 'en-GB',
  permissions: ['clipboard-read', 'clipboard-write'],
  ...browser
})

type Context = Awaited<ReturnType<Browser['newContext']>>

async function openTab(
  route: ChatRoute,
  context: Context,
  instance: string,
  opening: Opening
): Promise<Widget> {
  const page = await context.newPage()
  // The tests' own limit is what ends them.
  page.setDefaultTimeout(50_000)
  const complaints = complaintsOf(page)
  if (opening.hasOwnClock) await page.clock.install()
  await page.goto(`${route.url}/page/${instance}?${new URLSearchParams(opening.query)}`)
  const box = page.getByRole('textbox')
  await page.locator('[role=log][aria-busy=false], .notice').first().waitFor()
  return {
    page,
    room: route.room(instance),
    instance,
    log: page.getByRole('log'),
    notice: page.locator('.notice'),
    box,
    status: page.getByRole('status'),
    button: (name) => page.getByRole('button', { name, exact: true }),
    async say(message) {
      await box.fill(message)
      await box.press('Enter')
    },
    complaints: () => complaints.filter((text) => !/Failed to load resource/.test(text)),
    tab: () => openTab(route, context, instance, opening)
  }
}

/** For whoever wants to look: `WIDGET_PICTURES=folder npx vitest run tests/e2e/widget`. */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.WIDGET_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const [viewport, colorScheme] of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(folder, `${name}-${viewport.width}-${colorScheme}.png`) })
  }
  await page.setViewportSize(DESK)
  await page.emulateMedia({ colorScheme: 'light' })
}
