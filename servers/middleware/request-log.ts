import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Log } from '../../src/log.ts'
import { countRequest } from '../request-figures.ts'
import type { RequestEnv } from './request-env.ts'

/** One line for each request: the route's pattern, never its path, no body and no header. */
export function requestLog(log: Log): MiddlewareHandler<RequestEnv> {
  return async function requestLog(c, next) {
    const startedAt = performance.now()
    await next()
    const { status } = c.res
    const caller = c.get('caller')
    const fields = {
      requestId: c.get('requestId'),
      method: c.req.method,
      route: routeOf(c),
      status,
      durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
      channel: c.get('channel'),
      operation: c.get('operation')?.name,
      code: c.get('code'),
      partnerId: caller?.partnerId,
      keyId: caller?.actor
    }
    countRequest(fields)
    if (status >= 500 && c.error) log.error('request failed', { ...fields, error: c.error })
    else if (PROBES.has(fields.route)) log.debug('request', fields)
    else log.info('request', fields)
  }
}

/** The pattern of its path. */
export const routeOf = (c: Context<RequestEnv>): string => c.get('route') ?? routePath(c, -1)

/** Asked every few seconds by an orchestrator; they would bury the rest. */
const PROBES = new Set(['/healthz', '/readyz'])
