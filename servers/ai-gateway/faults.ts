// Any error → OpenAI's error shape, which is all that an agent's client understands.
import type { Context } from 'hono'
import { AiFault, faultBody } from '../../src/ai-gateway/embedded/fault.ts'
import type { ErrorCode, ServiceError } from '../../src/errors.ts'
import { statusOf, toServiceError } from '../error-status.ts'
import type { DoorEnv } from '../middleware/door-env.ts'

/** Answers an error with its status, `{error: {message, type, param, code}}` and the headers that go with it. */
export function answerFault(c: Context<DoorEnv>, error: unknown): Response {
  const fault = error instanceof AiFault ? error : refusalOf(c, toServiceError(error))
  const { status, retryAfterSeconds } = fault
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (status === 401) headers.set('WWW-Authenticate', 'Bearer realm="mindgate"')
  if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(Math.ceil(retryAfterSeconds)))
  return new Response(JSON.stringify(faultBody(fault)), { status, headers })
}

/** What OpenAI calls the same thing; its clients look at these. */
const OPENAI_CODES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
  invalid_input: 'invalid_request'
}

function refusalOf(c: Context<DoorEnv>, { code, message, retryAfterSeconds }: ServiceError): AiFault {
  c.set('code', code)
  return new AiFault(statusOf(code), OPENAI_CODES[code] ?? code, message, { retryAfterSeconds })
}
