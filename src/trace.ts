// What a request or a job goes through, as spans: where an operator has traces collected (`servers/tracing.ts`), and else
// nothing. They carry names, ids of ours and codes, and no text of anybody's.
import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace
} from '@opentelemetry/api'

/** Whether a span is open here, and kept: where not, none of what belongs to one need be made. */
export const isTraced = (): boolean => trace.getActiveSpan()?.isRecording() ?? false

/** The id of the trace that is open here, kept or not. */
export const traceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId

/** The tracer of whoever is registered; without anybody its spans are nothing. */
export const tracer = () => trace.getTracer('mindgate')

/** The work, as a span of the trace that is open. */
export const inSpan = <T>(name: string, work: () => Promise<T>, attributes: Attributes = {}): Promise<T> =>
  isTraced() ? spanned(name, { attributes }, work) : work()

/** A request to somebody else's service; of its address the host alone is told. */
export const inCall = <T>(method: string, url: string, work: () => Promise<T>): Promise<T> => {
  if (!isTraced()) return work()
  const attributes = { 'server.address': new URL(url).host }
  return spanned(method, { attributes, kind: SpanKind.CLIENT }, work)
}

/** Work that nobody waits for, as a trace of its own. */
export const inOwnTrace = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  spanned(name, { root: true }, work)

/** What goes on after the request or job that began it. */
export const outsideTraces = <T>(work: () => T): T => context.with(ROOT_CONTEXT, work)

const spanned = <T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> =>
  tracer().startActiveSpan(name, options, (span) => ended(span, work))

async function ended<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', kindOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** Never its message, which may quote what somebody sent. */
function kindOf(error: unknown): string {
  const { fault, code, name } = Object(error)
  return String(fault ?? code ?? name ?? typeof error)
}
