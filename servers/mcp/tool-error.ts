// A refused call is a result that a model can read: status and code, what was wrong, and what to do next. HTTP stays
// 200, because clients take a 403 or 404 there for a lost login or session.
import type { Caller } from '../../src/caller.ts'
import { errorOf, type ServiceError } from '../../src/errors.ts'

export interface ToolError {
  /** The result's members as JSON, without the braces. */
  members: string
  meta: Readonly<Record<string, unknown>>
}

/** `"<status> <code>: <message>"` and the next step as text; the same in parts under `_meta["mindgate/error"]`. */
export function toolError(error: ServiceError, { customerId }: Caller): ToolError {
  const { code, message, field, retryAfterSeconds } = error
  const { status, nextStep, customerStep } = errorOf(code)
  const step = customerId === undefined ? nextStep : (customerStep ?? nextStep)
  const text = [`${status} ${code}: ${message}`, step].filter(Boolean).join(' ')
  return {
    members: `"content":${JSON.stringify([{ type: 'text', text }])},"isError":true`,
    meta: { 'mindgate/error': { status, code, message, field, retryAfterSeconds } }
  }
}
