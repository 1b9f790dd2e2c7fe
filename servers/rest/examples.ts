// Examples that fit their schemas, made from the texts of the fields.
import { fieldText } from './field-texts.ts'
import { asSchema, componentOf, itemsOf, type JsonSchema, partsOf, resolve } from './json-schema.ts'

type Components = Record<string, JsonSchema>

/** A value that fits the schema. `parents` are the names above it, for fields that mean different things. */
export function exampleOf(schema: JsonSchema, parents: readonly string[], components: Components): unknown {
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
  const known = fieldText(name, parents)?.example
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
