import type { Child, FC } from 'hono/jsx'
import { dateFormat, directionOf, language, localeOf, say } from '../../../src/language/say.ts'
import { relativeTime as relativeTo } from '../assets/relative-time.js'
import { CopyButton } from './copy.tsx'

const inUtc = (options: Intl.DateTimeFormatOptions) => dateFormat({ ...options, timeZone: 'UTC' })
const EXACT = inUtc({ dateStyle: 'long', timeStyle: 'short' })
export const DAY = inUtc({ day: 'numeric', month: 'short', year: 'numeric' })
export const SHORT_DAY = inUtc({ day: 'numeric', month: 'short' })
/** `2 Mar 2026, 00:05`, as the clocks of that zone show it. */
export const clockOf = (timeZone: string) => dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone })

/** A name as programs have it: `team_member` reads “Team member”. */
export const inWords = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

export const Nothing: FC = () => <span class="none">–</span>

/** How long ago, or in how long; the exact time on hover. Nothing known shows a dash. */
export const Time: FC<{ iso: string | null | undefined }> = ({ iso }) =>
  iso ? (
    <time datetime={iso} title={`${EXACT(iso)} UTC`}>
      {relativeTime(iso, new Date())}
    </time>
  ) : (
    <Nothing />
  )

/** “2 hours ago”; a date when it is more than a month away. The browser's script tells it in the same words. */
export const relativeTime = (iso: string, now: Date): string =>
  relativeTo((Date.parse(iso) - now.getTime()) / 1_000, language()) ?? DAY(iso)

/** `1,234.5`, to the millionth. */
export function decimal(amount: number, options: Intl.NumberFormatOptions = {}): string {
  const text = amount.toLocaleString(localeOf(language()), { maximumFractionDigits: 6, ...options })
  // Sign and currency stay where they are, whatever stands around.
  return directionOf(language()) === 'ltr' ? text : `\u2066${text.replaceAll('\u200f', '')}\u2069`
}

/** `€1,234.50`: with as many decimals as the currency has, or that many. */
export const roundedMoney = (amount: number, currency: string, decimals?: number): string =>
  decimal(amount, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals
  })

/** `€1,234.50`, and more decimals where there are, to the millionth. */
export const exactMoney = (amount: number, currency: string): string =>
  decimal(amount, { style: 'currency', currency })

export const creditsText = (count: number): string =>
  say('{count, plural, one {# credit} other {# credits}}', { count })

/** “1 member”, “3 members”: in the console, which speaks English. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${decimal(count)} ${count === 1 ? one : many}`

type Amount = number | null | undefined

export const Money: FC<{ amount: Amount; currency: string }> = ({ amount, currency }) =>
  typeof amount === 'number' ? <span class="number">{exactMoney(amount, currency)}</span> : <Nothing />

export const Credits: FC<{ amount: Amount }> = ({ amount }) =>
  typeof amount === 'number' ? <span class="number">{creditsText(amount)}</span> : <Nothing />

export const ShortId: FC<{ id: string }> = ({ id }) => (
  <span class="id">
    <code title={id}>{id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id}</code>
    <CopyButton text={id} label={say('Copy: {what}', { what: id })} />
  </span>
)

export interface State {
  tone: 'good' | 'warn' | 'bad' | 'neutral'
  label: string
}

/** A state in a word; the colour repeats what the word says. */
export const Badge: FC<{ tone: State['tone']; children?: Child }> = ({ tone, children }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

/** With what there is to say of it, such as since when. */
export const StateBadge: FC<State & { about?: Child }> = ({ tone, label, about }) => (
  <>
    <Badge tone={tone}>{label}</Badge>
    {about ? <span class="help"> {about}</span> : null}
  </>
)
