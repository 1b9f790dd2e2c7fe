// One route with everything that its documentation says, for the OpenAPI document and the reference alike.
import { asSchema, itemsOf, type JsonSchema, mapParts, partsOf } from '../json-schema.ts'
import { type Components, resolve, type SchemaCollector } from './components.ts'
import { JSON_LINES } from './json-lines.ts'
import type { RestRoute } from './routes.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query'
  isRequired: boolean
  schema: JsonSchema
  description: string
  example: unknown
}

export const FILE_TYPE = 'application/gzip'

const FILE = {
  mediaType: FILE_TYPE,
  schema: { type: 'string', format: 'binary' } as JsonSchema,
  example: undefined
}

export type DocumentedRoute = ReturnType<typeof documentRoute>

/** Shared schemas gather in `schemas.components`. */
export function documentRoute(
  { operation, method, pathParameters, takesBody, takesFile }: RestRoute,
  schemas: SchemaCollector
) {
  const { lines, http } = operation
  const { components } = schemas
  const input = schemas.input(takesFile ? operation.input.omit({ file: true }) : operation.input)
  const fields = Object.fromEntries(partsOf(input.properties))
  const parameter = (name: string, place: Parameter['in']): Parameter => {
    const part = fields[name] ?? {}
    const { description = '', ...schema } = described(part)
    const isRequired = place === 'path' || input.required?.includes(name) === true
    return { name, in: place, isRequired, schema, description, example: part.example }
  }
  // The channel itself asks for page after page.
  const rest = Object.keys(fields).filter(
    (name) => !pathParameters.includes(name) && !(lines && name === 'cursor')
  )
  const answersFile = operation.file !== undefined && !takesFile
  const output = answersFile ? {} : schemas.output(operation.output)
  const answer = lines ? lineOf(output, lines, components) : withSuccess(output)
  return {
    operation,
    method,
    /** Relative to the API's prefix, parameters as `{name}`. */
    path: http?.path ?? '',
    parameters: [
      ...pathParameters.map((name) => parameter(name, 'path')),
      ...(takesBody ? [] : rest.map((name) => parameter(name, 'query')))
    ],
    body: takesFile
      ? { ...FILE, isRequired: true }
      : takesBody && rest.length > 0
        ? bodyOf(input, rest, http?.example, components)
        : undefined,
    /** Of JSON Lines each line is one such object. */
    answer: answersFile
      ? FILE
      : {
          mediaType: lines ? JSON_LINES : 'application/json',
          schema: described(answer),
          example: examplesOf(answer, components)
        }
  }
}

function bodyOf(
  input: JsonSchema,
  names: readonly string[],
  chosen: Record<string, unknown> | undefined,
  components: Components
) {
  const fields = partsOf(input.properties).filter(([name]) => names.includes(name))
  const required = (input.required ?? []).filter((name) => names.includes(name))
  const schema = { ...input, properties: Object.fromEntries(fields), required }
  return {
    mediaType: 'application/json',
    schema: described(schema),
    isRequired: required.length > 0,
    example: chosen ?? examplesOf(schema, components)
  }
}

function lineOf({ properties }: JsonSchema, list: string, components: Components): JsonSchema {
  const items = itemsOf(asSchema(properties?.[list] ?? {}))
  return resolve(items ?? {}, components)
}

/** §1: every success says so. */
const withSuccess = (output: JsonSchema): JsonSchema => ({
  ...output,
  properties: {
    success: { type: 'boolean', const: true, meaning: '`true` on every answer with status 200 or 202.' },
    ...output.properties
  },
  required: ['success', ...(output.required ?? [])]
})

/** The schema with what is said of each field as its description; components stay as they are. */
export function described({ meaning, example, ...schema }: JsonSchema): JsonSchema {
  const description = meaning ?? schema.description
  return { ...mapParts(schema, described), ...(description ? { description } : {}) }
}

const examplesOf = ({ properties }: JsonSchema, components: Components): Record<string, unknown> =>
  Object.fromEntries(partsOf(properties).map(([name, part]) => [name, exampleOf(part, components)]))

/** A value that fits the schema, made from the examples of its fields. */
function exampleOf(schema: JsonSchema, components: Components): unknown {
  const resolved = resolve(schema, components)
  if (resolved.type === 'null') return null
  if (schema.example !== undefined) return schema.example
  if (resolved.const !== undefined) return resolved.const
  if (resolved.properties) return examplesOf(resolved, components)
  const items = itemsOf(resolved)
  if (items) return [exampleOf(items, components)]
  return resolved.enum?.[0] ?? resolved.default ?? null
}
