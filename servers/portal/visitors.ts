// Lets in who is signed in, and sends everybody else to the sign-in page.
import type { Context, MiddlewareHandler } from 'hono'
import { appOf, isDeployed } from '../../schemas/app.ts'
import { requireScope } from '../../src/caller.ts'
import { ServiceError } from '../../src/errors.ts'
import { listCustomerInstances } from '../../src/instances/store.ts'
import { inLanguage, language, say } from '../../src/language/say.ts'
import { overdrawn } from '../../src/limits/budget.ts'
import type { Visit } from '../../src/portal-access/passwords.ts'
import {
  cookieSeconds,
  endSession,
  isSeenStale,
  recordSeen,
  VIEW_MS
} from '../../src/portal-access/sessions.ts'
import {
  type ConsoleGuest,
  consoleGuest,
  type InsideGuest,
  portalGuest,
  portalView
} from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { type CookieName, dropCookie, readCookie, writeCookie } from './cookies.ts'
import type { PageEnv } from './env.ts'
import { noSuchPage } from './errors.tsx'
import { flash } from './flash.ts'
import { isJson } from './forms.ts'
import { baseOf } from './page-kit.tsx'
import { showSignedOut } from './password-forms.tsx'
import { lookingOn, scopeToOpen, withScopes } from './rights.ts'
import { typedTexts } from './typed-text.tsx'

export const visitOf = (c: Context<PageEnv>, { config }: Service): Visit => ({
  address: clientAddress(c, config.trustedProxies),
  userAgent: c.req.header('user-agent'),
  signal: c.req.raw.signal,
  requestId: c.get('requestId')
})

/** In so many partners' portals on one host a browser is signed in at once; one more takes the place of the first. */
const MAX_PORTALS = 5

const cookieOf = (c: Context<PageEnv>): CookieName =>
  c.get('channel') === 'console' ? 'mindgate_console' : 'mindgate_portal'

/** One cookie holds the tokens of every partner's portal on a host, the newest first. */
const tokensOf = (c: Context<PageEnv>): string[] =>
  readCookie(c, cookieOf(c))?.split('.').slice(0, MAX_PORTALS) ?? []

/**
 * Whoever this request's session stands for in this place's portal, or where it is nobody's in that of the partner, or in
 * any. @throws ServiceError `rate_limited` when they asked too often, by all their sessions together
 */
export async function guestOfPortal(service: Service, c: Context<PageEnv>, partnerId?: string) {
  for (const token of tokensOf(c)) {
    const guest = await portalGuest(service.database.read, token, c.env.portal?.partnerId ?? partnerId)
    if (guest) await spendRequest(service, guest.person.identityId)
    if (guest) return guest
  }
  return undefined
}

/** Who is inside a portal; in that of the partner before others. @throws ServiceError `unauthorized`, `rate_limited` */
export async function insideGuest(service: Service, c: Context<PageEnv>, partnerId?: string) {
  // On a partner's own host it must be a session of that partner's; our own host has the portals of all.
  const guest =
    (partnerId && (await guestOfPortal(service, c, partnerId))) || (await guestOfPortal(service, c))
  if (guest?.state !== 'inside') throw new ServiceError('unauthorized', 'Sign in to the portal first.')
  noteSeen(service, c, guest)
  return guest
}

/** @throws ServiceError `rate_limited` */
export async function guestOfConsole(service: Service, c: Context<PageEnv>) {
  const [token] = tokensOf(c)
  const guest = token ? await consoleGuest(service.database.read, token) : undefined
  if (guest) await spendRequest(service, guest.person.partnerUserId)
  return guest
}

async function spendRequest({ rateLimits }: Service, actor: string): Promise<void> {
  const budget = await rateLimits?.spend(actor)
  if (budget?.isOverdrawn) throw overdrawn(budget)
}

/**
 * Has the browser keep the token of a new session instead of the one that it had on this site; without one, that is
 * dropped. Those in other partners' portals stay.
 */
export async function keepSession(service: Service, c: Context<PageEnv>, token?: string): Promise<void> {
  const name = cookieOf(c)
  const elsewhere = await tokensElsewhere(service, c)
  const kept = token === undefined ? elsewhere : [token, ...elsewhere.slice(0, MAX_PORTALS - 1)]
  if (kept.length === 0) dropCookie(c, name)
  else writeCookie(c, name, kept.join('.'), cookieSeconds(name === 'mindgate_console' ? 'console' : 'portal'))
}

async function tokensElsewhere({ database }: Service, c: Context<PageEnv>): Promise<string[]> {
  const tokens: string[] = []
  for (const token of c.get('channel') === 'portal' ? tokensOf(c) : []) {
    const guest = await portalGuest(database.read, token)
    if (guest && guest.partnerId !== c.get('portal').partnerId) tokens.push(token)
  }
  return tokens
}

const VIEW = 'mindgate_view'

/** Has the browser keep what a look at a customer's portal is made with, apart from every session of its own. */
export const keepView = (c: Context<PageEnv>, token: string): void =>
  writeCookie(c, VIEW, token, VIEW_MS / 1000)

/** Ends the look at this portal; whose it was, if there was one. */
export async function endView({ database }: Service, c: Context<PageEnv>): Promise<string | undefined> {
  const { partnerId } = c.get('portal') ?? {}
  const token = readCookie(c, VIEW)
  const view = token && partnerId && (await portalView(database.read, token, partnerId))
  if (!view) return undefined
  const who = { partnerUserId: view.caller.actor }
  await database.transaction((tx) => endSession(tx, view.partnerId, who, view.session.id))
  dropCookie(c, VIEW)
  return view.customerId
}

/** Shows the portal to who looks at it; what is one's own isn't there. */
async function showView(
  service: Service,
  view: NonNullable<Awaited<ReturnType<typeof portalView>>>,
  c: Context<PageEnv>,
  next: () => Promise<void>
) {
  await spendRequest(service, view.caller.actor)
  c.set('caller', view.caller)
  c.set('visitor', { ...view, isLookingOn: true, agents: [] })
  if (!['GET', 'HEAD'].includes(c.req.method))
    throw new ServiceError(
      'missing_scope',
      say('You see this portal as its customer does. Nothing can be changed here.')
    )
  if (/^\/connect\b/.test(c.env.path ?? '')) throw noSuchPage()
  return lookingOn(() => inLanguage(view.portalLanguage ?? language(), next))
}

/** Where what stands before the pages is done. */
const PAGE_OF = { password: '/password', factor: '/factor', 'set-up': '/factor', choice: '/choose' } as const

/** Sets `visitor` for the pages behind it; who has something to do first is sent there. */
export function portalVisitor(service: Service): MiddlewareHandler<PageEnv> {
  return async function portalVisitor(c, next) {
    const token = readCookie(c, VIEW)
    const view = token && (await portalView(service.database.read, token, c.get('portal').partnerId))
    if (view) return showView(service, view, c, next)
    const guest = await guestOfPortal(service, c)
    if (!guest) return signInFirst(service, c)
    if (guest.state !== 'inside') {
      return c.redirect(baseOf(c) + PAGE_OF[guest.state] + wantedBy(c), 303)
    }
    const agents = await chatAgentsOf(service, guest)
    noteSeen(service, c, guest)
    c.set('visitor', { ...guest, agents })
    return inLanguage(guest.portalLanguage ?? language(), next)
  }
}

/** The agents on the customer's servers, from their first deploy on: those that are ready first, in the order in which they came. */
async function chatAgentsOf({ database }: Service, { partnerId, customerId, features }: InsideGuest) {
  const instances = await listCustomerInstances(database.read, partnerId, customerId)
  return instances
    .filter(({ status }) => status !== 'registered' && features.allowedApps.includes(appOf(status)))
    .toSorted((a, b) => Number(isDeployed(b.status)) - Number(isDeployed(a.status)))
    .map(({ id, status, agentName, name, unreachableSince }) => ({
      instanceId: id,
      app: appOf(status),
      name: agentName ?? name,
      server: name,
      state: !isDeployed(status) ? 'Being set up' : unreachableSince === null ? 'Ready' : 'Doesn’t answer'
    }))
}

export function consoleVisitor(service: Service): MiddlewareHandler<PageEnv> {
  return async function consoleVisitor(c, next) {
    const guest = await guestOfConsole(service, c)
    if (!guest) return signInFirst(service, c)
    if (guest.state !== 'inside') return c.redirect(`${baseOf(c)}/factor${wantedBy(c)}`, 303)
    noteSeen(service, c, guest)
    c.set('consoleVisitor', guest)
    const scope = c.req.method === 'GET' ? scopeToOpen(c.env.path ?? '/') : undefined
    if (scope) requireScope(guest.caller, scope)
    return withScopes(guest.caller.scopes, next)
  }
}

/** Whose request it is, and that the session is in use; nobody waits for the note. */
function noteSeen(
  service: Service,
  c: Context<PageEnv>,
  { session, caller }: InsideGuest | ConsoleGuest
): void {
  if (isSeenStale(session)) service.inBackground(recordSeen(service.database, session))
  c.set('caller', caller)
}

async function signInFirst(service: Service, c: Context<PageEnv>): Promise<Response> {
  if (isJson(c)) throw new ServiceError('unauthorized', 'Sign in first.')
  if (tokensOf(c).length > (await tokensElsewhere(service, c)).length) {
    await keepSession(service, c)
    const texts = await typedTexts(c)
    if (texts.length > 0) return showSignedOut(c, texts)
    flash(c, service, { kind: 'warn', text: say('You are signed out. Sign in to go on.') })
  }
  return c.redirect(`${baseOf(c)}/sign-in${wantedBy(c)}`, 303)
}

/** The page that was asked for, to be shown once nothing stands between any more. */
function wantedBy(c: Context<PageEnv>): string {
  const wanted = c.req.method === 'GET' && c.req.path !== '/' ? c.req.path + new URL(c.req.url).search : ''
  return wanted && `?next=${encodeURIComponent(wanted)}`
}
