import type { Child, FC } from 'hono/jsx'

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
