// Who asks, and the log line that tells of it, written by hand.
import { hash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

export const KeyRow = z.object({ id: z.string(), partnerId: z.string(), hash: z.string() })

/** Writes the log line of an answered request. */
export type Recorder = (
  request: Record<'route' | 'operation' | 'channel' | 'method', string>,
  key: z.output<typeof KeyRow>
) => void

export const bearerOf = (authorization: string | null | undefined): string =>
  (authorization ?? '').slice('Bearer '.length)

export function matching<Row extends { hash: string }>(row: Row, sent: string): Row {
  if (!timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash('sha256', sent)))) throw new Error('no')
  return row
}
