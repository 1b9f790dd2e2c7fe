// Between a customer's fields and what a form holds: texts. A form only changes what was changed in it, so that a page
// which was opened before somebody else saved doesn't bring old values back.
import { createHash } from 'node:crypto'
import type { Form } from '../forms.ts'
import type { ShownCustomer } from './customer-page.tsx'
import type { Control, Detail, DetailGroup } from './detail-groups.ts'

/** What the form shows of the field; several texts for boxes to choose from. */
export function shownValues(customer: ShownCustomer, { name, control }: Detail): string[] {
  const value = customer[name]
  if (Array.isArray(value) && isChoice(control)) return value.toSorted()
  if (control.kind === 'switch') return value === true ? ['true'] : []
  const text = withoutReturns(Array.isArray(value) ? value.join('\n') : String(value ?? ''))
  return nonEmpty(control.kind === 'time' ? text.slice(0, MINUTES) : text)
}

/** `2026-01-31T12:30` */
const MINUTES = 16

/** What the form was made with, to tell afterwards what was changed in it. */
export function seenOf(customer: ShownCustomer, { details }: DetailGroup): string {
  return details.map((detail) => `${detail.name}.${digest(shownValues(customer, detail))}`).join(' ')
}

/** The changes that the form asks for. Without word of what it was made with, everything in it is one. */
export function changesOf(form: Form, { details }: DetailGroup): Record<string, unknown> {
  const seen = new Set(form.raw('seen').split(' '))
  const changed = details.filter((detail) => !seen.has(`${detail.name}.${digest(typedValues(form, detail))}`))
  return Object.fromEntries(changed.map((detail) => [detail.name, typed(form, detail)]))
}

function typedValues(form: Form, { name, control }: Detail): string[] {
  if (isChoice(control)) return form.all(name).toSorted()
  if (control.kind === 'switch') return form.flag(name) ? ['true'] : []
  return nonEmpty(withoutReturns(form.raw(name)))
}

const nonEmpty = (text: string): string[] => (text === '' ? [] : [text])

/** Browsers send the line breaks of a text as two characters. */
const withoutReturns = (text: string): string => text.replaceAll('\r\n', '\n')

/** What is empty clears the field; what a number or time can't be is left for the operation to refuse by name. */
function typed(form: Form, { name, control }: Detail): unknown {
  const text = withoutReturns(form.raw(name)).trim()
  switch (control.kind) {
    case 'switch':
      return form.flag(name)
    case 'apps':
    case 'creditPlans':
      return form.all(name)
    case 'lines':
      return text === '' ? null : linesOf(text)
    case 'answer':
      return text === '' ? null : text === 'true'
    case 'amount':
    case 'count':
      return text === '' ? null : numberOf(text)
    case 'time':
      return text === '' ? null : instantOf(text)
    default:
      return REQUIRED_TEXTS.has(name) || text !== '' ? text : null
  }
}

/** Texts that a customer always has, be they empty: null means nothing to them. */
const REQUIRED_TEXTS: ReadonlySet<string> = new Set(['email', 'billingType', 'deploymentStatus'])

const isChoice = ({ kind }: Control): boolean => kind === 'apps' || kind === 'creditPlans'

/** The lines with something in them. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The number, or the text where it is none. */
export const numberOf = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text))

/** A browser's date and time has no zone; the form says that it is UTC. */
const instantOf = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text)
    ? `${text.length === MINUTES ? `${text}:00` : text}Z`
    : text

const DIGEST_LENGTH = 16

const digest = (values: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, DIGEST_LENGTH)
