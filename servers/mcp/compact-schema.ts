// JSON Schema for a model's eyes: what zod writes, without what costs tokens or makes clients drop the tool.
import { z } from 'zod'

/** A JSON Schema, or any value inside one. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** A format's pattern is longer than the name of the format, and some clients refuse it. */
const MAX_PATTERN_LENGTH = 40

/**
 * The schema as one value without `$ref`, `$schema`, long patterns and the bounds of a safe integer. An input says
 * what it requires and that it refuses other keys; an output always has all of its keys, which goes without saying.
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
  const { $schema, $ref, id, ...keywords } = node
  if (typeof $ref === 'string') {
    return compact({ ...definition($ref, scope), ...keywords }, scope)
  }
  const kept = Object.entries(keywords).filter(([keyword, value]) => !isNoise(keyword, value, scope))
  const compacted = Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, inside(keyword, value, scope)])
  )
  return isObject(compacted) ? withoutNullBranch(compacted) : compacted
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
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER
    case 'required':
      return io === 'output'
    case 'additionalProperties':
      return io === 'output' && value === false
    default:
      return false
  }
}

/** `anyOf: [X, null]` as `type: [X’s type, "null"]`: half the tokens, and every client reads it. */
function withoutNullBranch(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return node
  const [branch, other] = anyOf
  if (!isObject(branch) || !isObject(other) || other.type !== 'null' || typeof branch.type !== 'string') {
    return node
  }
  const values = Array.isArray(branch.enum) ? { enum: [...branch.enum, null] } : {}
  return { ...branch, ...values, ...rest, type: [branch.type, 'null'] }
}

function definition(ref: string, { definitions }: Scope): JsonSchema {
  const found = definitions[ref.replace('#/$defs/', '')]
  if (!isObject(found)) throw new Error(`A tool’s schema refers to ${ref}, which it doesn’t define`)
  return found
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
