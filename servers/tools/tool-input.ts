// A call's arguments as its operation takes them.
import { invalidField, invalidInput } from '../../src/invalid-input.ts'
import { isJsonObject } from '../middleware/json-body.ts'
import { type Input, parsedAs, readObject } from './lenient-input.ts'
import type { Tool } from './tool.ts'

/** A call's arguments: an object, its JSON text, or nothing. `undefined` for anything else. */
export function readArguments(sent: unknown): Input | undefined {
  if (sent === undefined || sent === null) return {}
  const read = typeof sent === 'string' ? parsedAs(sent, 'object') : sent
  return isJsonObject(read) ? read : undefined
}

/**
 * The operation's input, read as models write it; what `clear` names is null, and `fixed` is what the credential decides.
 * @throws ServiceError `invalid_input` for what `clear` can't clear, for a name that there isn't, and for an input that isn't
 *   the caller's to say
 */
export function readToolInput({ inputSchema, clearing }: Tool, sent: Input, fixed: Input): Input {
  const decided = Object.keys(fixed).find((name) => Object.hasOwn(sent, name))
  if (decided !== undefined) throw invalidField(decided, 'is not a field of this request')
  const given = readObject(sent, inputSchema)
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
