import type { MiddlewareHandler } from 'hono'
import { newId } from '../../src/ids.ts'
import { presetHeader } from './preset-header.ts'
import type { RequestEnv } from './request-env.ts'

/** What a request id of the caller's own may look like: nothing that could end a log line or a header. */
const GIVEN_ID = /^[\w.-]{1,64}$/

/** Names the request, and says so on the answer; the other headers that every answer carries are set here too. */
export const requestId: MiddlewareHandler<RequestEnv> = (c, next) => {
  const given = c.req.header('x-request-id')
  const id = given && GIVEN_ID.test(given) ? given : newId('req')
  c.set('requestId', id)
  presetHeader(c, 'X-Request-Id', id)
  presetHeader(c, 'X-Content-Type-Options', 'nosniff')
  // What a key may see is for nobody's cache; documents that are for everyone say so themselves.
  presetHeader(c, 'Cache-Control', 'no-store')
  return next()
}
