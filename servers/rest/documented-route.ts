// One route with everything that its documentation says, for the OpenAPI document and the reference alike.
import type { AnyOperation } from '../../src/operation.ts'
import { fieldText } from './field-texts.ts'
import { groupOf } from './groups.ts'
import { JSON_LINES } from './json-lines.ts'
import {
  asObject,
  asSchema,
  componentOf,
  itemsOf,
  type JsonSchema,
  type ObjectSchema,
  partsOf,
  resolve,
  type SchemaCollector
} from './json-schema.ts'
import type { RestRoute } from './routes.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query'
  isRequired: boolean
  schema: JsonSchema
  description: string
  example: unknown
}

export interface DocumentedRoute {
  operation: AnyOperation
  method: RestRoute['method']
  /** Relative to the API's prefix, parameters as `{name}`. */
  path: string
  parameters: Parameter[]
  /** What the body holds; absent where a route takes none. */
  body: { schema: ObjectSchema; isRequired: boolean; example: Record<string, unknown> } | undefined
  /** Of JSON Lines each line is one such object. */
  answer: { mediaType: string; schema: ObjectSchema; example: Record<string, unknown> }
}

/** Documents every route; their shared schemas gather in `schemas.components`. */
export const documentRoutes = (routes: readonly RestRoute[], schemas: SchemaCollector): DocumentedRoute[] =>
  routes.map((route) => documentRoute(route, schemas))

function documentRoute(route: RestRoute, schemas: SchemaCollector): DocumentedRoute {
  const { operation, method, pathParameters, takesBody } = route
  const { components } = schemas
  const input = schemas.input(operation.input)
  const context = [groupOf(operation).title, operation.name]
  const isInPath = (name: string) => pathParameters.includes(name)
  const parameter = (name: string, place: Parameter['in']): Parameter => {
    const schema = input.properties[name] ?? {}
    const { description = '', ...described } = describe(name, schema, [...context, place])
    const example = input.properties[name]?.example ?? fieldText(name, [...context, place])?.example
    const isRequired = place === 'path' || input.required.includes(name)
    return { name, in: place, isRequired, schema: described, description, example }
  }
  const { lines } = operation
  // The door itself asks for page after page.
  const rest = Object.keys(input.properties).filter((name) => !isInPath(name) && name !== lines?.cursor)
  const output = schemas.output(operation.output)
  const answer = lines ? lineOf(output, lines.items, components) : withSuccess(output)
  return {
    operation,
    method,
    path: operation.http?.path ?? '',
    parameters: [
      ...pathParameters.map((name) => parameter(name, 'path')),
      ...(takesBody ? [] : rest.map((name) => parameter(name, 'query')))
    ],
    body: takesBody && rest.length > 0 ? bodyOf(input, isInPath, context, components) : undefined,
    answer: {
      mediaType: lines ? JSON_LINES : 'application/json',
      schema: describeParts(answer, context),
      example: asRecord(exampleOf(answer, context, components))
    }
  }
}

function bodyOf(
  input: ObjectSchema,
  isInPath: (name: string) => boolean,
  context: readonly string[],
  components: Record<string, JsonSchema>
): NonNullable<DocumentedRoute['body']> {
  const properties = Object.fromEntries(Object.entries(input.properties).filter(([name]) => !isInPath(name)))
  const required = input.required.filter((name) => !isInPath(name))
  const schema = { ...input, properties, required }
  const chosen = fieldText('body', context)?.example
  return {
    schema: describeParts(schema, context),
    isRequired: required.length > 0,
    example: asRecord(chosen ?? exampleOf(schema, context, components))
  }
}

/** What one line holds: an item of the list that comes in pages. */
function lineOf(output: ObjectSchema, list: string, components: Record<string, JsonSchema>): ObjectSchema {
  const items = itemsOf(output.properties[list] ?? {})
  return asObject(resolve(items ?? {}, components))
}

/** §1: every success says so. */
const withSuccess = (output: ObjectSchema): ObjectSchema => ({
  ...output,
  properties: { success: { type: 'boolean', const: true }, ...output.properties },
  required: ['success', ...output.required]
})

/** The schema with a description on every field that has none of its own; components stay as they are. */
export function describeParts<Schema extends JsonSchema>(schema: Schema, parents: readonly string[]): Schema {
  const described = { ...schema }
  if (schema.properties) {
    Object.assign(described, {
      properties: Object.fromEntries(
        partsOf(schema.properties).map(([name, part]) => [name, describe(name, part, parents)])
      )
    })
  }
  const items = itemsOf(schema)
  if (items) Object.assign(described, { items: describeParts(items, parents) })
  return described
}

function describe(name: string, schema: JsonSchema, parents: readonly string[]): JsonSchema {
  // In a pointer, what stands beside `$ref` belongs to the place that points.
  const { meaning, example, ...plain } = schema
  const description = meaning ?? fieldText(name, parents)?.meaning ?? schema.description
  const inner = componentOf(plain) ? plain : describeParts(plain, [...parents, name])
  return description ? { ...inner, description } : inner
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

// Examples that fit their schemas, made from the texts of the fields.

type Components = Record<string, JsonSchema>

/** A value that fits the schema. `parents` are the names above it, for fields that mean different things. */
function exampleOf(schema: JsonSchema, parents: readonly string[], components: Components): unknown {
  const resolved = resolve(schema, components)
  const component = componentOf(schema)
  const inside = component ? [...parents, component] : parents
  if (resolved.const !== undefined) return resolved.const
  if (resolved.properties) {
    return Object.fromEntries(
      partsOf(resolved.properties).map(([name, part]) => [name, fieldExample(name, part, inside, components)])
    )
  }
  const items = itemsOf(resolved)
  if (items) return [exampleOf(items, inside, components)]
  return resolved.enum?.[0] ?? resolved.default ?? plainExample(resolved)
}

function fieldExample(
  name: string,
  schema: JsonSchema,
  parents: readonly string[],
  components: Components
): unknown {
  if (resolve(schema, components).type === 'null') return null
  const known = schema.example ?? fieldText(name, parents)?.example
  return known === undefined ? exampleOf(schema, [...parents, name], components) : known
}

function plainExample({ type, format, minimum, anyOf }: JsonSchema): unknown {
  const kind = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  if (format === 'date-time') return '2026-01-15T10:00:00.000Z'
  if (kind === 'integer' || kind === 'number') return minimum ?? 0
  if (kind === 'boolean') return true
  if (kind === 'array') return []
  if (kind === 'null' || (kind === undefined && anyOf === undefined)) return null
  return anyOf?.[0] ? plainExample(asSchema(anyOf[0])) : 'text'
}
