// The events of an answer that streams.
import { z } from 'zod'
import type { Cap } from '../../net/capped.ts'
import { unusable } from './fault.ts'

/** A picture in one event is the most that there is. */
export const EVENTS: Cap = { maxBytes: 8 * 1_048_576, refusal: unusable }

/** Whether it tells that no other one comes. */
export const isLast = (event: Buffer): boolean => /^data: ?\[DONE\]\s*$/.test(event.toString('utf8', 0, 32))

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
