import type { ErrorCode } from './openapi.ts'

/** What no answer of the API says: the client found it itself. */
type OwnCode = 'network' | 'timeout' | 'unexpected_answer' | 'webhook_not_verified'

interface Details {
  /** The HTTP status; none when no answer came. */
  status?: number | undefined
  /** Path of the input that was wrong, such as `basic.email`. */
  field?: string | undefined
  /** Why an agent failed, such as `model_refused`. */
  reason?: string | undefined
  /** Whether the agent may have begun with the message. */
  hasStarted?: boolean | undefined
  /** Only the wait is over: the same message with the same `idempotencyKey` waits on. */
  isRunning?: boolean | undefined
  /** Names the request in the service's logs. */
  requestId?: string | undefined
  /** In how many seconds the same call may succeed. */
  retryAfterSeconds?: number | undefined
  /** What the POST was sent with: with it the same call can be repeated, and is done once. */
  idempotencyKey?: string | undefined
}

/** Why a call failed. `message` is the API's own: what was wrong, and what to do next. It never has the key in it. */
export class MindgateError extends Error {
  override readonly name = 'MindgateError'
  /** Codes that a newer service may add are texts, too. */
  readonly code: ErrorCode | OwnCode | (string & {})
  readonly status: Details['status']
  readonly field: Details['field']
  readonly reason: Details['reason']
  readonly hasStarted: Details['hasStarted']
  readonly isRunning: Details['isRunning']
  readonly requestId: Details['requestId']
  readonly retryAfterSeconds: Details['retryAfterSeconds']
  readonly idempotencyKey: Details['idempotencyKey']

  constructor(code: MindgateError['code'], message: string, details: Details = {}, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.status = details.status
    this.field = details.field
    this.reason = details.reason
    this.hasStarted = details.hasStarted
    this.isRunning = details.isRunning
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
    this.idempotencyKey = details.idempotencyKey
  }
}

/** The connection can't be made, or broke. */
export function networkFault(error: unknown, idempotencyKey?: string): MindgateError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const text = cause instanceof Error ? cause.message : String(cause)
  return new MindgateError('network', `The connection failed: ${text}`, { idempotencyKey }, error)
}
