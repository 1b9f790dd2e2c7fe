// Any error → the partner API's envelope (§7), once for whatever speaks plain HTTP.
import type { Context } from 'hono'
import type { z } from 'zod'
import type { ErrorBody } from '../../schemas/envelope.ts'
import { ServiceError, statusOf, toServiceError } from '../../src/errors.ts'
import { challengeFor } from './challenge.ts'
import type { RequestEnv } from './request-env.ts'

/** Answers an error with its status, `{success: false, error, code, field?, requestId}` and the headers that go with it. */
export function answerError(c: Context<RequestEnv>, error: unknown): Response {
  const refusal = toServiceError(error)
  c.set('code', refusal.code)
  const sentCredential =
    c.req.header('authorization') !== undefined || c.req.header('x-api-key') !== undefined
  const challenge = challengeFor(refusal, sentCredential, c.get('operation')?.scope)
  if (challenge) c.header('WWW-Authenticate', challenge)
  if (refusal.retryAfterSeconds !== undefined) {
    c.header('Retry-After', String(Math.max(1, Math.ceil(refusal.retryAfterSeconds))))
  }
  return c.json(errorBody(refusal, c.get('requestId')), statusOf(refusal.code))
}

/** The body of a refusal. */
export function errorBody(
  { message, code, field }: ServiceError,
  requestId: string
): z.infer<typeof ErrorBody> {
  return { success: false, error: message, code, ...(field ? { field } : {}), requestId }
}

/** A path or method that nothing answers. It is JSON as well: clients parse before they look at the status. */
export const routeNotFound = (): ServiceError =>
  new ServiceError(
    'not_found',
    'There is nothing at this path and method. GET /api/v1/mcp/reference lists all.'
  )
