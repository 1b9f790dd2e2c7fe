// A stream of server-sent events, passed on event by event: each as the bytes that came, as soon as it is complete.
import { z } from 'zod'
import { unusable } from './fault.ts'

/** A picture in one event is the most that there is. */
const MAX_EVENT_BYTES = 8 * 1_048_576

/**
 * The events of the stream, with the blank line that ends each; what the stream ends in the middle of comes last.
 *
 * @throws AiFault for an event of more than 8 MiB
 */
export async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    // An end can lie across two chunks; what was held before it has none.
    let from = Math.max(0, held.length - 2)
    held = Buffer.concat([held, chunk])
    for (let end = endOfEvent(held, from); end > 0; end = endOfEvent(held, from)) {
      yield held.subarray(0, end)
      held = held.subarray(end)
      from = 0
    }
    if (held.length > MAX_EVENT_BYTES) throw unusable()
  }
  if (held.length > 0) yield held
}

/** Where the first event that ends at or after `from` is over; -1 for none. */
function endOfEvent(bytes: Buffer, from: number): number {
  const ends = ['\n\n', '\n\r\n', '\r\r'].flatMap((blank) => {
    const at = bytes.indexOf(blank, from, 'latin1')
    return at < 0 ? [] : [at + blank.length]
  })
  return ends.length > 0 ? Math.min(...ends) : -1
}

const Chunk = z.looseObject({ choices: z.array(z.unknown()).optional(), usage: z.looseObject({}) })

/** The JSON of an event that tells of usage, whose `choices` are empty where it tells of nothing else. */
export function usageEvent(event: Buffer): z.output<typeof Chunk> | undefined {
  // Most events don't, or say `null`: they aren't worth parsing.
  if (!event.includes('"usage"') || event.includes('"usage":null')) return undefined
  const payload = event
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length))
    .join('\n')
  try {
    return Chunk.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
