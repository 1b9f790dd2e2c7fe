// Input as models write it, read by a tool's JSON Schema: what is meant beyond doubt is taken, and what isn't is refused with
// what would be.
import { invalidField } from '../../src/invalid-input.ts'
import { parseShaped } from '../../src/json-shape.ts'
import { asSchema, itemsOf, type JsonSchema } from '../json-schema.ts'
import { isJsonObject } from '../middleware/json-body.ts'

export type Input = Readonly<Record<string, unknown>>

/**
 * The input as the schema has it. Null is absent, "" of what is optional too; numbers and booleans in quotes are taken, a
 * date without a time is its beginning in UTC where an instant is wanted, one value stands for a list of it, and objects
 * and lists may come as their JSON text. A text that may be a text stays one.
 * @throws ServiceError `invalid_input` for a name that the schema doesn't have, with the nearest that it has
 */
export function readObject(sent: Input, schema: JsonSchema, path = ''): Input {
  const { properties = {}, required = [] } = schema
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
      const at = path === '' ? name : `${path}.${name}`
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (property === undefined) throw unknownField(at, name, Object.keys(properties))
      if (value === null || (value === '' && !required.includes(name))) return []
      return [[name, readValue(value, asSchema(property), at)]]
    })
  )
}

function readValue(value: unknown, schema: JsonSchema, path: string): unknown {
  const read = typeof value === 'string' ? readText(value, schema) : value
  const items = itemsOf(schema)
  if (items) {
    const list = Array.isArray(read) ? read : isOneOf(read) ? [read] : undefined
    return list ? list.map((item) => readValue(item, items, path)) : read
  }
  return isJsonObject(read) && schema.properties ? readObject(read, schema, path) : read
}

const isOneOf = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

const NUMBER = /^-?\d{1,15}(?:\.\d{1,10})?$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

function readText(text: string, { type, format, enum: values }: JsonSchema): unknown {
  const trimmed = text.trim()
  switch (type) {
    case 'integer':
    case 'number':
      return NUMBER.test(trimmed) ? Number(trimmed) : text
    case 'boolean': {
      const said = trimmed.toLowerCase()
      return said === 'true' || said === 'false' ? said === 'true' : text
    }
    case 'object':
    case 'array':
      return parsedAs(text, type)
  }
  if (format === 'date-time' && DAY.test(trimmed)) return `${trimmed}T00:00:00Z`
  const named = values?.find((value) => String(value).toLowerCase() === trimmed.toLowerCase())
  return named ?? text
}

/** The list or object that the text spells; the text itself where it spells no such. */
export function parsedAs(text: string, type: 'object' | 'array'): unknown {
  try {
    const parsed: unknown = parseShaped(text)
    return (type === 'array' ? Array.isArray(parsed) : isJsonObject(parsed)) ? parsed : text
  } catch {
    return text
  }
}

/** What the field at that path takes, in a few words; `undefined` where there is no such field. */
export function acceptedAt(schema: JsonSchema, path: string): string | undefined {
  const [name = '', ...rest] = path.split('.')
  const part = partOf(schema, name)
  if (!part) return undefined
  return rest.length === 0 ? acceptedBy(part) : acceptedAt(part, rest.join('.'))
}

function partOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  const { properties = {} } = schema
  const part = Object.hasOwn(properties, name) ? properties[name] : undefined
  return part === undefined ? itemsOf(schema) : asSchema(part)
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a timestamp such as 2026-01-31T08:00:00Z, or a day',
  email: 'an e-mail address such as ada@example.com'
}

function acceptedBy(schema: JsonSchema): string {
  const { type, format, enum: values, minimum, maximum, properties, description, anyOf } = schema
  const items = itemsOf(schema)
  if (values) return `one of ${values.join(', ')}`
  if (items) return `a list, each ${acceptedBy(items)}`
  if (properties) return `an object with ${Object.keys(properties).join(', ')}`
  if (anyOf) return anyOf.map((branch) => acceptedBy(asSchema(branch))).join(', or ')
  const kind =
    FORMATS[format ?? ''] ??
    `a ${type === 'string' ? 'text' : type === 'integer' ? 'whole number' : (type ?? 'value')}`
  const least = minimum === undefined ? '' : `, at least ${minimum}`
  const most = maximum === undefined || maximum > 1_000_000_000 ? '' : `, at most ${maximum}`
  return `${kind}${least}${most}${description ? ` (${description})` : ''}`
}

/** So many names are told of an object that has more. */
const MAX_TOLD = 20
/** Nobody misspells a longer name, and comparing takes its length squared. */
const MAX_NAME_LENGTH = 60

function unknownField(path: string, name: string, known: readonly string[]) {
  const nearest = nearestOf(name, known)
  const told = known.slice(0, MAX_TOLD).join(', ') + (known.length > MAX_TOLD ? ', …' : '')
  const instead = nearest
    ? `: did you mean ${nearest}?`
    : known.length > 0
      ? `: there are ${told}`
      : ': there are none'
  return invalidField(path.slice(0, 2 * MAX_NAME_LENGTH), `is not a field of this request${instead}`)
}

/** The known name that is written most like this one; `undefined` where none is. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined
  const wanted = plain(name)
  const rated = known.map((one) => ({ one, distance: distanceOf(wanted, plain(one)) }))
  const [best] = rated.sort((a, b) => a.distance - b.distance)
  return best && best.distance <= Math.max(1, wanted.length / 3) ? best.one : undefined
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Edits between both; that one is the beginning or the end of the other counts as one. */
function distanceOf(a: string, b: string): number {
  const isPart = (short: string, long: string) =>
    short.length >= 3 && (long.startsWith(short) || long.endsWith(short))
  if (a !== b && (isPart(a, b) || isPart(b, a))) return 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
