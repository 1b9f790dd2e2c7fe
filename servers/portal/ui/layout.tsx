import type { Child, FC } from 'hono/jsx'
import { say } from '../../../src/language/say.ts'
import { mayOpen, maySend } from '../rights.ts'
import { decimal, Nothing } from './values.tsx'

const box =
  (name: string): FC<{ children?: Child }> =>
  ({ children }) => <div class={name}>{children}</div>

export const Stack = box('stack')
export const Row = box('row')
export const Grid = box('grid')
/** Text to read, in lines of a readable length. */
export const Prose = box('prose')

export interface CardProps {
  id?: string | undefined
  title?: string | undefined
  description?: Child
  action?: Child
  tone?: 'danger' | undefined
  /** Where its form goes, if that is all of it: whoever may not send it has no use for the card. */
  sendsTo?: string | undefined
  children?: Child
}

export const Card: FC<CardProps> = ({ id, title, description, action, tone, sendsTo, children }) =>
  sendsTo === undefined || maySend(sendsTo) ? (
    <section id={id} class={tone === 'danger' ? 'card danger' : 'card'}>
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
  ) : null

export const DescriptionList: FC<{ items: readonly { term: string; value: Child }[] }> = ({ items }) => (
  <dl class="facts">
    {items.map(({ term, value }) => (
      <div>
        <dt>{term}</dt>
        <dd>{value === null || value === undefined || value === '' ? <Nothing /> : value}</dd>
      </div>
    ))}
  </dl>
)

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

export const Tabs: FC<{
  label: string
  items: readonly { href: string; label: string; current: boolean }[]
}> = ({ label, items }) => (
  <nav class="tabs" aria-label={label}>
    <ul>
      {items
        .filter(({ href }) => mayOpen(href))
        .map((item) => (
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
  /** A number, or an amount with its currency. */
  value: number | string
  href?: string
}

export const Figures: FC<{ label: string; figures: readonly Figure[] }> = ({ label, figures }) => (
  <ul class="figures" aria-label={label}>
    {figures.map(({ label: what, value, href }) => {
      const Tag = href === undefined ? 'div' : 'a'
      return (
        <li>
          <Tag href={href}>
            <b>{typeof value === 'number' ? decimal(value) : value}</b> <span>{what}</span>
          </Tag>
        </li>
      )
    })}
  </ul>
)

const STEP_STATES = {
  todo: 'to do',
  waiting: 'waiting',
  running: 'in progress',
  done: 'done',
  skipped: 'skipped',
  warned: 'done, with a warning',
  failed: 'failed'
} as const

type StepProps = { label: string; state: keyof typeof STEP_STATES; detail?: Child }

/** Steps in their order, each with its state in words too. */
export const StepList: FC<{ steps: readonly StepProps[] }> = ({ steps }) => (
  <ol class="steps">{steps.map(Step)}</ol>
)

export const Step = ({ label, state, detail }: StepProps) => (
  <li class={state} aria-current={state === 'running' ? 'step' : undefined}>
    <span class="step-label">
      {label} <span class="step-state">{say(STEP_STATES[state])}</span>
    </span>
    {detail === undefined ? null : <span class="step-detail">{detail}</span>}
  </li>
)
