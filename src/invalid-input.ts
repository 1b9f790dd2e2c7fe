// What a failed parse tells the caller: which field, what was wrong with it, never the value.
import type { z } from 'zod'
import { ServiceError } from './errors.ts'

/** At most so many complaints in one message; the first one names the field. */
const MAX_COMPLAINTS = 5

/** The refusal of an input that doesn't fit its schema (§7: 400); `subject` is what the whole input is called. */
export function invalidInput(error: z.ZodError, subject = 'The body'): ServiceError {
  const complaints = error.issues.flatMap(complaintsOf)
  const message = complaints
    .slice(0, MAX_COMPLAINTS)
    .map(({ field, problem }) => (field ? `${field} ${problem}` : `${subject} ${problem}`))
    .join('; ')
  const field = complaints[0]?.field
  return new ServiceError('invalid_input', `${message}.`, field ? { field } : {})
}

/** The refusal of one field (§7: 400), in a sentence that begins with its name. */
export const invalidField = (field: string, problem: string): ServiceError =>
  new ServiceError('invalid_input', `${field} ${problem}${problem.endsWith('?') ? '' : '.'}`, { field })

interface Complaint {
  field: string
  problem: string
}

function complaintsOf(issue: z.core.$ZodIssue): Complaint[] {
  const field = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: [field, key.slice(0, 100)].filter(Boolean).join('.'),
      problem: 'is not a field of this request'
    }))
  }
  return [{ field, problem: problemOf(issue) }]
}

function problemOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is required'
        : `must be ${withArticle(issue.expected)}`
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? 'must not be empty' : `is shorter than ${issue.minimum}`
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'invalid_format':
      // A pattern says what it wants in the schema's own words.
      if (issue.format === 'regex' && !issue.message.startsWith('Invalid')) return issue.message
      return `is not a valid ${FORMATS[issue.format] ?? 'value'}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    default:
      return issue.message.replace(/^Invalid input: ?/, '')
  }
}

const FORMATS: Record<string, string> = { datetime: 'ISO 8601 timestamp with a time zone' }

const UNITS: Record<string, string> = { string: ' characters', array: ' items' }
const unitOf = (origin: string): string => UNITS[origin] ?? ''

function withArticle(type: string): string {
  if (type === 'int') return 'an integer'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
