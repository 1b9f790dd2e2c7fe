// People who decide about apps: who follows the address that an app opens, as their browser does, and answers the pages.

import { CONSOLE_PASSWORD, giveConsolePassword } from '../portal/console-visitor.ts'
import {
  onboardOwner,
  PASSWORD,
  type SiteAnswer,
  type SiteClient,
  siteClient
} from '../portal/site-client.ts'
import { run, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'

export interface Decision {
  email: string
  password: string
  /** What they choose where their password was a temporary one. */
  newPassword?: string
  /** Which of several portals they enter, by what the page calls it; the first unless told. */
  enters?: string
  /** What is left ticked; all that is offered unless told. */
  scopes?: readonly string[]
  /** Which customer's memory, by what the page calls it. */
  membership?: string
  /** Their portal's name, if they are asked. */
  portal?: string
  refuses?: boolean
}

const attribute = (tag: string, name: string): string | undefined =>
  unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1])

const unescaped = (text: string | undefined): string | undefined =>
  text?.replaceAll('&quot;', '"').replaceAll('&#39;', '’').replaceAll('&amp;', '&')

/** The values of the page's inputs of that name. */
const inputs = (html: string, name: string): string[] =>
  [...html.matchAll(/<input[^>]*>/g)]
    .filter(([tag]) => attribute(tag, 'name') === name)
    .map(([tag]) => attribute(tag, 'value') ?? '')

/** Follows from `address` to the app's own one, which is answered, deciding on the way. */
export async function decide(
  url: string,
  address: string,
  decision: Decision,
  browser: SiteClient = siteClient(url)
): Promise<URL> {
  const seen: string[] = []
  const pathOf = (location: string) => {
    const to = new URL(location, url)
    return to.origin === new URL(url).origin ? to.pathname + to.search : undefined
  }
  let path = pathOf(address)
  for (let steps = 0; path !== undefined && steps < 15; steps += 1) {
    seen.push(path)
    const next = leadsTo(await answerPage(browser, path, decision))
    if (next === undefined) throw new Error(`Stopped after ${seen.join(' ')}`)
    path = pathOf(next)
    if (path === undefined) return new URL(next)
  }
  throw new Error(`Went on and on: ${seen.join(' ')}`)
}

/** By a redirect, or by a page that leads on by itself. */
const leadsTo = ({ location, headers }: SiteAnswer): string | undefined =>
  location ?? /url=(.+)$/.exec(headers.get('refresh') ?? '')?.[1]

/** Opens the page and sends its form, if it has one of those that stand between an app and its user. */
async function answerPage(browser: SiteClient, path: string, decision: Decision): Promise<SiteAnswer> {
  const answer = await browser.get(path)
  if (leadsTo(answer) !== undefined) return answer
  const [here = '', query] = path.split('?')
  const sent = await answerForm(browser, here, new URLSearchParams(query), answer.text, decision)
  if (!sent || leadsTo(sent) === undefined) {
    const { status, text } = sent ?? answer
    throw new Error(`Stopped at ${path}: ${status} ${text.replace(/^[\s\S]*<main/, '<main').slice(0, 3_000)}`)
  }
  return sent
}

async function answerForm(
  browser: SiteClient,
  here: string,
  query: URLSearchParams,
  html: string,
  decision: Decision
): Promise<SiteAnswer | undefined> {
  const { email, password, newPassword = '', enters } = decision
  const [next = ''] = inputs(html, 'next')
  if (here.endsWith('/sign-in')) return browser.post(here, { form: { email, password, next } })
  if (here.endsWith('/password')) return browser.post(here, { form: { password: newPassword, next } })
  if (here.endsWith('/choose')) {
    const buttons = [...html.matchAll(/(<button[^>]* name="membership"[^>]*>)([^<]*)/g)]
    const [, button = ''] = buttons.find(([, , label = '']) => label.startsWith(enters ?? '')) ?? []
    return browser.post(here, { form: { membership: attribute(button, 'value') ?? '', next } })
  }
  if (here === '/oauth/authorize') {
    query.set('portal', decision.portal ?? '')
    return browser.get(`${here}?${query}`)
  }
  return here.includes('/connect/') ? answerConsent(browser, here, html, decision) : undefined
}

function answerConsent(
  browser: SiteClient,
  here: string,
  html: string,
  decision: Decision
): Promise<SiteAnswer> {
  if (decision.refuses) return browser.post(`${here}/cancel`, { form: {} })
  const [option = ''] =
    [...html.matchAll(/(<option[^>]*>)([^<]*)/g)].find(([, , label]) => label === decision.membership) ?? []
  const membership = attribute(option, 'value')
  const form = new URLSearchParams(membership ? { membership } : {})
  for (const scope of decision.scopes ?? inputs(html, 'scopes')) form.append('scopes', scope)
  return browser.post(here, { form })
}

export interface Owner {
  customerId: string
  decision: Decision
}

/** A customer whose memory is open to apps, and whose owner has a password. */
export async function makeOwner(
  { service, partner }: Pick<TestServer, 'service' | 'partner'>,
  { email = uniqueEmail(), companyName = 'Engines' }: { email?: string; companyName?: string } = {}
): Promise<Owner> {
  const { customerId } = await onboardOwner(service, partner, email, companyName)
  await openToApps({ service, partner }, customerId)
  return { customerId, decision: { email, password: PASSWORD, portal: partner.slug } }
}

export const openToApps = (
  { service, partner }: Pick<TestServer, 'service' | 'partner'>,
  customerId: string
): Promise<unknown> =>
  run(service, partner.partnerId, 'customer_update', {
    customerId,
    enableApiAccess: true,
    enableAiMemory: true,
    enableTeamMembers: true
  })

/** Somebody of the partner's, who has a password for the console. */
export async function makeStaff(
  { service }: Pick<TestServer, 'service'>,
  { partnerId }: TestPartner
): Promise<Decision> {
  const email = await giveConsolePassword(service, partnerId)
  return { email, password: CONSOLE_PASSWORD }
}
