// What can go wrong, in the service's own words. Each door translates a code once into its protocol.

/** Every code that an operation or a door can answer with. */
export type ErrorCode =
  | 'invalid_input'
  | 'email_exists'
  | 'plan_not_found'
  | 'portal_access_missing'
  | 'team_limit_reached'
  | 'agent_mapped_elsewhere'
  | 'unauthorized'
  | 'partner_not_found'
  | 'partner_inactive'
  | 'missing_scope'
  | 'cross_site'
  | 'forbidden'
  | 'access_closed'
  | 'team_disabled'
  | 'api_access_disabled'
  | 'not_found'
  | 'link_ended'
  | 'customer_not_found'
  | 'instance_not_found'
  | 'instance_exists'
  | 'instance_unreachable'
  | 'host_key_mismatch'
  | 'deploy_in_progress'
  | 'reinstall_not_confirmed'
  | 'models_missing'
  | 'agent_not_found'
  | 'team_member_not_found'
  | 'token_not_found'
  | 'api_key_not_found'
  | 'provider_key_not_found'
  | 'mail_not_found'
  | 'mind_not_found'
  | 'memory_not_found'
  | 'memory_not_enabled'
  | 'insufficient_credits'
  | 'memory_rate_limited'
  | 'memory_unavailable'
  | 'idempotency_conflict'
  | 'idempotency_in_progress'
  | 'provider_unavailable'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'database_busy'
  | 'database_unavailable'
  | 'internal'

interface ErrorOptions {
  /** Path of the offending input, such as `basic.email`. */
  field?: string
  /** Seconds after which the same call may succeed. */
  retryAfterSeconds?: number
  cause?: unknown
}

/**
 * A refusal that the caller is meant to read. `message` is one or two plain sentences: what was wrong and what to
 * do; it never holds a secret, SQL or a stack.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.field = options.field
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
