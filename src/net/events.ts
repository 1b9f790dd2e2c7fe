// A stream of server-sent events, event by event: each as the bytes that came, as soon as it is complete.
import type { Cap } from './capped.ts'

/** The blank line behind an event, in each of the three ways to end a line. */
const BLANK = /\n\r?\n|\r\r/g

/**
 * Each with the blank line that ends it, an unfinished one last. Every byte is searched once, however small the pieces.
 * @throws the refusal of an event of more than `maxBytes`
 */
export async function* eventsOf(chunks: AsyncIterable<Uint8Array>, { maxBytes, refusal }: Cap) {
  let held: Buffer[] = []
  let heldBytes = 0
  // An end can lie across two chunks; what was held before these last bytes has none.
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    let from = 0
    for (const { index, 0: blank } of rest.toString('latin1').matchAll(BLANK)) {
      const end = index + blank.length
      yield Buffer.concat([...held, rest.subarray(from, end)])
      held = []
      heldBytes = 0
      from = end
    }
    const upTo = Math.max(from, rest.length - 2)
    held.push(rest.subarray(from, upTo))
    heldBytes += upTo - from
    rest = rest.subarray(upTo)
    if (heldBytes > maxBytes) throw refusal()
  }
  const last = Buffer.concat([...held, rest])
  if (last.length > 0) yield last
}
