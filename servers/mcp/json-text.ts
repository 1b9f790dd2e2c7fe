// Some models send an object as its JSON text. Where the schema expects an object or an array, such a text is read.
import { parseShaped } from '../../src/json-shape.ts'
import type { JsonSchema } from './compact-schema.ts'
import { isJsonObject } from './json-rpc.ts'

/** A call's arguments: an object, its JSON text, or nothing. `undefined` for anything else. */
export function readArguments(sent: unknown): Readonly<Record<string, unknown>> | undefined {
  if (sent === undefined) return {}
  const read = typeof sent === 'string' ? parsedAs(sent, { type: 'object' }) : sent
  return isJsonObject(read) ? read : undefined
}

/** The arguments with every text unpacked that stands where only an object or an array can. */
export function unpackProperties(
  value: Readonly<Record<string, unknown>>,
  { properties }: JsonSchema
): Readonly<Record<string, unknown>> {
  if (!isJsonObject(properties)) return value
  const unpacked: Record<string, unknown> = { ...value }
  for (const [name, property] of Object.entries(properties)) {
    if (isJsonObject(property) && Object.hasOwn(value, name)) {
      unpacked[name] = unpackJsonTexts(value[name], property)
    }
  }
  return unpacked
}

function unpackJsonTexts(value: unknown, property: JsonSchema): unknown {
  const schema = withoutNull(property)
  const unpacked = typeof value === 'string' ? parsedAs(value, schema) : value
  if (Array.isArray(unpacked)) {
    const { items } = schema
    return isJsonObject(items) ? unpacked.map((item) => unpackJsonTexts(item, items)) : unpacked
  }
  return isJsonObject(unpacked) ? unpackProperties(unpacked, schema) : unpacked
}

/** What stands beside `null` in an `anyOf` of the two. */
function withoutNull(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.anyOf)) return schema
  const branches = schema.anyOf.filter((branch) => isJsonObject(branch) && branch.type !== 'null')
  const [only, ...others] = branches.filter(isJsonObject)
  return only && others.length === 0 ? only : schema
}

function parsedAs(text: string, schema: JsonSchema): unknown {
  const types = [schema.type].flat()
  // A text that may be a text stays one.
  if (types.includes('string') || !(types.includes('object') || types.includes('array'))) return text
  try {
    const parsed: unknown = parseShaped(text)
    const type = Array.isArray(parsed) ? 'array' : isJsonObject(parsed) ? 'object' : undefined
    return type && types.includes(type) ? parsed : text
  } catch {
    return text
  }
}
