// Between a customer's fields and what a form holds: texts. A form only changes what was changed in it, so that a page
// which was opened before somebody else saved doesn't bring old values back.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { UpdateCustomer } from '../../../schemas/customer.ts'
import { bare, kindOf } from '../../../schemas/fields.ts'
import { type Form, linesOf } from '../forms.ts'
import type { ShownCustomer } from './customer-page.tsx'
import type { DetailGroup, DetailName } from './detail-groups.ts'

export interface FormField {
  name: string
  schema: z.ZodType
}

export const fieldOf = (name: DetailName): FormField => ({ name, schema: UpdateCustomer.shape[name] })

/** What is longer is asked for in a box of several lines. */
const LONGEST_LINE = 254

/** How a form asks for a field: `answer` is yes, no or not said; `choice` is some of what there is, `option` one. */
export type Control =
  | 'line'
  | 'text'
  | 'lines'
  | 'amount'
  | 'count'
  | 'switch'
  | 'answer'
  | 'choice'
  | 'option'
  | 'time'

export function controlOf({ name, schema }: FormField): Control {
  const kind = kindOf(schema)
  if (kind === 'flag') return schema.isNullable() ? 'answer' : 'switch'
  if (bare(schema) instanceof z.ZodEnum) return 'option'
  if (kind === 'list') return name === 'allowedApps' || name === 'creditPlanIds' ? 'choice' : 'lines'
  return kind === 'text' && (maxLengthOf(schema) ?? 0) <= LONGEST_LINE ? 'line' : kind
}

export function maxLengthOf(schema: z.ZodType): number | undefined {
  const text = bare(schema)
  return (text instanceof z.ZodString && text.maxLength) || undefined
}

/** What the form shows of the field; several texts for boxes to choose from. */
export function shownValues(customer: ShownCustomer, name: DetailName): string[] {
  const value = customer[name]
  const control = controlOf(fieldOf(name))
  if (Array.isArray(value) && control === 'choice') return value.toSorted()
  if (control === 'switch') return value === true ? ['true'] : []
  const text = Array.isArray(value) ? value.join('\n') : String(value ?? '')
  // As the browser sends it back.
  return nonEmpty(control === 'time' ? text.slice(0, MINUTES) : text.replaceAll('\r\n', '\n'))
}

/** `2026-01-31T12:30` */
const MINUTES = 16

export const seenOf = (customer: ShownCustomer, fields: readonly DetailName[]): string =>
  fields.map((name) => `${name}.${digest(shownValues(customer, name))}`).join(' ')

/** The changes that the form asks for. Without word of what it was made with, everything in it is one. */
export function changesOf(form: Form, { fields }: DetailGroup): Record<string, unknown> {
  const seen = new Set(form.raw('seen').split(' '))
  const changed = fields.filter((name) => !seen.has(`${name}.${digest(typedValues(form, name))}`))
  return Object.fromEntries(changed.map((name) => [name, typedValue(form, fieldOf(name))]))
}

function typedValues(form: Form, name: DetailName): string[] {
  const control = controlOf(fieldOf(name))
  if (control === 'choice') return form.all(name).toSorted()
  if (control === 'switch') return form.flag(name) ? ['true'] : []
  return nonEmpty(linesOf(form, name))
}

const nonEmpty = (text: string): string[] => (text === '' ? [] : [text])

/** What is empty clears the field; what a number or time can't be is left for the operation to refuse by name. */
export function typedValue(form: Form, field: FormField, control = controlOf(field)): unknown {
  const text = linesOf(form, field.name).trim()
  if (control === 'switch') return form.flag(field.name)
  if (control === 'choice') return form.all(field.name)
  const isText = control === 'line' || control === 'text'
  if (text === '') return isText && !field.schema.isNullable() ? text : null
  switch (control) {
    case 'lines':
      return text.split('\n').flatMap((line) => line.trim() || [])
    case 'answer':
      return text === 'true'
    case 'amount':
    case 'count':
      return numberOf(text)
    case 'time':
      return instantOf(text)
    default:
      return text
  }
}

export const numberOf = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text))

/** A browser's date and time has no zone; the form says that it is UTC. */
const instantOf = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text)
    ? `${text.length === MINUTES ? `${text}:00` : text}Z`
    : text

const DIGEST_LENGTH = 16

const digest = (values: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, DIGEST_LENGTH)
