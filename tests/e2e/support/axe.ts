// What axe-core finds wrong with a page as it stands.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

export interface Violation {
  rule: string
  help: string
  /** The elements, as HTML. */
  nodes: string[]
}

/** Every violation of WCAG 2.2 AA and of axe's best practices; or those of the rules named. */
export async function axeViolations(page: Page, rules: readonly string[] = []): Promise<Violation[]> {
  // Through the debugging protocol, so that the page's own content security policy stays in force.
  await page.evaluate(axe.source)
  return page.evaluate(async (runOnly: readonly string[]) => {
    const { violations } = await Reflect.get(globalThis, 'axe').run(runOnly.length > 0 ? { runOnly } : {})
    return violations.map(({ id, help, nodes }: AxeViolation) => ({
      rule: id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)
    }))
  }, rules)
}

interface AxeViolation {
  id: string
  help: string
  nodes: { html: string; failureSummary: string }[]
}
