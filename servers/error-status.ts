// ServiceError → HTTP, once for every door (§7).
import { type ErrorCode, ServiceError } from '../src/errors.ts'

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503

const STATUS: Record<ErrorCode, ErrorStatus> = {
  invalid_input: 400,
  email_exists: 400,
  plan_not_found: 400,
  portal_access_missing: 400,
  team_limit_reached: 400,
  agent_mapped_elsewhere: 400,
  unauthorized: 401,
  partner_not_found: 403,
  partner_inactive: 403,
  missing_scope: 403,
  cross_site: 403,
  forbidden: 403,
  access_closed: 403,
  team_disabled: 403,
  api_access_disabled: 403,
  not_found: 404,
  link_ended: 404,
  customer_not_found: 404,
  instance_not_found: 404,
  instance_exists: 400,
  instance_unreachable: 400,
  host_key_mismatch: 400,
  deploy_in_progress: 409,
  reinstall_not_confirmed: 409,
  models_missing: 400,
  agent_not_found: 404,
  team_member_not_found: 404,
  token_not_found: 404,
  api_key_not_found: 404,
  provider_key_not_found: 404,
  mail_not_found: 404,
  mind_not_found: 404,
  memory_not_found: 404,
  memory_not_enabled: 403,
  insufficient_credits: 402,
  memory_rate_limited: 429,
  memory_unavailable: 503,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  provider_unavailable: 500,
  database_busy: 503,
  database_unavailable: 503,
  internal: 500
}

/** The HTTP status of a code (§7). */
export const statusOf = (code: ErrorCode): ErrorStatus => STATUS[code]

/** What a caller may see of any error: a ServiceError as it is, everything else as an internal error without details. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  return new ServiceError(
    'internal',
    'Something went wrong on our side. Quote the request id if it happens again.',
    {
      cause: error
    }
  )
}
