// A refusal as people read it: in their language, and with fields called as forms call them.
import { type ErrorCode, statusOf } from '../../src/errors.ts'
import { language, say, sayIfKnown, type Text } from '../../src/language/say.ts'
import { decimal } from './ui/values.tsx'

export interface Told {
  code: ErrorCode
  message: string
  /** The input that it is about; absent when it is about all of them. */
  field?: string | undefined
  /** Whether the message is in the reader's language already. */
  isSaid?: boolean
}

/** What a portal says instead; `support` is whom to ask: the name that the portal goes by. */
const PORTAL_WORDS = {
  insufficient_credits:
    'The credits are used up, so nothing was done and nothing was charged. Ask {support} for more.',
  memory_rate_limited: 'That was a lot within a minute. Wait a little and try again; nothing was charged.',
  memory_unavailable: 'The memory did not answer in time, and nothing was charged. Try again in a moment.',
  idempotency_in_progress: 'This was sent before and is still being worked on. Look again in a moment.',
  idempotency_conflict: 'This page was sent before with something else in it. Send it once more.',
  email_exists: 'Somebody with this e-mail address is in your team already.',
  team_limit_reached: 'Your team is full. Remove somebody first, or ask {support} for more places.',
  team_disabled: 'Teams are switched off for this account. Ask {support} about it.',
  api_access_disabled: 'Making tokens is switched off for this account. Ask {support} for one.'
} as const satisfies Partial<Record<ErrorCode, Text>>

const PORTAL_FIELDS = {
  name: 'The name',
  email: 'The e-mail address',
  role: 'The role',
  description: 'The description',
  content: 'What to remember',
  occurredAt: 'The day',
  question: 'The question',
  query: 'What to look for',
  author: 'The name',
  since: 'The first day',
  reasoningLevel: 'How far to look',
  scopes: 'The access',
  expiresAt: 'The end'
} as const satisfies Record<string, Text>

const isOf = <Table extends object>(table: Table, key: string): key is keyof Table & string =>
  Object.hasOwn(table, key)

/** The refusal of a form in a portal. */
export function portalWords(refusal: Told, support: string): string {
  const { code, field = '' } = refusal
  if (isOf(PORTAL_WORDS, code)) return say(PORTAL_WORDS[code], { support })
  if (!isOf(PORTAL_FIELDS, field)) return messageInWords(refusal)
  return language() === 'en'
    ? calledBy(PORTAL_FIELDS[field], refusal)
    : problemWith(say(PORTAL_FIELDS[field]), refusal)
}

/** Sentences about a field are put together by its schema, in English. Elsewhere these say as much. */
function problemWith(label: string, refusal: Told): string {
  const { message, field = '' } = refusal
  const problem = message.startsWith(`${field} `) ? message.slice(field.length + 1) : ''
  const most = /^must be at most (\d+) characters/.exec(problem)?.[1]
  if (most) return say('{label}: at most {count} characters.', { label, count: decimal(Number(most)) })
  if (/^(is required|must not be empty)/.test(problem))
    return say('{label}: this must be filled in.', { label })
  return ownWords(refusal) ?? say('{label}: this can’t be taken.', { label })
}

/** The message in the reader's language, where there is one. */
function ownWords({ message, isSaid }: Told): string | undefined {
  if (isSaid || language() === 'en') return message
  const known = sayIfKnown(message)
  return known === message ? undefined : known
}

/** The message with its field called as the form calls it: “features.trialDays must be …” reads “Trial days must be …”. */
export function calledBy(label: string, { message, field = '' }: Told): string {
  if (!message.startsWith(`${field} `)) return message
  // Complaints about other fields follow; one at a time is enough.
  const [own = ''] = message.split('; ')
  return `${label}${own.slice(field.length).replace(/\.?$/, '.')}`
}

/** The message itself where it is known in the reader's language, else what its kind means. */
export function messageInWords(refusal: Told): string {
  const own = ownWords(refusal)
  if (own !== undefined) return own
  const status = statusOf(refusal.code)
  if (status === 404) return say('This isn’t here, or no longer.')
  if (status === 429) return say('That was a lot at once. Wait a little and try again.')
  if (status === 503) return say('This isn’t available for the moment. Try again shortly.')
  if (status >= 500) return say('That is on our side. Try again in a moment.')
  return say('That can’t be done like this. Check what you entered, and try again.')
}

export function titleOf(code: ErrorCode): string {
  if (code === 'link_ended') return say('This has ended')
  const status = statusOf(code)
  if (status === 404) return say('Page not found')
  if (status === 429) return say('Too many tries')
  if (status === 503) return say('Not available for the moment')
  if (status >= 500) return say('Something went wrong')
  return say('That didn’t work')
}
