// Answers a call that asked for progress as a stream of events: how long it has taken so far, then the result.
import type { ProgressToken } from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { membersOf, type RpcRequest } from './json-rpc.ts'
import { type Reply, textOf } from './methods.ts'

/** What the request calls its progress, if it wants to hear of any and can read a stream. */
export function progressTokenOf({ method, params }: RpcRequest, accept: string): ProgressToken | undefined {
  if (method !== 'tools/call' || !accept.includes('text/event-stream')) return undefined
  const { progressToken } = membersOf(params._meta)
  return typeof progressToken === 'string' || typeof progressToken === 'number' ? progressToken : undefined
}

/**
 * Streams a notification at once and every `intervalMs` until the reply is there, then the reply. Clients start their
 * timeout anew at each one. A client that hangs up hears no more; what it asked for is finished all the same.
 */
export function streamProgress(
  c: Context,
  { token, intervalMs }: { token: ProgressToken; intervalMs: number },
  reply: Promise<Reply>
): Response {
  c.header('X-Accel-Buffering', 'no')
  return streamSSE(c, async (stream) => {
    const startedAt = performance.now()
    let seconds = -1
    const report = async () => {
      // Each progress must be more than the last.
      seconds = Math.max(seconds + 1, Math.round((performance.now() - startedAt) / 1000))
      await stream.writeSSE({ event: 'message', data: progressBody(token, seconds) })
    }
    await report()
    const timer = setInterval(() => void report(), intervalMs)
    stream.onAbort(() => clearInterval(timer))
    const body = textOf(await reply)
    clearInterval(timer)
    await stream.writeSSE({ event: 'message', data: body })
  })
}

const progressBody = (progressToken: ProgressToken, seconds: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken, progress: seconds, message: `Working for ${seconds} s` }
  })
