// What changes on a page while it is open: server-sent events from what is looked up again and again.
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { ServiceError } from '../../src/errors.ts'
import type { PageEnv } from './env.ts'

const LOOK_EVERY_MS = 500
/** A browser asks again by itself. So a session that ended ends this, and a process that stops needn't wait for it. */
const STREAM_FOR_MS = 10_000
const ASK_AGAIN_AFTER_MS = 200

/** About one thing, in all tabs of all who may; each looks twice a second. */
const MOST_STREAMS = 30
const open = new Map<string, number>()

/**
 * Sends what `look` finds as `progress` whenever that is new, and as `end`, the last event, once it is over.
 * @param about id of what it tells of, which the caller may see
 * @throws ServiceError `rate_limited` where too many listen to it already
 */
export function streamChanges(
  c: Context<PageEnv>,
  about: string,
  look: () => Promise<{ data: string; isOver: boolean }>
): Response {
  const others = open.get(about) ?? 0
  if (others >= MOST_STREAMS)
    throw new ServiceError('rate_limited', 'Too many pages listen at once. Close some of them.', {
      retryAfterSeconds: STREAM_FOR_MS / 1_000
    })
  open.set(about, others + 1)
  const endsAt = performance.now() + STREAM_FOR_MS
  // Proxies would otherwise hold back what they think too little to send.
  c.header('X-Accel-Buffering', 'no')
  c.header('Cache-Control', 'no-store')
  return streamSSE(c, async (stream) => {
    try {
      for (let sent: string | undefined; !stream.aborted; ) {
        const { data, isOver } = await look()
        const event = isOver ? 'end' : 'progress'
        if (data !== sent || isOver) await stream.writeSSE({ event, data, retry: ASK_AGAIN_AFTER_MS })
        sent = data
        if (isOver || performance.now() > endsAt) return
        await stream.sleep(LOOK_EVERY_MS)
      }
    } finally {
      const left = (open.get(about) ?? 1) - 1
      if (left > 0) open.set(about, left)
      else open.delete(about)
    }
  })
}
