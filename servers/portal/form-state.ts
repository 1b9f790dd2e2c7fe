import type { Context } from 'hono'
import { type ErrorCode, type ErrorStatus, ServiceError, statusOf } from '../../src/errors.ts'
import type { PageEnv } from './env.ts'
import { noteRefusal } from './errors.tsx'
import { type Form, isJson } from './forms.ts'
import { calledBy, messageInWords, portalWords, type Told } from './refusal-words.ts'

/** A form to show again: what was in it and, if it was refused, why, in its reader's words. */
export interface FormState {
  values: Form['values']
  /** As it was sent. */
  form?: Form
  refusal?: Refusal | undefined
}

export interface Refusal extends Told {
  status: ErrorStatus
}

/** Refusals that belong to the whole page and not to its form: of every page, and of a portal's. */
const OF_THE_PAGE: ReadonlySet<ErrorCode> = new Set(['customer_not_found', 'not_found', 'missing_scope'])
const OF_A_PORTAL_PAGE: ReadonlySet<ErrorCode> = new Set([
  ...OF_THE_PAGE,
  'mind_not_found',
  'memory_not_found',
  'team_member_not_found',
  'token_not_found',
  'memory_not_enabled',
  'partner_inactive'
])

/** @throws the error itself when it is for the whole page to say, no refusal, or answers a client that sent JSON */
export function refusalOf(c: Context<PageEnv>, error: unknown): Refusal {
  const isInPortal = c.get('visitor') !== undefined
  const ofThePage = isInPortal ? OF_A_PORTAL_PAGE : OF_THE_PAGE
  if (!(error instanceof ServiceError) || isJson(c) || ofThePage.has(error.code)) throw error
  noteRefusal(c, error)
  const { code, message, field, isSaid } = error
  const refusal = { status: statusOf(code), code, message, isSaid, ...(field ? { field } : {}) }
  const words = isInPortal ? portalWords(refusal, c.get('portal').look.name) : messageInWords(refusal)
  return { ...refusal, message: words }
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
