// What holds the parts of a page.
import type { Child, FC } from 'hono/jsx'

type Layout = FC<{ children?: Child }>

/** One below the other. */
export const Stack: Layout = ({ children }) => <div class="stack">{children}</div>

/** Beside each other, wrapping. */
export const Row: Layout = ({ children }) => <div class="row">{children}</div>

/** Columns of equal width, as many as fit. */
export const Grid: Layout = ({ children }) => <div class="grid">{children}</div>

/** Text to read, in lines of a readable length. */
export const Prose: Layout = ({ children }) => <div class="prose">{children}</div>

interface CardProps {
  title?: string | undefined
  description?: Child
  /** A button or link at the end of the title's line. */
  action?: Child
  tone?: 'danger' | undefined
  children?: Child
}

export const Card: FC<CardProps> = ({ title, description, action, tone, children }) => (
  <section class={tone === 'danger' ? 'card danger' : 'card'}>
    {title !== undefined || action ? (
      <header class="card-head">
        <div>
          {title === undefined ? null : <h2>{title}</h2>}
          {description ? <p>{description}</p> : null}
        </div>
        {action ? <div class="card-action">{action}</div> : null}
      </header>
    ) : null}
    {children}
  </section>
)

/** Terms with their values, side by side. */
export const DescriptionList: FC<{ items: readonly { term: string; value: Child }[] }> = ({ items }) => (
  <dl class="facts">
    {items.map(({ term, value }) => (
      <div>
        <dt>{term}</dt>
        <dd>{value === null || value === undefined || value === '' ? <span class="none">–</span> : value}</dd>
      </div>
    ))}
  </dl>
)

/** Says what would be here and how to get it. */
export const EmptyState: FC<{ title: string; action?: Child; children?: Child }> = ({
  title,
  action,
  children
}) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children ? <div class="empty-text">{children}</div> : null}
    {action ? <div class="empty-action">{action}</div> : null}
  </div>
)

/** Pages beside each other; `label` names what they are pages of. */
export const Tabs: FC<{
  label: string
  items: readonly { href: string; label: string; current: boolean }[]
}> = ({ label, items }) => (
  <nav class="tabs" aria-label={label}>
    <ul>
      {items.map((item) => (
        <li>
          <a href={item.href} aria-current={item.current ? 'page' : undefined}>
            {item.label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

export interface Figure {
  label: Child
  value: number
  /** Where what is counted is listed. */
  href: string
}

/** Numbers at a glance, each a link to what it counts. */
export const Figures: FC<{ label: string; figures: readonly Figure[] }> = ({ label, figures }) => (
  <ul class="figures" aria-label={label}>
    {figures.map((figure) => (
      <li>
        <a href={figure.href}>
          <b>{figure.value.toLocaleString('en')}</b> <span>{figure.label}</span>
        </a>
      </li>
    ))}
  </ul>
)
