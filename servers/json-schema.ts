// JSON Schema as zod writes it, and the one walk through what is inside of a schema.
import type { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema & { meaning?: string }

/** Parts of a schema, where JSON Schema would also allow `true` and `false`. */
export const partsOf = (properties: JsonSchema['properties'] = {}): [string, JsonSchema][] =>
  Object.entries(properties).map(([name, part]) => [name, asSchema(part)])

export const asSchema = (schema: JsonSchema | boolean): JsonSchema =>
  typeof schema === 'boolean' ? {} : schema

export function itemsOf({ items }: JsonSchema): JsonSchema | undefined {
  if (items === undefined || Array.isArray(items)) return undefined
  return asSchema(items)
}

/** The schema with `map` of each of its properties, its items and its branches in their place. */
export function mapParts(schema: JsonSchema, map: (part: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, anyOf, oneOf } = schema
  const items = itemsOf(schema)
  const inner: Record<string, unknown> = {
    ...(properties && {
      properties: Object.fromEntries(partsOf(properties).map(([name, part]) => [name, map(part)]))
    }),
    ...(items && { items: map(items) }),
    ...(anyOf && { anyOf: anyOf.map((branch) => map(asSchema(branch))) }),
    ...(oneOf && { oneOf: oneOf.map((branch) => map(asSchema(branch))) })
  }
  return { ...schema, ...inner }
}
