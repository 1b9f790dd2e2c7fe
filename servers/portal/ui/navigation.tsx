// The side of a page from 900 px; below that the same element is a popover that the bar's button opens without script.
import type { FC } from 'hono/jsx'
import type { Look } from '../look.ts'
import { Brand } from './brand.tsx'
import { Icon, type IconName } from './icon.tsx'

export interface MenuItem {
  /** Last part of the address below `base`; `` is home. */
  segment: string
  label: string
  /** A heading above the first entry of its kind. */
  group?: string | undefined
}

export interface NavigationProps {
  look: Look
  /** Prefix of every link. */
  base: string
  menu: readonly MenuItem[]
  /** Segment of the menu entry that the page belongs to; `` is home. */
  current: string
  who: { name: string; detail: string }
  signOutAction: string
  homeHref: string
}

export const Navigation: FC<NavigationProps> = (props) => {
  const { look, base, menu, current, who, signOutAction, homeHref } = props
  return (
    <nav class="side" id="menu" popover="auto" aria-label="Main">
      <div class="side-brand">
        <Brand look={look} href={homeHref} />
      </div>
      <ul>
        {menu.map(({ segment, label, group }, index) => (
          <>
            {group !== undefined && group !== menu[index - 1]?.group ? (
              <li class="side-group" aria-hidden="true">
                {group}
              </li>
            ) : null}
            <li>
              <a
                href={segment === '' ? homeHref : `${base}/${segment}`}
                aria-current={segment === current ? 'page' : undefined}
              >
                <Icon name={ICONS[segment] ?? 'list'} />
                {label}
              </a>
            </li>
          </>
        ))}
      </ul>
      <div class="side-who">
        <p>
          <b>{who.name}</b>
          <span>{who.detail}</span>
        </p>
        <form method="post" action={signOutAction}>
          <button type="submit" class="side-leave">
            <Icon name="leave" />
            Sign out
          </button>
        </form>
      </div>
    </nav>
  )
}

const ICONS: Partial<Record<string, IconName>> = {
  '': 'home',
  memory: 'memory',
  team: 'people',
  agents: 'plug',
  account: 'person',
  chat: 'chat',
  customers: 'people',
  'voice-agents': 'wave',
  instances: 'server',
  keys: 'key',
  tokens: 'ticket',
  plans: 'layers',
  brand: 'brush',
  providers: 'cloud',
  audit: 'list',
  mail: 'mail'
}
