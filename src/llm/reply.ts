// What a model is told about the shape of its answer, and what is made of the text that it replies.
import { z } from 'zod'

/** Most of what a model is told about a reply that isn't usable, in characters. */
const MAX_COMPLAINT_LENGTH = 1_000

/** Rules for strings and lists that gateways with strict schemas refuse; our own check has them all the same. */
const UNKNOWN_THERE = [
  '$schema',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'default'
]

/**
 * The schema as strict gateways take it: of every object all keys are there, and no others. A key that may be missing
 * has to be nullable.
 */
export function shapeOf(schema: z.ZodType): Record<string, unknown> {
  const shape = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      for (const key of UNKNOWN_THERE) Reflect.deleteProperty(jsonSchema, key)
      if (jsonSchema.properties === undefined) return
      jsonSchema.required = Object.keys(jsonSchema.properties)
      jsonSchema.additionalProperties = false
    }
  })
  Reflect.deleteProperty(shape, '$schema')
  return { ...shape }
}

/** Tells the shape to a model whose gateway doesn't enforce it. */
export const askForShape = (name: string, shape: Record<string, unknown>): string =>
  `Answer with one JSON object called "${name}", and with nothing before or after it. Its JSON Schema:\n${JSON.stringify(shape)}`

/** The value, or what is wrong with the reply, for the model to read. */
export function readReply<T>(
  schema: z.ZodType<T>,
  reply: string
): { value: T; complaint?: undefined } | { complaint: string } {
  let json: unknown
  try {
    json = JSON.parse(unwrapped(reply))
  } catch {
    return { complaint: 'It is no JSON.' }
  }
  const { success, data, error } = schema.safeParse(json)
  if (success) return { value: data }
  return { complaint: z.prettifyError(error).slice(0, MAX_COMPLAINT_LENGTH) }
}

/** Without what some models put around it: their thinking, and a fence. */
function unwrapped(reply: string): string {
  const text = reply.trim().replace(/^<think>[\s\S]*?<\/think>\s*/, '')
  if (!(text.startsWith(FENCE) && text.endsWith(FENCE))) return text
  // By no single expression: of blanks behind a fence that never ends it would try every part.
  return text.slice(FENCE.length, -FENCE.length).replace(/^json/i, '')
}

const FENCE = '```'
