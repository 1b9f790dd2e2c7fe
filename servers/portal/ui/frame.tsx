import type { Child, FC } from 'hono/jsx'
import { directionOf, language, say } from '../../../src/language/say.ts'
import { CONSOLE_SCRIPT_PATH, MARK_PATH, SCRIPT_PATH } from '../assets/packed.ts'
import { stylesheetPath } from '../assets/stylesheet.ts'
import type { FlashMessage, Look, MenuItem } from '../env.ts'
import { ActButton } from './form.tsx'
import { Icon } from './icon.tsx'

export interface FrameProps {
  site: 'portal' | 'console'
  look: Look
  base: string
  menu: readonly MenuItem[]
  who: { name: string; detail: string }
  flash?: FlashMessage | undefined
  /** What holds on all of its pages. */
  notice?: Child
  title: string
  /** Segment of the menu entry that the page belongs to; `` is home. */
  current: string
  action?: Child
  /** From depth three: the pages above, the topmost first. */
  breadcrumbs?: readonly { href: string; label: string }[] | undefined
  children?: Child
}

/** A page for who is signed in. */
export const Frame: FC<FrameProps> = (props) => {
  const { site, look, base, title, action, breadcrumbs = [], flash, notice, children } = props
  return (
    <Document title={title} look={look} script={site === 'console' ? CONSOLE_SCRIPT_PATH : undefined}>
      <body class={`signed-in ${site}`}>
        <a class="skip" href="#content">
          {say('Skip to the content')}
        </a>
        <header class="bar">
          <Brand look={look} href={base || '/'} />
          <button type="button" class="menu-button" popovertarget="menu">
            <Icon name="menu" />
            {say('Menu')}
          </button>
        </header>
        <Navigation {...props} />
        <main id="content">
          {notice}
          {breadcrumbs.length > 0 ? <Breadcrumbs items={breadcrumbs} /> : null}
          <div class="page-head">
            <h1>{title}</h1>
            {action ? <div class="page-action">{action}</div> : null}
          </div>
          <Flash flash={flash} />
          <div class="content">{children}</div>
        </main>
      </body>
    </Document>
  )
}

const Breadcrumbs: FC<{ items: readonly { href: string; label: string }[] }> = ({ items }) => (
  <nav class="breadcrumbs" aria-label={say('Breadcrumbs')}>
    <ol>
      {items.map(({ href, label }) => (
        <li>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ol>
  </nav>
)

export interface Entry {
  look: Look
  flash?: FlashMessage | undefined
  homeHref?: string | undefined
}

interface EntryFrameProps extends Entry {
  title: string
  intro?: Child
  footer?: Child
  children?: Child
}

/** A page before one is signed in: the brand on top, a card in the middle, whom to ask below. */
export const EntryFrame: FC<EntryFrameProps> = ({
  look,
  title,
  intro,
  flash,
  homeHref,
  footer,
  children
}) => (
  <Document title={title} look={look}>
    <body class="entry">
      <main id="content">
        <div class="entry-brand">
          <Brand look={look} href={homeHref} />
        </div>
        <Flash flash={flash} />
        <section class="entry-card">
          <h1>{title}</h1>
          {intro ? <div class="entry-intro">{intro}</div> : null}
          {children}
        </section>
        <footer class="entry-foot">
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
      {say('Need help?')}{' '}
      {supportUrl === undefined ? (
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
      ) : (
        <a href={supportUrl} rel="noopener">
          {say('Get support')}
        </a>
      )}
    </p>
  )
}

const Document: FC<{ title: string; look: Look; script?: string | undefined; children?: Child }> = ({
  title,
  look,
  script,
  children
}) => (
  <html
    lang={language()}
    dir={directionOf(language())}
    data-copied={say('Copied')}
    data-not-copied={say('Copying isn’t allowed here: select the text instead')}
  >
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · ${look.name}`}</title>
      <link rel="icon" href={look.logo?.url ?? MARK_PATH} />
      <link rel="stylesheet" href={stylesheetPath(look.accentColor)} />
      <script type="module" src={SCRIPT_PATH} />
      {script ? <script type="module" src={script} /> : null}
    </head>
    {children}
  </html>
)

/** What the last action did. Good news leaves by itself where scripts run, the rest stays until it is closed. */
const Flash: FC<{ flash?: FlashMessage | undefined }> = ({ flash }) => (
  <div class="toasts" role={flash?.kind === 'bad' ? 'alert' : 'status'}>
    {flash ? (
      <div class={`toast ${flash.kind}`} data-toast={flash.kind} data-page={flash.undo?.pageAddress}>
        <Icon name={flash.kind === 'good' ? 'check' : 'alert'} />
        <p>{flash.text}</p>
        {flash.undo ? (
          <ActButton action={flash.undo.action} name="undo" value={flash.undo.sealed}>
            {say('Undo')}
          </ActButton>
        ) : null}
        <button type="button" class="toast-close" aria-label={say('Close the message')}>
          <Icon name="close" />
        </button>
      </div>
    ) : null}
  </div>
)

const Navigation: FC<FrameProps> = ({ look, base, menu, current, who }) => (
  <nav class="side" id="menu" popover="auto" aria-label={say('Main')}>
    <div class="side-brand">
      <Brand look={look} href={base || '/'} />
    </div>
    <ul>
      {menu.map(({ segment, label, icon, group }, index) => (
        <>
          {group !== undefined && group !== menu[index - 1]?.group ? (
            <li class="side-group" aria-hidden="true">
              {group}
            </li>
          ) : null}
          <li>
            <a
              href={segment === '' ? base || '/' : `${base}/${segment}`}
              aria-current={segment === current ? 'page' : undefined}
            >
              <Icon name={icon} />
              {label}
            </a>
          </li>
        </>
      ))}
    </ul>
    <div class="side-who">
      <p>
        <b>{who.name}</b>
        <span dir="auto">{who.detail}</span>
      </p>
      <form method="post" action={`${base}/sign-out`}>
        <button type="submit" class="side-leave">
          <Icon name="leave" />
          {say('Sign out')}
        </button>
      </form>
    </div>
  </nav>
)

const Brand: FC<{ look: Look; href?: string | undefined }> = ({ look: { logo, name }, href }) => {
  // A wide logo has the name in it, a square one is a mark beside it.
  const isWide = logo !== undefined && logo.width >= logo.height * 2
  const Tag = href === undefined ? 'span' : 'a'
  return (
    <Tag class="brand" href={href}>
      {logo ? (
        <img class="logo" src={logo.url} width={logo.width} height={logo.height} alt={isWide ? name : ''} />
      ) : (
        <span class="monogram" aria-hidden="true">
          {[...name.trim()][0]?.toUpperCase()}
        </span>
      )}
      {isWide ? null : <span class="brand-name">{name}</span>}
    </Tag>
  )
}
