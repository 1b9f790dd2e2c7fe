// What a refused caller is told about the credential that would do (RFC 6750 §3).
import type { Scope } from '../../schemas/api-key.ts'
import type { ServiceError } from '../../src/errors.ts'

const REALM = 'Bearer realm="mindgate"'

/**
 * The `WWW-Authenticate` header of a refusal, if it takes one.
 *
 * @param sentCredential whether the request carried a key at all; one without is told no error code
 * @param scope what the operation needs
 */
export function challengeFor(
  { code }: ServiceError,
  sentCredential: boolean,
  scope?: Scope
): string | undefined {
  if (code === 'unauthorized') return sentCredential ? `${REALM}, error="invalid_token"` : REALM
  if (code !== 'missing_scope') return undefined
  return `${REALM}, error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`
}
