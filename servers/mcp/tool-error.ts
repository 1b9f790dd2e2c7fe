// A refused call is a result that a model can read: status and code, what was wrong, and what to do next. HTTP stays
// 200, because clients take a 403 or 404 there for a lost login or session.
import type { ErrorCode, ServiceError } from '../../src/errors.ts'
import { statusOf } from '../error-status.ts'

/** The next step by code, in sentences that name a gateway's own tools. */
export type NextSteps = Partial<Record<ErrorCode, string>>

const COMMON_STEPS: NextSteps = {
  invalid_input: 'Correct the arguments as the tool’s input schema says and call again.',
  idempotency_in_progress: 'Wait, then call again with the same key.',
  rate_limited: 'Wait, then call again.',
  database_busy: 'Wait a moment, then call again.',
  database_unavailable: 'Wait a moment, then call again; with the same key, if it had one.',
  internal: 'If it happens again, tell the user.'
}

export interface ToolError {
  /** The result's members as JSON, without the braces. */
  members: string
  meta: Readonly<Record<string, unknown>>
}

/** `"<status> <code>: <message>"` and the next step as text; the same in parts under `_meta["mindgate/error"]`. */
export function toolError(error: ServiceError, nextSteps: NextSteps): ToolError {
  const { code, message, field, retryAfterSeconds } = error
  const status = statusOf(code)
  const nextStep = nextSteps[code] ?? COMMON_STEPS[code]
  const text = [`${status} ${code}: ${message}`, nextStep].filter(Boolean).join(' ')
  return {
    members: `"content":${JSON.stringify([{ type: 'text', text }])},"isError":true`,
    meta: { 'mindgate/error': { status, code, message, field, retryAfterSeconds } }
  }
}
