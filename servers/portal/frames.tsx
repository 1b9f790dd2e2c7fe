import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import { say, type Text } from '../../src/language/say.ts'
import { CONSOLE_BRANDING } from '../../src/mail/templates/branding.ts'
import type { PortalRole } from '../../src/portal-access/memberships.ts'
import { PLACES, placesOf } from './customer/menu.ts'
import type { Look, MenuItem, PageEnv } from './env.ts'
import { takeFlash } from './flash.ts'
import { CONSOLE_BASE, mayOpen } from './rights.ts'
import { Button, Notice } from './ui/form.tsx'
import { type Entry, Frame, type FrameProps } from './ui/frame.tsx'

type PageProps = Pick<FrameProps, 'title' | 'current' | 'action' | 'breadcrumbs' | 'children'> & {
  c: Context<PageEnv>
}

/** Mindgate's own look, which the console has. */
export const CONSOLE_LOOK: Look = { ...CONSOLE_BRANDING, logo: undefined }

export const PortalPage: FC<PageProps> = ({ c, ...shown }) => {
  const visitor = c.get('visitor')
  const { name, email, role, isLookingOn } = visitor
  const menu = placesOf(visitor).map((segment) => {
    const { label, icon } = PLACES[segment]
    return { segment, label: say(label), icon }
  })
  const who = { name, detail: name === email ? say(ROLE_NAMES[role]) : email }
  const { base } = c.get('portal')
  const notice = isLookingOn && (
    <Notice tone="bad">
      <p>{say('You see this portal as its customer does. Nothing can be changed here.')}</p>
      <form method="post" action={`${base}/sign-out`}>
        <Button kind="plain">{say('Back to the console')}</Button>
      </form>
    </Notice>
  )
  return (
    <Frame site="portal" {...c.get('portal')} {...{ menu, who, notice }} flash={takeFlash(c)} {...shown} />
  )
}

export const ROLE_NAMES = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const satisfies Record<
  PortalRole,
  Text
>

export const ConsolePage: FC<PageProps> = ({ c, ...shown }) => {
  const { partnerName, email } = c.get('consoleVisitor')
  const who = { name: partnerName, detail: email }
  const menu = CONSOLE_MENU.filter(({ segment }) => mayOpen(`${CONSOLE_BASE}/${segment}`))
  return <Frame site="console" {...CONSOLE} menu={menu} who={who} flash={takeFlash(c)} {...shown} />
}

/** Leads to the console's pages, in this order. */
export const CONSOLE_MENU: readonly MenuItem[] = [
  { segment: 'find', label: 'Find (Ctrl K)', icon: 'search' },
  { segment: '', label: 'Dashboard', icon: 'home' },
  { segment: 'customers', label: 'Customers', icon: 'people' },
  { segment: 'usage', label: 'Usage', icon: 'chart' },
  { segment: 'statements', label: 'Statements', icon: 'receipt' },
  { segment: 'voice-agents', label: 'Voice agents', icon: 'wave' },
  { segment: 'instances', label: 'Servers', icon: 'server' },
  { segment: 'plans', label: 'Plans', icon: 'layers' },
  { segment: 'keys', label: 'API keys', icon: 'key', group: 'Access' },
  { segment: 'tokens', label: 'MCP tokens', icon: 'ticket', group: 'Access' },
  { segment: 'providers', label: 'Providers', icon: 'cloud', group: 'Access' },
  { segment: 'webhooks', label: 'Webhooks', icon: 'chat', group: 'Access' },
  { segment: 'team', label: 'Team', icon: 'people', group: 'Your side' },
  { segment: 'security', label: 'Sign-in', icon: 'lock', group: 'Your side' },
  { segment: 'brand', label: 'Brand', icon: 'brush', group: 'Your side' },
  { segment: 'billing', label: 'Billing settings', icon: 'wallet', group: 'Your side' },
  { segment: 'mail', label: 'Mail', icon: 'mail', group: 'Your side' },
  { segment: 'audit', label: 'Audit log', icon: 'list', group: 'Your side' },
  { segment: 'account', label: 'Account', icon: 'person', group: 'Your side' }
]

const CONSOLE = { look: CONSOLE_LOOK, base: CONSOLE_BASE }

/** The frame of a page for somebody who isn't signed in. */
export function entryOf(c: Context<PageEnv>): Entry {
  const { base, look } = c.get('portal') ?? CONSOLE
  return { look, flash: takeFlash(c), homeHref: base || '/' }
}
