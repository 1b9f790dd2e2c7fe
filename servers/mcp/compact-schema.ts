// JSON Schema for a model's eyes: what zod writes, without what costs tokens or makes clients drop the tool.
import { z } from 'zod'

/** A JSON Schema, or any value inside one. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** A format's pattern is longer than the name of the format, and some clients refuse it. */
const MAX_PATTERN_LENGTH = 40

/** Only free texts come near a bound, and a refusal names the one that was passed: shorter ones aren't worth tokens. */
const LEAST_TELLING_LENGTH = 1_000
/** Amounts, counts and page numbers keep between these by themselves. */
const IDLE_MINIMUM = 1
const IDLE_MAXIMUM = 1_000_000

/**
 * The schema as one value without `$ref`, `$schema`, long patterns, and bounds that tell a model nothing. An input says
 * what it requires and that it refuses other keys; an output always has all of its keys, which goes without saying.
 * Each type is one word: what may be null is `anyOf` of two schemas, because clients that map schemas to a dialect
 * without type unions drop the tool or the type. An input isn't said to take null, which would mean no more than to
 * leave it out.
 */
export function compactSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $defs, ...root } = z.toJSONSchema(schema, { io })
  return compact(root, { io, definitions: isObject($defs) ? $defs : {} })
}

interface Scope {
  io: 'input' | 'output'
  definitions: JsonSchema
}

function compact(node: JsonSchema, scope: Scope): JsonSchema {
  // What is said for people is longer than what a model needs.
  const { $schema, $ref, id, meaning, example, label, help, usual, ...keywords } = node
  if (typeof $ref === 'string') {
    return compact({ ...definition($ref, scope), ...keywords }, scope)
  }
  const kept = Object.entries(keywords).filter(([keyword, value]) => !isNoise(keyword, value, scope))
  const compacted = withoutTypeUnion(
    Object.fromEntries(kept.map(([keyword, value]) => [keyword, inside(keyword, value, scope)]))
  )
  return scope.io === 'input' ? withoutNull(compacted) : compacted
}

function withoutNull(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node
  if (!Array.isArray(anyOf)) return node
  const branches = anyOf.filter(isObject).filter(({ type }) => type !== 'null')
  return branches.length === 1 ? { ...branches[0], ...rest } : { ...rest, anyOf: branches }
}

/** A keyword for one type says nothing about another, so that each branch may keep them all; `null` needs none. */
function withoutTypeUnion(node: JsonSchema): JsonSchema {
  const { type, description, default: fallback, ...rest } = node
  if (!Array.isArray(type)) return node
  return {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    anyOf: type.map((single) => (single === 'null' ? { type: single } : { type: single, ...rest }))
  }
}

/** Keywords whose values are schemas by name, a list of schemas, or one schema; everything else is plain JSON. */
function inside(keyword: string, value: unknown, scope: Scope): unknown {
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, property]) => [
        name,
        isObject(property) ? compact(property, scope) : property
      ])
    )
  }
  if ((keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(value)) {
    return value.map((branch) => (isObject(branch) ? compact(branch, scope) : branch))
  }
  return keyword === 'items' && isObject(value) ? compact(value, scope) : value
}

function isNoise(keyword: string, value: unknown, { io }: Scope): boolean {
  switch (keyword) {
    case 'pattern':
      return typeof value === 'string' && value.length > MAX_PATTERN_LENGTH
    case 'minLength':
    case 'maxItems':
      return true
    case 'maxLength':
      return typeof value === 'number' && value < LEAST_TELLING_LENGTH
    case 'minimum':
      return typeof value === 'number' && value <= IDLE_MINIMUM
    case 'maximum':
      return typeof value === 'number' && value >= IDLE_MAXIMUM
    case 'format':
      return io === 'output'
    case 'required':
      return io === 'output'
    case 'additionalProperties':
      return io === 'output' && value === false
    default:
      return false
  }
}

function definition(ref: string, { definitions }: Scope): JsonSchema {
  const found = definitions[ref.replace('#/$defs/', '')]
  if (!isObject(found)) throw new Error(`A tool’s schema refers to ${ref}, which it doesn’t define`)
  return found
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
