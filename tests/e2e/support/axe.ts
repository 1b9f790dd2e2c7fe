// What is wrong with a page as it stands: what axe-core finds, and whether it is scrolled sideways.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

export interface Violation {
  rule: string
  help: string
  /** The elements, as HTML. */
  nodes: string[]
}

/** Every violation of WCAG 2.2 AA and of axe's best practices; or those of the rules named. */
export async function axeViolations(page: Page, rules: readonly string[] = []): Promise<Violation[]> {
  // Through the debugging protocol, so that the page's own content security policy stays in force.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe)
  return page.evaluate(async (runOnly: readonly string[]) => {
    const options = { resultTypes: ['violations'], ...(runOnly.length > 0 ? { runOnly } : {}) }
    const { violations } = await Reflect.get(globalThis, 'axe').run(options)
    return violations.map(({ id, help, nodes }: AxeViolation) => ({
      rule: id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)
    }))
  }, rules)
}

export const DESK = { width: 1280, height: 800 }
export const PHONE = { width: 360, height: 740 }
export const WIDER_THAN_WINDOW = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
/** What a reader would have to scroll sideways, or can’t reach at all, but for code. */
export const TABLE_WIDER = `[...document.querySelectorAll('.table-frame')].some((one) => one.scrollWidth > one.clientWidth)`

type Look = readonly [viewport: typeof DESK, colorScheme: 'light' | 'dark']
/** Each scheme and each width once. */
export const LOOKS: readonly Look[] = [
  [DESK, 'light'],
  [PHONE, 'dark']
]

/** At a desk in light and on a phone in dark: what axe finds, and whether anything is wider than the window. */
export async function faultsOf(page: Page, looks: readonly Look[] = LOOKS): Promise<string[]> {
  const faults: string[] = []
  for (const [viewport, colorScheme] of looks) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const violations = await axeViolations(page)
    faults.push(...violations.map(({ rule, nodes }) => `${rule} in ${colorScheme}: ${nodes.join(' ')}`))
    if (await page.evaluate(WIDER_THAN_WINDOW)) faults.push(`wider than ${viewport.width}`)
  }
  await page.setViewportSize(DESK)
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}

interface AxeViolation {
  id: string
  help: string
  nodes: { html: string; failureSummary: string }[]
}
