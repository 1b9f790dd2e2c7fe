// Who is calling, and what that lets them do.
import type { Scope } from '../schemas/api-key.ts'
import { ServiceError } from './errors.ts'

/** A partner acting through one of its API keys. */
export interface Caller {
  partnerId: string
  /** What the audit log names as the actor: the API key's id. */
  actor: string
  scopes: ReadonlySet<Scope>
}

/**
 * Refuses a caller that lacks a scope.
 *
 * @throws ServiceError `missing_scope` (§7: 403)
 */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) return
  throw new ServiceError(
    'missing_scope',
    `This API key lacks the scope ${scope}. Use a key that has it, or ask the partner to mint one.`
  )
}
