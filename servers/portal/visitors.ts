// Lets in who is signed in, and sends everybody else to the sign-in page.
import type { Context, MiddlewareHandler } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { overdrawn } from '../../src/limits/budget.ts'
import { cookieSeconds, isSeenStale, recordSeen } from '../../src/portal-access/sessions.ts'
import {
  type ConsoleGuest,
  consoleGuest,
  type PortalGuest,
  portalGuest,
  type SeenSession
} from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import { dropCookie, readCookie, writeCookie } from './cookies.ts'
import { chatAgentsOf } from './customer/chat-agents.ts'
import type { PageEnv } from './env.ts'
import { flash } from './flash.ts'
import { isJson } from './forms.ts'
import { CONSOLE_BASE } from './frames.tsx'

type Door = SeenSession['door']

/** In so many partners' portals on one host a browser is signed in at once; one more takes the place of the first. */
const MAX_PORTALS = 5

/** One cookie holds the tokens of every partner's portal on a host, the newest first. */
const tokensOf = (c: Context<PageEnv>, door: Door): string[] =>
  readCookie(c, `mindgate_${door}`)?.split('.').slice(0, MAX_PORTALS) ?? []

/**
 * Whoever this request's session stands for in this place's portal, or where it is nobody's in that of the partner, or
 * in any.
 *
 * @throws ServiceError `rate_limited` when they asked too often, by all their sessions together
 */
export async function guestOfPortal(
  service: Service,
  c: Context<PageEnv>,
  partnerId?: string
): Promise<PortalGuest | undefined> {
  for (const token of tokensOf(c, 'portal')) {
    const guest = await portalGuest(service.database.read, token, c.env.site?.partnerId ?? partnerId)
    if (guest) await spendVisit(service, guest.identityId)
    if (guest) return guest
  }
  return undefined
}

/**
 * Has the browser keep the token of a new session instead of the one that it had at this door; without one, that is
 * dropped. Those in other partners' portals stay.
 */
export async function keepSession(
  service: Service,
  c: Context<PageEnv>,
  door: Door,
  token?: string
): Promise<void> {
  const elsewhere = await tokensElsewhere(service, c, door)
  const kept = token === undefined ? elsewhere : [token, ...elsewhere.slice(0, MAX_PORTALS - 1)]
  if (kept.length === 0) dropCookie(c, `mindgate_${door}`)
  else writeCookie(c, `mindgate_${door}`, kept.join('.'), cookieSeconds(door))
}

/** Those that let in to another partner's portal. */
async function tokensElsewhere({ database }: Service, c: Context<PageEnv>, door: Door): Promise<string[]> {
  const tokens: string[] = []
  for (const token of door === 'portal' ? tokensOf(c, door) : []) {
    const guest = await portalGuest(database.read, token)
    if (guest && guest.partnerId !== c.get('site').partnerId) tokens.push(token)
  }
  return tokens
}

/**
 * Whoever this request's session stands for in the console.
 *
 * @throws ServiceError `rate_limited` when they asked too often, by all their sessions together
 */
export async function guestOfConsole(
  service: Service,
  c: Context<PageEnv>
): Promise<ConsoleGuest | undefined> {
  const token = readCookie(c, 'mindgate_console')
  const guest = token ? await consoleGuest(service.database.read, token) : undefined
  if (guest) await spendVisit(service, guest.partnerUserId)
  return guest
}

async function spendVisit({ rateLimits }: Service, actor: string): Promise<void> {
  const budget = await rateLimits?.spend(actor)
  if (budget?.isOverdrawn) throw overdrawn(budget)
}

/** Sets `visitor` for the pages behind it; who has yet to choose a password or a portal is sent there first. */
export function portalVisitor(service: Service): MiddlewareHandler<PageEnv> {
  return async function portalVisitor(c, next) {
    const { base } = c.get('site')
    const guest = await guestOfPortal(service, c)
    if (!guest) return signInFirst(service, c, 'portal')
    if (guest.state !== 'inside') return c.redirect(base + WAITING_ROOM[guest.state], 303)
    const { session, partnerId, identityId, customerId, role, name, email, caller, features } = guest
    const agents = await chatAgentsOf(service.database.read, partnerId, customerId, features)
    noteSeen(service, session)
    c.set('caller', caller)
    const visitor = { identityId, customerId, role, name, email, caller, features, agents }
    c.set('visitor', { sessionId: session.id, ...visitor })
    return next()
  }
}

/** Where who isn't inside yet has something to choose. */
const WAITING_ROOM = { password: '/password', choice: '/choose' } as const

/** Sets `consoleVisitor` for the pages behind it. */
export function consoleVisitor(service: Service): MiddlewareHandler<PageEnv> {
  return async function consoleVisitor(c, next) {
    const guest = await guestOfConsole(service, c)
    if (!guest) return signInFirst(service, c, 'console')
    const { session, partnerUserId, email, partnerName, caller } = guest
    noteSeen(service, session)
    c.set('caller', caller)
    c.set('consoleVisitor', { sessionId: session.id, partnerUserId, email, partnerName, caller })
    return next()
  }
}

/** The session is in use; nobody waits for the note. */
export function noteSeen({ database, inBackground }: Service, session: SeenSession): void {
  if (isSeenStale(session)) inBackground(recordSeen(database, session))
}

async function signInFirst(service: Service, c: Context<PageEnv>, door: Door): Promise<Response> {
  const base = door === 'portal' ? c.get('site').base : CONSOLE_BASE
  if (isJson(c)) throw new ServiceError('unauthorized', 'Sign in first.')
  if (tokensOf(c, door).length > (await tokensElsewhere(service, c, door)).length) {
    await keepSession(service, c, door)
    flash(c, service, { kind: 'warn', text: 'You are signed out. Sign in to go on.' })
  }
  const wanted = c.req.method === 'GET' && c.req.path !== '/' ? c.req.path + new URL(c.req.url).search : ''
  return c.redirect(`${base}/sign-in${wanted && `?next=${encodeURIComponent(wanted)}`}`, 303)
}
