// §5, §9: `X-API-Key` still works, and its answers say that it is deprecated.
import type { MiddlewareHandler } from 'hono'
import { usesLegacyHeader } from '../middleware/authentication.ts'
import type { DoorEnv } from '../middleware/door-env.ts'
import { REST_PREFIX } from './routes.ts'

/** Since when the bearer header is the one to use: 2026-01-01 (RFC 9745). */
const DEPRECATION = `@${Date.UTC(2026, 0, 1) / 1000}`

/** Marks answers to the deprecated header and links to what replaces it. */
export function legacyKeyNotice(publicUrl: string | undefined): MiddlewareHandler<DoorEnv> {
  const link = `<${publicUrl ?? ''}${REST_PREFIX}/reference#authentication>; rel="deprecation"; type="text/html"`
  return function legacyKeyNotice(c, next) {
    if (usesLegacyHeader(c.req.raw.headers)) {
      c.header('Deprecation', DEPRECATION)
      c.header('Link', link)
    }
    return next()
  }
}
