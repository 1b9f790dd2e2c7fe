// zod → the JSON schemas of the OpenAPI document: shared components, and nothing that readers trip over.
import { z } from 'zod'
import { asSchema, type JsonSchema, mapParts } from '../json-schema.ts'

/** Shared schemas by name. */
export type Components = Record<string, JsonSchema>

const COMPONENTS = '#/components/schemas/'

/** Collects schemas; those with a `.meta({ id })` become components that the others point at. */
export type SchemaCollector = ReturnType<typeof createSchemaCollector>

export function createSchemaCollector() {
  const components: Components = {}
  const collect = (schema: z.ZodObject, io: 'input' | 'output'): JsonSchema => {
    const { $defs = {}, $schema: _, ...root } = z.toJSONSchema(schema, { io })
    for (const [name, definition] of Object.entries($defs)) {
      const component = tidy(definition, io)
      const before = components[name]
      if (before && JSON.stringify(before) !== JSON.stringify(component)) {
        throw new Error(`Two different schemas are called ${name}`)
      }
      components[name] = component
    }
    return resolve(tidy(root, io), components)
  }
  return {
    components,
    input: (schema: z.ZodObject) => collect(schema, 'input'),
    /** What we answer may gain fields without a new version, so it doesn't close its objects. */
    output: (schema: z.ZodObject) => collect(schema, 'output')
  }
}

/** The schema itself, or the component that it points at. */
export function resolve(schema: JsonSchema, components: Components): JsonSchema {
  const name = componentOf(schema)
  return (name && components[name]) || schema
}

export const componentOf = (schema: JsonSchema): string | undefined =>
  schema.$ref?.startsWith(COMPONENTS) ? schema.$ref.slice(COMPONENTS.length) : undefined

export const pointAt = (component: string): JsonSchema => ({ $ref: COMPONENTS + component })

function tidy(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const { pattern, minimum, maximum, additionalProperties, label, help, usual, ...tidied } = mergeNull(schema)
  if (tidied.$ref) tidied.$ref = tidied.$ref.replace('#/$defs/', COMPONENTS)
  // A format says it in a word; the pattern behind it is 250 characters long.
  if (pattern !== undefined && tidied.format === undefined) tidied.pattern = pattern
  if (minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER) tidied.minimum = minimum
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER) tidied.maximum = maximum
  if (additionalProperties !== undefined && io === 'input') tidied.additionalProperties = additionalProperties
  return mapParts(tidied, (part) => tidy(part, io))
}

/** `anyOf [X, null]` as X whose type may also be null, which generated clients understand better. */
function mergeNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const parts = anyOf?.map(asSchema) ?? []
  const [other] = parts.filter((part) => part.type !== 'null')
  if (parts.length !== 2 || !other || typeof other.type !== 'string') return { ...schema }
  const values = other.enum ? { enum: [...other.enum, null] } : {}
  const merged: Record<string, unknown> = { ...rest, ...other, type: [other.type, 'null'], ...values }
  return merged
}
