// What stands around every page: navigation for who is signed in, or a card in the middle for who isn't yet.
import type { Child, FC } from 'hono/jsx'
import { MARK_PATH } from '../assets/mark.ts'
import { SCRIPT_PATH } from '../assets/script.ts'
import { stylesheetPath } from '../assets/stylesheet.ts'
import type { FlashMessage } from '../flash.ts'
import type { Look } from '../look.ts'
import { Icon, type IconName } from './icon.tsx'

export interface FrameProps extends NavigationProps {
  title: string
  /** The page's one primary action. */
  action?: Child
  /** From depth three: the pages above, the topmost first. */
  breadcrumbs?: readonly { href: string; label: string }[] | undefined
  flash?: FlashMessage | undefined
  children?: Child
}

/** A page of the customer portal, in the partner's look. */
export const PortalFrame: FC<FrameProps> = (props) => <SignedIn {...props} door="portal" />

/** A page of the partner console, in Mindgate's look. */
export const ConsoleFrame: FC<FrameProps> = (props) => <SignedIn {...props} door="console" />

const SignedIn: FC<FrameProps & { door: 'portal' | 'console' }> = (props) => (
  <Document title={`${props.title} · ${props.look.name}`} look={props.look}>
    <body class={`signed-in ${props.door}`}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="bar">
        <Brand look={props.look} href={props.homeHref} />
        <button type="button" class="menu-button" popovertarget="menu">
          <Icon name="menu" />
          Menu
        </button>
      </header>
      <Navigation {...props} />
      <main id="content">
        {props.breadcrumbs && props.breadcrumbs.length > 0 ? <Breadcrumbs items={props.breadcrumbs} /> : null}
        <div class="page-head">
          <h1>{props.title}</h1>
          {props.action ? <div class="page-action">{props.action}</div> : null}
        </div>
        <Flash flash={props.flash} />
        <div class="content">{props.children}</div>
      </main>
    </body>
  </Document>
)

const Breadcrumbs: FC<{ items: readonly { href: string; label: string }[] }> = ({ items }) => (
  <nav class="breadcrumbs" aria-label="Breadcrumbs">
    <ol>
      {items.map(({ href, label }) => (
        <li>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ol>
  </nav>
)

interface DoorFrameProps {
  look: Look
  title: string
  /** A sentence below the title. */
  intro?: Child
  flash?: FlashMessage | undefined
  homeHref?: string | undefined
  /** Small links below the card. */
  footer?: Child
  children?: Child
}

/** What a door brings to each of its pages. */
export type Door = Pick<DoorFrameProps, 'look' | 'flash' | 'homeHref'>

/** A page before one is signed in: the brand on top, a card in the middle, whom to ask below. */
export const DoorFrame: FC<DoorFrameProps> = ({ look, title, intro, flash, homeHref, footer, children }) => (
  <Document title={`${title} · ${look.name}`} look={look}>
    <body class="door">
      <main id="content">
        <div class="door-brand">
          <Brand look={look} href={homeHref} />
        </div>
        <Flash flash={flash} />
        <section class="door-card">
          <h1>{title}</h1>
          {intro ? <div class="door-intro">{intro}</div> : null}
          {children}
        </section>
        <footer class="door-foot">
          {footer}
          <Support look={look} />
        </footer>
      </main>
    </body>
  </Document>
)

const Support: FC<{ look: Look }> = ({ look: { supportEmail, supportUrl } }) => {
  if (supportUrl === undefined && supportEmail === undefined) return null
  return (
    <p>
      Need help?{' '}
      {supportUrl === undefined ? (
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
      ) : (
        <a href={supportUrl} rel="noopener">
          Get support
        </a>
      )}
    </p>
  )
}

const Document: FC<{ title: string; look: Look; children?: Child }> = ({ title, look, children }) => (
  <html lang="en" dir="ltr">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href={look.logo?.url ?? MARK_PATH} />
      <link rel="stylesheet" href={stylesheetPath(look.accentColor)} />
      <script type="module" src={SCRIPT_PATH} />
    </head>
    {children}
  </html>
)

/** What the last action did. Good news leaves by itself where scripts run, the rest stays until it is closed. */
const Flash: FC<{ flash?: FlashMessage | undefined }> = ({ flash }) => (
  <div class="toasts" role={flash?.kind === 'bad' ? 'alert' : 'status'}>
    {flash ? (
      <div class={`toast ${flash.kind}`} data-toast={flash.kind}>
        <Icon name={flash.kind === 'good' ? 'check' : 'alert'} />
        <p>{flash.text}</p>
        <button type="button" class="toast-close" aria-label="Close the message">
          <Icon name="close" />
        </button>
      </div>
    ) : null}
  </div>
)

interface MenuItem {
  /** Last part of the address below `base`; `` is home. */
  segment: string
  label: string
  /** A heading above the first entry of its kind. */
  group?: string | undefined
}

interface NavigationProps {
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

const Navigation: FC<NavigationProps> = (props) => {
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

/** The logo, or the first letter in the accent's colour, and the name. */
export const Brand: FC<{ look: Look; href?: string | undefined }> = ({ look, href }) => {
  const mark: Child = look.logo ? (
    <img
      class="logo"
      src={look.logo.url}
      width={look.logo.width}
      height={look.logo.height}
      alt={isWide(look.logo) ? look.name : ''}
    />
  ) : (
    <span class="monogram" aria-hidden="true">
      {[...look.name.trim()][0]?.toUpperCase()}
    </span>
  )
  const content = (
    <>
      {mark}
      {look.logo && isWide(look.logo) ? null : <span class="brand-name">{look.name}</span>}
    </>
  )
  return href === undefined ? (
    <span class="brand">{content}</span>
  ) : (
    <a class="brand" href={href}>
      {content}
    </a>
  )
}

/** A wide logo has the name in it, a square one is a mark beside it. */
const isWide = ({ width, height }: { width: number; height: number }): boolean => width >= height * 2
