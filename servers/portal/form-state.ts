import type { Context } from 'hono'
import { type ErrorCode, type ErrorStatus, ServiceError, statusOf } from '../../src/errors.ts'
import type { PageEnv } from './env.ts'
import { noteRefusal } from './errors.tsx'
import { type Form, isJson } from './forms.ts'

/** A form to show again: what was in it and, if it was refused, why, in its reader's words. */
export interface FormState {
  values: Form['values']
  refusal?: Refusal | undefined
}

export interface Refusal {
  status: ErrorStatus
  code: ErrorCode
  message: string
  /** The input that it is about; absent when it is about all of them. */
  field?: string
}

/** Refusals that belong to the whole page and not to its form: of every page, and of a portal's. */
const OF_THE_PAGE: ReadonlySet<ErrorCode> = new Set(['customer_not_found', 'not_found'])
const OF_A_PORTAL_PAGE: ReadonlySet<ErrorCode> = new Set([
  ...OF_THE_PAGE,
  'mind_not_found',
  'memory_not_found',
  'team_member_not_found',
  'token_not_found',
  'missing_scope',
  'memory_not_enabled',
  'partner_inactive'
])

/** @throws the error itself when it is for the whole page to say, no refusal, or answers a client that sent JSON */
export function refusalOf(c: Context<PageEnv>, error: unknown): Refusal {
  const isInPortal = c.get('visitor') !== undefined
  const ofThePage = isInPortal ? OF_A_PORTAL_PAGE : OF_THE_PAGE
  if (!(error instanceof ServiceError) || isJson(c) || ofThePage.has(error.code)) throw error
  noteRefusal(c, error)
  const { code, message, field } = error
  const refusal = { status: statusOf(code), code, message, ...(field ? { field } : {}) }
  return isInPortal ? { ...refusal, message: portalMessage(c, refusal) } : refusal
}

/** What a portal says instead; `support` is whom to ask: the name that the portal goes by. */
const PORTAL_WORDS: Partial<Record<ErrorCode, (support: string) => string>> = {
  insufficient_credits: (support) =>
    `The credits are used up, so nothing was done and nothing was charged. Ask ${support} for more.`,
  memory_rate_limited: () =>
    'That was a lot within a minute. Wait a little and try again; nothing was charged.',
  memory_unavailable: () =>
    'The memory did not answer in time, and nothing was charged. Try again in a moment.',
  idempotency_in_progress: () => 'This was sent before and is still being worked on. Look again in a moment.',
  idempotency_conflict: () => 'This page was sent before with something else in it. Send it once more.',
  email_exists: () => 'Somebody with this e-mail address is in your team already.',
  team_limit_reached: (support) =>
    `Your team is full. Remove somebody first, or ask ${support} for more places.`,
  team_disabled: (support) => `Teams are switched off for this account. Ask ${support} about it.`,
  api_access_disabled: (support) => `Making tokens is switched off for this account. Ask ${support} for one.`
}

const PORTAL_FIELDS: Readonly<Record<string, string>> = {
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
}

function portalMessage(c: Context<PageEnv>, refusal: Refusal): string {
  const label = PORTAL_FIELDS[refusal.field ?? '']
  const own = label === undefined ? refusal.message : calledBy(label, refusal)
  return PORTAL_WORDS[refusal.code]?.(c.get('portal').look.name) ?? own
}

/** The message with its field called as the form calls it: “features.trialDays must be …” reads “Trial days must be …”. */
function calledBy(label: string, { message, field = '' }: Refusal): string {
  if (!message.startsWith(`${field} `)) return message
  // Complaints about other fields follow; one at a time is enough.
  const [own = ''] = message.split('; ')
  return `${label}${own.slice(field.length).replace(/\.?$/, '.')}`
}

export function typed(state: FormState | undefined, name: string, before = ''): string {
  return typedAll(state, name, [before])[0] ?? ''
}

export const typedAll = (state: FormState | undefined, name: string, before: readonly string[]) =>
  state ? [state.values[name] ?? []].flat() : before

/** The refusal, if it is about that field, in the words of the form: “E-mail is not a valid e-mail address.” */
export function errorAt(state: FormState | undefined, name: string, label: string): string | undefined {
  const refusal = state?.refusal
  // `basic.email` is about `email`, `languages.2` about `languages`.
  return refusal?.field?.split('.').includes(name) ? calledBy(label, refusal) : undefined
}

/** A field as a form shows it: with what was typed into it, or was there before, and what is wrong with that. */
export const asked = (state: FormState | undefined, name: string, label: string, before = '') => ({
  name,
  label,
  value: typed(state, name, before),
  error: errorAt(state, name, label)
})
