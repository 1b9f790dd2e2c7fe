// The SDK judges a call by its headers, its envelope and which members it has, and builds a server and a transport for
// that: 150 of the 480 µs of a recall (measured). Of a call that differs from an earlier one in id and arguments alone it
// would say the same again.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { isJsonObject, membersOf } from '../middleware/json-body.ts'
import { IDEMPOTENCY_META_KEY } from './tool-call.ts'

/** Calls differ by the client that they name, as it likes; beyond that the oldest goes. */
const MAX_KNOWN = 200
const MAX_LENGTH = 2_000

/** What the SDK goes by, besides the message. */
export const HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept'] as const

/** Answers one call by its id and by what the tool answers. */
type Write = (id: string | number, result: CallToolResult) => string

/** A call of a tool whose answer is its result and nothing else: no stream and no question to the user. */
interface PlainCall {
  id: string | number
  name: string
  input: Readonly<Record<string, unknown>>
  meta: Readonly<Record<string, unknown>>
  shape: string
}

/** @returns what the message calls, if it is one whose verdict another can share */
export function plainCallOf({ headers }: Request, message: unknown): PlainCall | undefined {
  const { id, params, ...rest } = membersOf(message)
  const { arguments: input = {}, _meta: meta = {}, ...named } = membersOf(params)
  if (rest.method !== 'tools/call' || !isPlainId(id) || typeof named.name !== 'string') return undefined
  if (!isJsonObject(input) || !isJsonObject(meta) || meta.progressToken !== undefined) return undefined
  const { [IDEMPOTENCY_META_KEY]: _, ...envelope } = meta
  const sent = HEADERS.map((name) => headers.get(name))
  return { id, name: named.name, input, meta, shape: JSON.stringify([sent, rest, named, envelope]) }
}

export const isPlainId = (id: unknown): id is string | number =>
  typeof id === 'string' || Number.isSafeInteger(id)

/** How calls of each shape are answered, as the SDK answered the first. */
export function createKnownCalls() {
  const known = new Map<string, Write>()
  return {
    find: (shape: string): Write | undefined => known.get(shape),
    /** @param answered what the SDK made of the tool's own result */
    note(shape: string, own: CallToolResult, answered: unknown): void {
      const { result, ...rest } = membersOf(answered)
      if (!isJsonObject(result) || shape.length > MAX_LENGTH) return
      const added = without(result, own)
      const addedMeta = without(membersOf(result._meta), membersOf(own._meta))
      const hasMeta = Object.keys(addedMeta).length > 0
      known.set(shape, (id, { _meta, ...answer }) => {
        const meta = (hasMeta || _meta) && { _meta: { ..._meta, ...addedMeta } }
        return JSON.stringify({ result: { ...meta, ...answer, ...added }, ...rest, id })
      })
      const [oldest = ''] = known.size > MAX_KNOWN ? known.keys() : []
      known.delete(oldest)
    }
  }
}

const without = (record: Readonly<Record<string, unknown>>, others: object) =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => !Object.hasOwn(others, name) && name !== '_meta')
  )
