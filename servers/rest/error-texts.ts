// What each code means, for the OpenAPI document and the reference.
import type { ErrorCode } from '../../src/errors.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { statusOf } from '../error-status.ts'

interface ErrorText {
  /** When it is answered, and what to do. */
  meaning: string
  /** A sentence as `error` would hold it. */
  example: string
  field?: string
}

const TEXTS: Record<ErrorCode, ErrorText> = {
  invalid_input: {
    meaning: 'A field is missing or doesn’t fit. `field` names the first one.',
    example: 'email is not a valid e-mail address.',
    field: 'email'
  },
  email_exists: {
    meaning: 'The e-mail address is already taken.',
    example: 'A customer with this e-mail address already exists.',
    field: 'email'
  },
  plan_not_found: {
    meaning: 'No plan of yours has that id.',
    example: 'There is no plan with this id.',
    field: 'planId'
  },
  portal_access_missing: {
    meaning: 'The customer has never had portal access. Enable it first.',
    example: 'This customer has no portal access yet. Enable it first.'
  },
  team_limit_reached: {
    meaning: 'The team is full. Remove a member or raise `maxTeamMembers`.',
    example: 'This customer’s team is full: maxTeamMembers is 5.'
  },
  agent_mapped_elsewhere: {
    meaning: 'Another customer holds the agent. Unmap it first.',
    example: 'This agent is mapped to another customer. Unmap it first.'
  },
  unauthorized: {
    meaning: 'The API key is missing, unknown, revoked or expired.',
    example: 'This API key is not valid. Send `Authorization: Bearer pkt_…`.'
  },
  partner_not_found: {
    meaning: 'The partner account behind the key is gone.',
    example: 'The partner account was not found.'
  },
  partner_inactive: {
    meaning: 'The partner account is inactive. Its operator can activate it.',
    example: 'The partner account is inactive.'
  },
  missing_scope: {
    meaning: 'The key lacks the scope that the operation needs.',
    example: 'This API key lacks the scope customers:write.'
  },
  cross_site: {
    meaning: 'A browser sent it from another site than this one.',
    example: 'This form was sent from another site. Open the page here and try again.'
  },
  forbidden: {
    meaning: 'It belongs to another customer.',
    example: 'This agent belongs to another customer.'
  },
  access_closed: {
    meaning: 'The portal is closed to its owner, or the customer is blocked, and its tokens with it.',
    example: 'Your access to this portal is closed.'
  },
  link_ended: {
    meaning: 'The link of a mail was used, replaced by a newer one, or ran out.',
    example: 'This link was used already, replaced by a newer one, or ran out.'
  },
  api_access_disabled: {
    meaning: 'Tokens of its own making are switched off for the customer (`enableApiAccess`).',
    example: 'Minting tokens is switched off for this customer. Ask your provider for one.'
  },
  team_disabled: {
    meaning: 'Team members are switched off for this customer (`enableTeamMembers`).',
    example: 'Team members are switched off for this customer (enableTeamMembers).'
  },
  not_found: { meaning: 'There is nothing at this path.', example: 'There is nothing at this path.' },
  customer_not_found: {
    meaning: 'No customer of yours has that id or short code.',
    example: 'You have no customer with this id.',
    field: 'customerId'
  },
  instance_not_found: {
    meaning: 'No instance of yours has that id.',
    example: 'You have no instance with this id.',
    field: 'instanceId'
  },
  instance_exists: {
    meaning: 'The same place on the same server is registered for another customer of yours.',
    example: 'This place is registered for another customer. Remove it there first.',
    field: 'host'
  },
  instance_unreachable: {
    meaning: 'The server can’t be reached over SSH, or doesn’t let us in. The text says which.',
    example: 'The server did not answer in time. Check that it runs and that its firewall lets SSH in.',
    field: 'host'
  },
  host_key_mismatch: {
    meaning: 'The server shows another host key than the one that is expected of it.',
    example: 'The server shows another host key than the one given.',
    field: 'hostKey'
  },
  deploy_in_progress: {
    meaning: 'A deploy is under way on the instance. Wait for its end.',
    example: 'A deploy is under way on this instance. Wait for its end.'
  },
  reinstall_not_confirmed: {
    meaning: 'The agent is deployed already. Send `confirmReinstall: true` to install it again.',
    example:
      'The agent on Front desk is running. Confirm that it shall be installed again (confirmReinstall).',
    field: 'confirmReinstall'
  },
  models_missing: {
    meaning: 'Your account is entitled to no AI model. Your operator can give it one.',
    example: 'Your account is entitled to no AI model yet. Ask your operator for one.'
  },
  agent_not_found: {
    meaning: 'No voice agent of yours has that id.',
    example: 'You have no voice agent with this id.',
    field: 'agentId'
  },
  token_not_found: {
    meaning: 'The customer has no token with that id that still works.',
    example: 'This customer has no token with this id that still works.',
    field: 'tokenId'
  },
  api_key_not_found: {
    meaning: 'You have no API key with that id that still works.',
    example: 'You have no API key with this id that still works.',
    field: 'keyId'
  },
  provider_key_not_found: {
    meaning: 'You have set no key for that voice-agent provider.',
    example: 'No key is set for this provider.',
    field: 'provider'
  },
  team_member_not_found: {
    meaning: 'The customer’s team has no member with that id.',
    example: 'This customer’s team has no member with this id.',
    field: 'teamMemberId'
  },
  mail_not_found: {
    meaning: 'No mail of yours has that id.',
    example: 'You have no mail with this id.'
  },
  mind_not_found: {
    meaning: 'The customer has no Mind with that id.',
    example: 'This customer has no Mind with this id.',
    field: 'mindId'
  },
  memory_not_found: {
    meaning: 'The Mind has no memory with that id.',
    example: 'This Mind has no memory with this id.',
    field: 'memoryId'
  },
  memory_not_enabled: {
    meaning: 'Memory is switched off for the partner or for this customer (`enableAiMemory`).',
    example: 'Memory is not enabled for this customer.'
  },
  insufficient_credits: {
    meaning: 'The partner or the customer has too few credits. Nothing was done and nothing was charged.',
    example: 'There are not enough credits for this.'
  },
  memory_rate_limited: {
    meaning: 'Too many calls to the memory of this customer. `Retry-After` says when to try again.',
    example: 'The memory of this customer is asked too often. Try again in 12 seconds.'
  },
  memory_unavailable: {
    meaning: 'The memory can’t be reached for now; recall still works. `Retry-After` says when to try again.',
    example: 'The memory is not available for the moment. Try again shortly.'
  },
  idempotency_conflict: {
    meaning: 'The idempotency key was used with another request. Send a new key for a new request.',
    example: 'This Idempotency-Key was already used with another request.',
    field: 'Idempotency-Key'
  },
  idempotency_in_progress: {
    meaning: 'The first request with this idempotency key is still running. Retry after `Retry-After`.',
    example: 'The first request with this Idempotency-Key is still running.',
    field: 'Idempotency-Key'
  },
  payload_too_large: {
    meaning: 'The body is larger than 1 MiB.',
    example: 'The body is larger than 1048576 bytes.'
  },
  unsupported_media_type: {
    meaning: 'The body is not JSON. Send `Content-Type: application/json`.',
    example: 'The body must be JSON. Send `Content-Type: application/json`.'
  },
  rate_limited: {
    meaning:
      'Too many requests, too much at once, or mails to one address in a day. Retry after `Retry-After` seconds; nothing was done.',
    example: 'Too many requests. Try again in 12 seconds.'
  },
  provider_unavailable: {
    meaning:
      'The voice-agent provider can’t be asked: it is down, slow, limits the account or refuses your key. The same for the AI gateway when a server is removed.',
    example: 'Voice-agent provider A did not answer in time. Try again later.'
  },
  database_busy: {
    meaning: 'The database was locked for too long. Retry after `Retry-After` seconds; nothing was changed.',
    example: 'The database is locked by another process. Try again shortly.'
  },
  database_unavailable: {
    meaning: 'The database is away. Retry after `Retry-After` seconds, with the same idempotency key.',
    example: 'The service is not available for the moment. Try again shortly.'
  },
  internal: {
    meaning: 'Something went wrong on our side. Quote the request id if it happens again.',
    example: 'Something went wrong on our side. Quote the request id if it happens again.'
  }
}

/** What a code means. */
export const errorText = (code: ErrorCode): ErrorText => TEXTS[code]

/** Every operation can refuse with these, whatever it does. */
const EVERYWHERE: readonly ErrorCode[] = [
  'invalid_input',
  'unauthorized',
  'partner_not_found',
  'partner_inactive',
  'missing_scope',
  'rate_limited',
  'database_busy',
  'database_unavailable',
  'internal'
]

/** The codes that an operation can answer over REST, without repetition. */
export function errorCodesOf({ errors, http }: AnyOperation): ErrorCode[] {
  const takesBody = http?.method === 'post' || http?.method === 'patch'
  const codes: ErrorCode[] = [
    ...EVERYWHERE,
    ...(takesBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(http?.method === 'post' ? (['idempotency_conflict', 'idempotency_in_progress'] as const) : []),
    ...errors
  ]
  return [...new Set(codes)]
}

/** Codes by their status, lowest first. */
export function codesByStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const status = statusOf(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}
