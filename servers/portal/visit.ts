// What every page does with the service: as who is signed in, and refused in words beside what was typed.
import type { Context } from 'hono'
import type { z } from 'zod'
import { type ErrorCode, ServiceError } from '../../src/errors.ts'
import type { AnyOperation } from '../../src/operation.ts'
import type { Service } from '../../src/service.ts'
import type { PageEnv } from './env.ts'
import { noteRefusal } from './errors.tsx'
import { type FlashMessage, flash } from './flash.ts'
import { calledBy, type Form, type Refusal, readForm, refusalOf } from './forms.ts'
import { perform } from './perform.ts'

/** One request to a page. */
export interface Visit {
  c: Context<PageEnv>
  service: Service
}

/**
 * Runs an operation as who is signed in, in a portal for the customer whose it is. `form` is the one that asked for it:
 * sent twice, it acts once.
 *
 * @throws ServiceError what the operation refuses with
 */
export async function run<Output extends z.ZodType>(
  { c, service }: Visit,
  operation: AnyOperation,
  output: Output,
  given: Record<string, unknown> = {},
  form?: Form
): Promise<z.output<Output>> {
  const { caller } = c.get('visitor') ?? c.get('consoleVisitor')
  const { customerId } = caller
  const input = customerId === undefined ? given : { ...given, customerId }
  const idempotencyKey = form?.raw('idempotencyKey') || undefined
  return perform(service, c, operation, { caller, input, output, idempotencyKey })
}

/** The same on the page of one customer, for that customer. */
export const runFor = <Output extends z.ZodType>(
  visited: Visit & { customer: { id: string } },
  operation: AnyOperation,
  output: Output,
  given: Record<string, unknown> = {},
  form?: Form
): Promise<z.output<Output>> =>
  run(visited, operation, output, { customerId: visited.customer.id, ...given }, form)

/** A form to show again: what was in it and, if it was refused, why. */
export interface Filled {
  values: Form['values']
  refusal?: Refusal | undefined
}

/** A form that was refused. */
export interface Tried extends Filled {
  refusal: Refusal
}

interface Submission {
  /** Acts, and answers with what came of it. */
  act(form: Form): Promise<Response>
  /** The page again, with the refusal and what was typed. */
  again(tried: Tried): Response | Promise<Response>
  maxBytes?: number | undefined
}

/**
 * Answers a form: with what came of it, or with its own page once more.
 *
 * @throws ServiceError what concerns the whole page, such as a customer that isn't there
 */
export async function submitted(
  visit: Visit,
  { act, again, maxBytes }: Submission,
  refusal = refusalFor
): Promise<Response> {
  const form = await readForm(visit.c, maxBytes === undefined ? {} : { maxBytes })
  try {
    return await act(form)
  } catch (error) {
    return again({ refusal: refusal(visit, error), values: form.values })
  }
}

/** Goes on to the page that shows the result; it says once what was done. */
export function done(
  { c, service }: Visit,
  path: string,
  text: string,
  kind: FlashMessage['kind'] = 'good'
): Response {
  flash(c, service, { kind, text })
  return c.redirect(path, 303)
}

/**
 * Does the work and goes back to the page that shows its result, where it is said what was done or why not. Where the
 * work takes that page away, `next` is where to go instead.
 *
 * @throws ServiceError what isn't there or isn't available for now; and every error that is no refusal
 */
export async function acted(
  visit: Visit,
  backTo: string,
  work: () => Promise<{ message: string }>,
  next = backTo
): Promise<Response> {
  try {
    return done(visit, next, (await work()).message)
  } catch (error) {
    const { status, code, message } = refusalFor(visit, error)
    // While nothing can be read or written, neither can the page be shown nor the wish be kept.
    if (status === 503 || (status === 404 && !OF_THE_PAST.has(code))) throw error
    return done(visit, backTo, message, 'bad')
  }
}

/** What a mail was about can have changed since: its list says so, and is still there. */
const OF_THE_PAST: ReadonlySet<ErrorCode> = new Set(['team_member_not_found'])

const OF_THE_PAGE: ReadonlySet<ErrorCode> = new Set(['customer_not_found', 'not_found'])

/**
 * The refusal for a form to show.
 *
 * @param ofThePage the codes that are for the whole page to say
 * @throws the error itself when it is for the whole page to say, or no refusal
 */
export function refusalFor({ c }: Visit, error: unknown, ofThePage = OF_THE_PAGE): Refusal {
  const refusal = refusalOf(error)
  if (ofThePage.has(refusal.code)) throw error
  if (error instanceof ServiceError) noteRefusal(c, error)
  return refusal
}

/** What was typed into a field, or what there was before. */
export function typed(tried: Filled | undefined, name: string, before = ''): string {
  if (!tried) return before
  const value = tried.values[name]
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '')
}

/** The same of boxes of one name. */
export function typedAll(
  tried: Filled | undefined,
  name: string,
  before: readonly string[] = []
): readonly string[] {
  if (!tried) return before
  const value = tried.values[name]
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

/** The refusal, if it is about that field, in the words of the form: “E-mail is not a valid e-mail address.” */
export function errorAt(tried: Filled | undefined, name: string, label: string): string | undefined {
  const refusal = tried?.refusal
  return refusal && isAbout(refusal, name) ? calledBy(label, refusal) : undefined
}

/** `basic.email` is about `email`, `languages.2` about `languages`. */
const isAbout = ({ field = '' }: Refusal, name: string): boolean => field.split('.').includes(name)

/** The refusal for above the form, unless one of the form's fields shows it. */
export function errorAbove(
  tried: Tried | undefined,
  names: readonly string[]
): { message: string } | undefined {
  if (!tried || names.some((name) => isAbout(tried.refusal, name))) return undefined
  return { message: tried.refusal.message }
}

interface Asked {
  name: string
  label: string
  value: string
  error: string | undefined
}

/** A field as a form shows it: with what was typed into it, or was there before, and what is wrong with that. */
export const asked = (tried: Filled | undefined, name: string, label: string, before = ''): Asked => ({
  name,
  label,
  value: typed(tried, name, before),
  error: errorAt(tried, name, label)
})
