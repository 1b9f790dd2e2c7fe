// Compiled judges for the schemas that we publish.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** What doesn't fit, in words; an empty list for what does. */
export type Judge = (value: unknown) => string[]

const newAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  return ajv
}

/** Judges by the schema; a member that it doesn't name counts as a fault, so that no column leaks out unnoticed. */
export function judgeOf(schema: unknown): Judge {
  const validate = newAjv().compile(Object(closed(schema)))
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`
        )
}

/** The schema at a pointer of the document, with all that it points at. */
export const schemaIn = (document: Record<string, unknown>, schema: unknown): unknown => ({
  ...Object(schema),
  components: document.components
})

/** The schema with every object in it closed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]))
  return 'properties' in parts && typeof parts.properties === 'object' && !('$ref' in parts)
    ? { additionalProperties: false, ...parts }
    : parts
}
