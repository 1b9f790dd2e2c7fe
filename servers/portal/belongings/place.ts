// Where a customer's own things stand: on its page in the console, and in its own portal.
import type { Child } from 'hono/jsx'
import { answerPart } from '../console-customers/customer-page.tsx'
import { customerPath } from '../console-customers/paths.ts'
import type { FormState } from '../form-state.ts'
import { type PageContext, showPage } from '../page-kit.tsx'

type Belonging = 'team' | 'memory' | 'tokens'

const PORTAL_PLACES: Record<Belonging, string> = { team: 'team', memory: 'memory', tokens: 'agents' }

/** The address of a customer's team, memory or tokens on the site that is visited, or of what is below. */
export const addressOf = ({ c, customer }: PageContext, part: Belonging, ...below: string[]): string =>
  customer
    ? customerPath(customer.id, part, ...below)
    : [c.get('site').base, PORTAL_PLACES[part], ...below.map(encodeURIComponent)].join('/')

interface ShownBelonging {
  part: Belonging
  /** In the portal; in the console the customer's name is. */
  title: string
  action?: Child
  state?: FormState | undefined
}

/** Answers with a page that both sites have. */
export const showBelonging = (
  context: PageContext,
  { part, title, action, state }: ShownBelonging,
  children: Child
): Promise<Response> => {
  const { customer } = context
  if (customer) return answerPart({ ...context, customer }, { part, state, children })
  return showPage(context, { title, current: PORTAL_PLACES[part], action, state }, children)
}
