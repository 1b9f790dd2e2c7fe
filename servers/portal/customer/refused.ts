// What a page says when an operation refuses: in its reader's words, beside what was typed.
import type { ErrorCode } from '../../../src/errors.ts'
import { calledBy, type Refusal } from '../forms.ts'
import { refusalFor, type Visit } from '../visit.ts'

/** Refusals that belong to a whole page and not to its form. */
const OF_THE_PAGE: ReadonlySet<ErrorCode> = new Set([
  'not_found',
  'customer_not_found',
  'mind_not_found',
  'memory_not_found',
  'team_member_not_found',
  'token_not_found',
  'missing_scope',
  'memory_not_enabled',
  'partner_inactive'
])

/** `support` is whom to ask: the name that the portal goes by. */
type Words = Partial<Record<ErrorCode, (support: string) => string>>

const WORDS: Words = {
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

/** What the fields of a form are called, for refusals that name one. */
type Labels = Readonly<Record<string, string>>

/**
 * The refusal for a form of the portal to show, for `submitted`.
 *
 * @throws ServiceError what concerns the whole page, and every error that is no refusal
 */
export const refusedIn =
  (labels: Labels) =>
  (visit: Visit, error: unknown): Refusal => {
    const refusal = refusalFor(visit, error, OF_THE_PAGE)
    const { status, code, field = '' } = refusal
    const label = labels[field]
    const own = label === undefined ? refusal.message : calledBy(label, refusal)
    const message = WORDS[code]?.(visit.c.get('site').look.name) ?? own
    // What the form has no field for stands above it.
    return { status, code, message, ...(label === undefined ? {} : { field }) }
  }
