// What the frames around pages need to know, taken from the request.
import type { Context } from 'hono'
import { type PortalPlace, placesOf } from './customer/menu.ts'
import type { PageEnv, PortalVisitor } from './env.ts'
import { takeFlash } from './flash.ts'
import type { Look } from './look.ts'
import type { DoorFrameProps, FrameProps } from './ui/frame.tsx'

type Surroundings = Omit<FrameProps, 'title' | 'current' | 'action' | 'breadcrumbs' | 'children'>

export const CONSOLE_BASE = '/console'

/** Mindgate's own look, which the console has. */
export const CONSOLE_LOOK: Look = {
  name: 'Mindgate',
  accentColor: '#1d4ed8',
  logo: undefined,
  supportEmail: undefined,
  supportUrl: undefined
}

/**
 * Everything of a portal page's frame but the page itself.
 *
 * @example <PortalFrame {...portalFrame(c)} title="Memory" current="memory">…</PortalFrame>
 */
export function portalFrame(c: Context<PageEnv>): Surroundings {
  const { base, look } = c.get('site')
  const visitor = c.get('visitor')
  return {
    look,
    base,
    menu: placesOf(visitor).map((segment) => ({ segment, label: PLACE_LABELS[segment] })),
    who: { name: visitor.name, detail: visitor.name === visitor.email ? ROLES[visitor.role] : visitor.email },
    flash: takeFlash(c),
    homeHref: base || '/',
    signOutAction: `${base}/sign-out`
  }
}

const PLACE_LABELS: Record<PortalPlace, string> = {
  '': 'Home',
  chat: 'Chat',
  memory: 'Memory',
  team: 'Team',
  agents: 'Agents',
  account: 'Account'
}

const ROLES: Record<PortalVisitor['role'], string> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

/** Everything of a console page's frame but the page itself. */
export function consoleFrame(c: Context<PageEnv>): Surroundings {
  const { partnerName, email } = c.get('consoleVisitor')
  return {
    look: CONSOLE_LOOK,
    base: CONSOLE_BASE,
    menu: CONSOLE_MENU,
    who: { name: partnerName, detail: email },
    flash: takeFlash(c),
    homeHref: CONSOLE_BASE,
    signOutAction: `${CONSOLE_BASE}/sign-out`
  }
}

const CONSOLE_MENU: FrameProps['menu'] = [
  { segment: '', label: 'Dashboard' },
  { segment: 'customers', label: 'Customers' },
  { segment: 'voice-agents', label: 'Voice agents' },
  { segment: 'instances', label: 'Servers' },
  { segment: 'plans', label: 'Plans' },
  { segment: 'keys', label: 'API keys', group: 'Access' },
  { segment: 'tokens', label: 'MCP tokens', group: 'Access' },
  { segment: 'providers', label: 'Providers', group: 'Access' },
  { segment: 'brand', label: 'Brand', group: 'Your side' },
  { segment: 'mail', label: 'Mail', group: 'Your side' },
  { segment: 'audit', label: 'Audit log', group: 'Your side' },
  { segment: 'account', label: 'Account', group: 'Your side' }
]

/** The frame of a page for somebody who isn't signed in, in a portal's look. */
export function portalDoor(c: Context<PageEnv>): Pick<DoorFrameProps, 'look' | 'flash' | 'homeHref'> {
  const { base, look } = c.get('site')
  return { look, flash: takeFlash(c), homeHref: base || '/' }
}

/** The same in the console's look. */
export function consoleDoor(c: Context<PageEnv>): Pick<DoorFrameProps, 'look' | 'flash' | 'homeHref'> {
  return { look: CONSOLE_LOOK, flash: takeFlash(c), homeHref: CONSOLE_BASE }
}
