import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import type { PortalRole } from '../../src/portal-access/memberships.ts'
import { PLACES, placesOf } from './customer/menu.ts'
import type { Look, PageEnv } from './env.ts'
import { takeFlash } from './flash.ts'
import { type Entry, Frame, type FrameProps } from './ui/frame.tsx'

type PageProps = Pick<FrameProps, 'title' | 'current' | 'action' | 'breadcrumbs' | 'children'> & {
  c: Context<PageEnv>
}

export const CONSOLE_BASE = '/console'

/** Mindgate's own look, which the console has. */
export const CONSOLE_LOOK: Look = {
  name: 'Mindgate',
  accentColor: '#1d4ed8',
  logo: undefined,
  supportEmail: undefined,
  supportUrl: undefined
}

export const PortalPage: FC<PageProps> = ({ c, ...shown }) => {
  const visitor = c.get('visitor')
  const { name, email, role } = visitor
  const menu = placesOf(visitor).map((segment) => ({ segment, ...PLACES[segment] }))
  const who = { name, detail: name === email ? ROLE_NAMES[role] : email }
  return <Frame site="portal" {...c.get('portal')} menu={menu} who={who} flash={takeFlash(c)} {...shown} />
}

export const ROLE_NAMES: Record<PortalRole, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

export const ConsolePage: FC<PageProps> = ({ c, ...shown }) => {
  const { partnerName, email } = c.get('consoleVisitor')
  const who = { name: partnerName, detail: email }
  return <Frame site="console" {...CONSOLE} menu={c.get('menu')} who={who} flash={takeFlash(c)} {...shown} />
}

const CONSOLE = { look: CONSOLE_LOOK, base: CONSOLE_BASE }

/** The frame of a page for somebody who isn't signed in. */
export function entryOf(c: Context<PageEnv>): Entry {
  const { base, look } = c.get('portal') ?? CONSOLE
  return { look, flash: takeFlash(c), homeHref: base || '/' }
}
