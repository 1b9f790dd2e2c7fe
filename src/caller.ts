// Who is calling, and what that lets them do.
import type { Scope } from '../schemas/api-key.ts'
import { ServiceError } from './errors.ts'

/** A partner acting through one of its API keys, or one of its customers through a token of its own. */
export interface Caller {
  partnerId: string
  /** What the audit log names as the actor: the id of the API key or of the customer's token. */
  actor: string
  /** Whose token it is; the doors put it in the input's place. A partner's key has none. */
  customerId?: string
  scopes: ReadonlySet<Scope>
}

/**
 * Refuses a caller that lacks a scope.
 *
 * @throws ServiceError `missing_scope` (§7: 403)
 */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) return
  const credential = caller.customerId === undefined ? 'API key' : 'token'
  throw new ServiceError(
    'missing_scope',
    `This ${credential} lacks the scope ${scope}. Use one that has it, or ask the partner to mint one.`
  )
}
