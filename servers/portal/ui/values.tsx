// Times, amounts, ids and states as people read them.
import type { Child, FC } from 'hono/jsx'
import { CopyButton } from './copy.tsx'

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
export const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC'
})
const EXACT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC'
})

/** How many seconds one has, and up to how many of them it is used. */
const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number, below: number][] = [
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 30]
]

/** How long ago, or in how long; the exact time on hover. Nothing known shows a dash. */
export const Time: FC<{ iso: string | null | undefined }> = ({ iso }) =>
  iso ? (
    <time datetime={iso} title={`${EXACT.format(new Date(iso))} UTC`}>
      {relativeTime(iso, new Date())}
    </time>
  ) : (
    <span class="none">–</span>
  )

/** “2 hours ago”; a date when it is more than a month away. The browser's script tells it in the same words. */
export function relativeTime(iso: string, now: Date): string {
  const seconds = (Date.parse(iso) - now.getTime()) / 1_000
  if (Math.abs(seconds) < 45) return seconds > 5 ? 'in a moment' : 'just now'
  for (const [unit, size, below] of UNITS) {
    const count = Math.round(seconds / size)
    if (Math.abs(count) < below) return RELATIVE.format(count, unit)
  }
  return DAY.format(new Date(iso))
}

/** An amount of money. Prices are in the partner's currency, which we aren't told: those are plain amounts. */
export const Money: FC<{ amount: number | null | undefined; currency?: string | undefined }> = ({
  amount,
  currency
}) =>
  typeof amount === 'number' ? (
    <span class="number">
      {amount.toLocaleString('en', {
        ...(currency === undefined ? {} : { style: 'currency', currency }),
        minimumFractionDigits: 2,
        maximumFractionDigits: 6
      })}
    </span>
  ) : (
    <span class="none">–</span>
  )

export const Credits: FC<{ amount: number | null | undefined }> = ({ amount }) =>
  typeof amount === 'number' ? (
    <span class="number">
      {amount.toLocaleString('en', { maximumFractionDigits: 6 })} {amount === 1 ? 'credit' : 'credits'}
    </span>
  ) : (
    <span class="none">–</span>
  )

/** An id, shortened; the whole one on hover and by its copy button. */
export const ShortId: FC<{ id: string }> = ({ id }) => (
  <span class="id">
    <code title={id}>{id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id}</code>
    <CopyButton text={id} label={`Copy ${id}`} />
  </span>
)

export type Tone = 'good' | 'warn' | 'bad' | 'neutral'

/** A state in a word; the colour repeats what the word says. */
export const Badge: FC<{ tone: Tone; children?: Child }> = ({ tone, children }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

/** What a state is called, and how it looks. */
export interface State {
  tone: Tone
  label: string
}

export const StateBadge: FC<State> = ({ tone, label }) => <Badge tone={tone}>{label}</Badge>
