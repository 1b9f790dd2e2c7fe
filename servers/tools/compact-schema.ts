// JSON Schema for a model's eyes: what zod writes, without what costs tokens or makes clients drop the tool.
import { z } from 'zod'
import { asSchema, type JsonSchema, mapParts, partsOf } from '../json-schema.ts'

/**
 * The schema as one value without `$ref`, `$schema`, long patterns, and bounds that tell a model nothing. An input says
 * what it requires and that it refuses other keys; an output always has all of its keys, which goes without saying.
 * Each type is one word: what may be null is `anyOf` of two schemas, because clients that map schemas to a dialect
 * without type unions drop the tool or the type. An input isn't said to take null, which would mean no more than to
 * leave it out.
 */
export function compactSchema(schema: z.ZodObject, io: Io): JsonSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io })
  return compact(root, io, $defs)
}

type Io = 'input' | 'output'

function compact(node: JsonSchema, io: Io, definitions: Readonly<Record<string, JsonSchema>>): JsonSchema {
  // What is said for people is longer than what a model needs.
  const { $schema, $ref, id, meaning, example, label, help, usual, ...keywords } = node
  if ($ref !== undefined) {
    const definition = definitions[$ref.replace('#/$defs/', '')]
    if (!definition) throw new Error(`A tool’s schema refers to ${$ref}, which it doesn’t define`)
    return compact({ ...definition, ...keywords }, io, definitions)
  }
  const kept = Object.entries(keywords).filter(([keyword, value]) => !NOISE[keyword]?.(value, io))
  const compacted = withoutTypeUnion(
    mapParts(Object.fromEntries(kept), (part) => compact(part, io, definitions))
  )
  // A strict client takes an object without fields for one that may have any.
  const isEmpty = io === 'input' && compacted.properties && partsOf(compacted.properties).length === 0
  return io === 'input'
    ? { ...withoutNull(compacted), ...(isEmpty ? { additionalProperties: false } : {}) }
    : compacted
}

/** Keywords that are left out, and with which values. */
const NOISE: Readonly<Record<string, (value: unknown, io: Io) => boolean>> = {
  // Some clients refuse a long one, and a refusal says what is wrong.
  pattern: () => true,
  // Only free texts come near a bound, and a refusal names the one that was passed.
  minLength: () => true,
  maxLength: () => true,
  minItems: () => true,
  maxItems: () => true,
  // Amounts, counts and page numbers keep between these by themselves.
  minimum: (value) => Number(value) <= 1,
  maximum: (value) => Number(value) >= 10_000,
  // A list begins at its first page.
  default: (value) => value === 1,
  format: (_, io) => io === 'output',
  required: (_, io) => io === 'output',
  // Another name is refused with the nearest that there is.
  additionalProperties: (value) => value === false
}

function withoutNull(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node
  if (!anyOf) return node
  const branches = anyOf.map(asSchema).filter(({ type }) => type !== 'null')
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
