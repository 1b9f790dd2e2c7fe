// What the SDK answered when the list of tools was asked for: whoever asks the same with the same scopes gets the same, and
// to make it anew takes ten times as long as to send it.
import { membersOf } from '../middleware/json-body.ts'
import { HEADERS, isPlainId } from './known-calls.ts'

/** Questions differ by the client that they name, as it likes; beyond that the oldest goes. */
const MAX_KEPT = 20
const MAX_LENGTH = 2_000

/** What stands behind the id, as bytes: to encode it anew would take longer than to copy it. */
const keptOf = new WeakMap<object, Map<string, Buffer>>()

/** @param message asks for the list @param list what the caller's scopes have listed: one object for all who have them */
export async function answerList(
  { headers }: Request,
  message: unknown,
  list: object,
  answer: () => Promise<Response>
): Promise<Response> {
  const { id, ...asked } = membersOf(message)
  if (!isPlainId(id)) return answer()
  const kept = keptOf.get(list) ?? new Map<string, Buffer>()
  keptOf.set(list, kept)
  const question = JSON.stringify([asked, HEADERS.map((name) => headers.get(name))])
  const result = kept.get(question)
  if (result) {
    const beginning = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`)
    const init = { headers: { 'Content-Type': 'application/json' } }
    return new Response(Buffer.concat([beginning, result]), init)
  }
  const response = await answer()
  if (response.status !== 200 || question.length > MAX_LENGTH) return response
  const text = await response.text()
  const { result: listed } = membersOf(JSON.parse(text))
  if (listed !== undefined) kept.set(question, Buffer.from(`${JSON.stringify(listed)}}`))
  const [oldest = ''] = kept.size > MAX_KEPT ? kept.keys() : []
  kept.delete(oldest)
  return new Response(text, response)
}
