// What the frames around pages need to know, taken from the request.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import type { PortalRole } from '../../src/portal-access/memberships.ts'
import { type PortalPlace, placesOf } from './customer/menu.ts'
import type { PageEnv } from './env.ts'
import { takeFlash } from './flash.ts'
import type { Look } from './look.ts'
import { ConsoleFrame, type Door, type FrameProps, PortalFrame } from './ui/frame.tsx'

/** What a page says of itself; the request has the rest. */
type PageProps = Pick<FrameProps, 'title' | 'current' | 'action' | 'breadcrumbs' | 'children'> & {
  c: Context<PageEnv>
}
type Surroundings = Omit<FrameProps, keyof PageProps>

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
 * A page of the portal for who is inside.
 *
 * @example <PortalPage c={c} title="Memory" current="memory">…</PortalPage>
 */
export const PortalPage: FC<PageProps> = ({ c, ...shown }) => <PortalFrame {...portalFrame(c)} {...shown} />

/** A page of the console for who is inside. */
export const ConsolePage: FC<PageProps> = ({ c, ...shown }) => (
  <ConsoleFrame {...consoleFrame(c)} {...shown} />
)

/** Everything of a portal page's frame but the page itself. */
function portalFrame(c: Context<PageEnv>): Surroundings {
  const { base, look } = c.get('site')
  const visitor = c.get('visitor')
  return {
    look,
    base,
    menu: placesOf(visitor).map((segment) => ({ segment, label: PLACE_LABELS[segment] })),
    who: {
      name: visitor.name,
      detail: visitor.name === visitor.email ? ROLE_NAMES[visitor.role] : visitor.email
    },
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

/** What the roles in a team are called. */
export const ROLE_NAMES: Record<PortalRole, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

/** Everything of a console page's frame but the page itself. */
function consoleFrame(c: Context<PageEnv>): Surroundings {
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
export function portalDoor(c: Context<PageEnv>): Door {
  const { base, look } = c.get('site')
  return { look, flash: takeFlash(c), homeHref: base || '/' }
}

/** The same in the console's look. */
export function consoleDoor(c: Context<PageEnv>): Door {
  return { look: CONSOLE_LOOK, flash: takeFlash(c), homeHref: CONSOLE_BASE }
}
