import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { MiddlewareHandler } from 'hono'
import { tracer } from '../../src/trace.ts'
import { presetHeader } from './preset-header.ts'
import type { RequestEnv } from './request-env.ts'
import { routeOf } from './request-log.ts'

/** A span for each request, in the trace that its sender names (W3C `traceparent`), else in one of its own. */
export const requestTrace: MiddlewareHandler<RequestEnv> = (c, next) => {
  const sender = propagation.extract(ROOT_CONTEXT, { traceparent: c.req.header('traceparent') })
  return tracer().startActiveSpan(c.req.method, { kind: SpanKind.SERVER }, sender, async (span) => {
    presetHeader(c, 'X-Trace-Id', span.spanContext().traceId)
    await next()
    const route = routeOf(c)
    const { status } = c.res
    span.updateName(c.get('operation')?.name ?? `${c.req.method} ${route}`).setAttributes({
      'http.request.method': c.req.method,
      'http.route': route,
      'http.response.status_code': status,
      'mindgate.channel': c.get('channel'),
      'mindgate.partner_id': c.get('caller')?.partnerId,
      'mindgate.request_id': c.get('requestId'),
      'error.type': c.get('code')
    })
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
}
