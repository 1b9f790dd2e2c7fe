// What models and strict clients send as a tool's input, read as the operation takes it.
import { invalidField, invalidInput } from '../../src/invalid-input.ts'
import { parseShaped } from '../../src/json-shape.ts'
import { isJsonObject } from '../middleware/json-body.ts'
import type { Tool } from './tool.ts'

type Input = Readonly<Record<string, unknown>>

/** A call's arguments: an object, its JSON text, or nothing. `undefined` for anything else. */
export function readArguments(sent: unknown): Input | undefined {
  if (sent === undefined || sent === null) return {}
  const read = typeof sent === 'string' ? parsedAs(sent, { type: 'object' }) : sent
  return isJsonObject(read) ? read : undefined
}

/**
 * The operation's input: JSON texts are unpacked where only an object or a list can stand, null and "" of what is
 * optional are left out, what `clear` names is null, and `fixed` is what the credential decides.
 * @throws ServiceError `invalid_input` for what `clear` can't clear, and for an input that isn't the caller's to say
 */
export function readToolInput({ inputSchema, clearing }: Tool, sent: Input, fixed: Input): Input {
  const decided = Object.keys(fixed).find((name) => Object.hasOwn(sent, name))
  if (decided !== undefined) throw invalidField(decided, 'is not a field of this request')
  const given = readProperties(sent, inputSchema)
  return { ...(clearing ? cleared(given, clearing) : given), ...fixed }
}

/** Null for each field that `clear` names, as the operation takes it; a null of a strict client has been left out. */
function cleared({ clear, ...set }: Input, clearing: NonNullable<Tool['clearing']>): Input {
  const parsed = clearing.safeParse({ clear })
  if (!parsed.success) throw invalidInput(parsed.error)
  const names = parsed.data.clear ?? []
  const both = names.find((name) => Object.hasOwn(set, name))
  if (both !== undefined) throw invalidField(both, 'is both set and cleared')
  return { ...set, ...Object.fromEntries(names.map((name) => [name, null])) }
}

function readProperties(sent: Input, { properties, required }: Tool['inputSchema']): Input {
  if (!isJsonObject(properties)) return sent
  const isOptional = (name: string) => !(Array.isArray(required) && required.includes(name))
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!isJsonObject(property)) return [[name, value]]
      return isBlank(value) && isOptional(name) ? [] : [[name, readValue(value, property)]]
    })
  )
}

/** What strict clients send for an input that nobody gave. */
const isBlank = (value: unknown): boolean => value === null || value === ''

function readValue(value: unknown, schema: Tool['inputSchema']): unknown {
  const unpacked = typeof value === 'string' ? parsedAs(value, schema) : value
  if (Array.isArray(unpacked)) {
    const { items } = schema
    return isJsonObject(items) ? unpacked.map((item) => readValue(item, items)) : unpacked
  }
  return isJsonObject(unpacked) ? readProperties(unpacked, schema) : unpacked
}

/** Some models send an object as its JSON text. A text that may be a text stays one. */
function parsedAs(text: string, { type }: Tool['inputSchema']): unknown {
  if (type !== 'object' && type !== 'array') return text
  try {
    const parsed: unknown = parseShaped(text)
    return (type === 'array' ? Array.isArray(parsed) : isJsonObject(parsed)) ? parsed : text
  } catch {
    return text
  }
}
