import type { MiddlewareHandler } from 'hono'
import { newId } from '../../src/ids.ts'
import type { DoorEnv } from './door-env.ts'

/** What a request id of the caller's own may look like: nothing that could end a log line or a header. */
const GIVEN_ID = /^[\w.-]{1,64}$/

/** The caller's own id if it is well-formed, else a new one. */
export const requestIdFrom = (given: string | null | undefined): string =>
  given && GIVEN_ID.test(given) ? given : newId('req')

/**
 * Names the request, and says so on the answer: `X-Request-Id`. The other headers that every answer carries are set
 * here too.
 *
 * @example
 * app.use(requestId())
 */
export function requestId(): MiddlewareHandler<DoorEnv> {
  return async function requestId(c, next) {
    const id = requestIdFrom(c.req.header('x-request-id'))
    c.set('requestId', id)
    await next()
    // On the finished answer: a door may have made it without the context.
    const { headers } = c.res
    headers.set('X-Request-Id', id)
    headers.set('X-Content-Type-Options', 'nosniff')
    // What a key may see is for nobody's cache; documents that are for everyone say so themselves.
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  }
}
