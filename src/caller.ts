import { ALL_SCOPES, type AnyScope } from '../schemas/api-key.ts'
import { PARTNER_ROLES, type PartnerRole } from '../schemas/partner-user.ts'
import { ServiceError } from './errors.ts'

/**
 * A partner acting through one of its API keys or its console, one of its customers through a token of its own or its
 * portal, or whoever runs the service through the CLI.
 */
export interface Caller {
  /** For the operator, the partner that the call is about; '' when it is about none. */
  partnerId: string
  /** What the audit log names as the actor: the id of the API key, the customer's token, the connected app, or who is signed in. */
  actor: string
  /** Whose token or portal it is; the channels put it in the input's place. A partner has none. */
  customerId?: string
  scopes: ReadonlySet<AnyScope>
  /** Of somebody who is signed in to the console. */
  role?: PartnerRole
  /** Their address. */
  email?: string
  /** Of an app, what whoever connected it may give: what it lacks of that it may ask them for. */
  grantable?: ReadonlySet<AnyScope>
}

export const OPERATOR = 'operator'

/** Whoever runs the service may do everything, as any partner. */
export const operatorFor = (partnerId: string): Caller => ({
  partnerId,
  actor: OPERATOR,
  scopes: new Set(ALL_SCOPES)
})

/** Refuses a caller that lacks a scope. @throws ServiceError `missing_scope` (§7: 403) */
export function requireScope(caller: Caller, scope: AnyScope): void {
  if (caller.scopes.has(scope)) return
  if (caller.role) throw notInRole(caller.role)
  const credential = caller.customerId === undefined ? 'API key' : 'token'
  throw new ServiceError(
    'missing_scope',
    `This ${credential} lacks the scope ${scope}. Use one that has it, or ask the partner to mint one.`
  )
}

/** What the console says where a role doesn't reach. */
export const notInRole = (role: PartnerRole): ServiceError =>
  new ServiceError(
    'missing_scope',
    `Your role, ${PARTNER_ROLES[role].label}, doesn’t include this. Ask an owner or an admin of your team.`
  )

/**
 * Keeps a customer's own callers on that customer, whatever a channel put into the input.
 *
 * @throws ServiceError `customer_not_found` (§7: 404)
 */
export function requireOwnCustomer(caller: Caller, input: Record<string, unknown>): void {
  if (caller.customerId === undefined || input.customerId === caller.customerId) return
  throw new ServiceError('customer_not_found', 'There is no customer with this id.', { field: 'customerId' })
}
