// What every page here does with the service: as who is signed in to the console, and refused in words.
import type { Context } from 'hono'
import type { z } from 'zod'
import { ServiceError } from '../../../src/errors.ts'
import type { AnyOperation } from '../../../src/operation.ts'
import type { Service } from '../../../src/service.ts'
import type { PageEnv } from '../env.ts'
import { noteRefusal } from '../errors.tsx'
import { flash } from '../flash.ts'
import { calledBy, type Form, type Refusal, readForm, refusalOf } from '../forms.ts'
import { perform } from '../perform.ts'

/** One request to a page here. */
export interface Visit {
  c: Context<PageEnv>
  service: Service
}

/**
 * Runs an operation as who is signed in. `form` is the one that asked for it: sent twice, it acts once.
 *
 * @throws ServiceError what the operation refuses with
 */
export async function run<Output extends z.ZodType>(
  { c, service }: Visit,
  operation: AnyOperation,
  output: Output,
  input: Record<string, unknown>,
  form?: Form
): Promise<z.output<Output>> {
  const { caller } = c.get('consoleVisitor')
  const idempotencyKey = form?.raw('idempotencyKey') || undefined
  return perform(service, c, operation, { caller, input, output, idempotencyKey })
}

/** A form that was refused: why, and what was in it. */
export interface Tried {
  refusal: Refusal
  values: Form['values']
}

interface Submission {
  /** Acts, and says what was done. */
  act(form: Form): Promise<string>
  /** The page that shows the result. */
  next: string
  /** The page again, with the refusal and what was typed. */
  again(tried: Tried): Promise<Response>
  maxBytes?: number
}

/**
 * Answers a form: with the page that shows the result, or with its own page once more.
 *
 * @throws ServiceError what concerns the whole page, such as a customer that isn't there
 */
export async function submitted(visit: Visit, { act, next, again, maxBytes }: Submission): Promise<Response> {
  const { c, service } = visit
  const form = await readForm(c, maxBytes === undefined ? {} : { maxBytes })
  try {
    flash(c, service, { kind: 'good', text: await act(form) })
  } catch (error) {
    return again({ refusal: refusalFor(visit, error), values: form.values })
  }
  return c.redirect(next, 303)
}

/**
 * The refusal for a form to show.
 *
 * @throws the error itself when it is for the whole page to say, or no refusal
 */
export function refusalFor({ c }: Visit, error: unknown): Refusal {
  const refusal = refusalOf(error)
  if (refusal.code === 'customer_not_found' || refusal.code === 'not_found') throw error
  if (error instanceof ServiceError) noteRefusal(c, error)
  return refusal
}

/** What was typed into a field, or what there was before. */
export function typed(tried: Tried | undefined, name: string, before = ''): string {
  if (!tried) return before
  const value = tried.values[name]
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '')
}

/** The same of boxes of one name. */
export function typedAll(
  tried: Tried | undefined,
  name: string,
  before: readonly string[] = []
): readonly string[] {
  if (!tried) return before
  const value = tried.values[name]
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

/** The refusal, if it is about that field, in the words of the form: “E-mail is not a valid e-mail address.” */
export function errorAt(tried: Tried | undefined, name: string, label: string): string | undefined {
  const refusal = tried?.refusal
  if (refusal?.field === undefined || !isAbout(refusal.field, name)) return undefined
  return calledBy(label, refusal)
}

/** `basic.email` is about `email`, `languages.2` about `languages`. */
const isAbout = (field: string, name: string): boolean => field.split('.').includes(name)

/** The refusal for above the form, unless one of the form's fields shows it. */
export function errorAbove(
  tried: Tried | undefined,
  names: readonly string[]
): { message: string } | undefined {
  const field = tried?.refusal.field
  if (!tried || (field !== undefined && names.some((name) => isAbout(field, name)))) return undefined
  return { message: tried.refusal.message }
}
