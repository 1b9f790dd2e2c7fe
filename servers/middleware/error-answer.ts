// Any error → the partner API's envelope (§7), once for whatever speaks plain HTTP.
import type { Context } from 'hono'
import type { ErrorBody } from '../../schemas/envelope.ts'
import { type ErrorStatus, ServiceError, statusOf, toServiceError } from '../../src/errors.ts'
import { traceId } from '../../src/trace.ts'
import { presetHeader } from './preset-header.ts'
import type { RequestEnv } from './request-env.ts'

/** Answers `{success: false, error, code, field?, requestId}`, with the code's own status unless another is given. */
export function answerError(c: Context<RequestEnv>, error: unknown, status?: ErrorStatus | 405 | 414 | 431) {
  const refusal = toServiceError(error)
  const sentCredential =
    c.req.header('authorization') !== undefined || c.req.header('x-api-key') !== undefined
  explainRefusal(c, refusal, sentCredential, c.get('operation')?.scope)
  return c.json(errorBody(refusal, c.get('requestId')), status ?? statusOf(refusal.code))
}

/**
 * What the log line and the headers say of a refusal; of the credential that would do, by RFC 6750 §3.
 * @param sentCredential whether the request carried a key at all; one without is told no error code
 * @param resourceMetadata where one reads how to sign in, where that is possible
 */
export function explainRefusal(
  c: Context<RequestEnv>,
  { code, retryAfterSeconds }: ServiceError,
  sentCredential: boolean,
  scope?: string,
  resourceMetadata?: string
): void {
  c.set('code', code)
  const error = code === 'unauthorized' ? 'invalid_token' : 'insufficient_scope'
  // RFC 9728 §5.1: where a client reads how to sign in, and what it then asks for.
  const wanted = code === 'missing_scope' || resourceMetadata ? scope : undefined
  if (code === 'unauthorized' || code === 'missing_scope') {
    const parts = [
      'realm="mindgate"',
      code === 'missing_scope' || sentCredential ? `error="${error}"` : '',
      wanted ? `scope="${wanted}"` : '',
      resourceMetadata ? `resource_metadata="${resourceMetadata}"` : ''
    ]
    c.header('WWW-Authenticate', `Bearer ${parts.filter((part) => part !== '').join(', ')}`)
  }
  setRetryAfter(c, retryAfterSeconds)
}

export function setRetryAfter(c: Context, seconds: number | undefined): void {
  if (seconds !== undefined) presetHeader(c, 'Retry-After', String(Math.max(1, Math.ceil(seconds))))
}

export const errorBody = ({ message, code, field, facts }: ServiceError, requestId: string): ErrorBody => ({
  success: false,
  error: message,
  code,
  ...(field && { field }),
  ...facts,
  requestId,
  traceId: traceId()
})

/** A path or method that nothing answers. It is JSON as well: clients parse before they look at the status. */
export const routeNotFound = (): ServiceError =>
  new ServiceError(
    'not_found',
    'There is nothing at this path and method. GET /api/v1/mcp/reference lists all.'
  )
