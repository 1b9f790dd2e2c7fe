import { ServiceError } from '../errors.ts'
import type { CustomerTable } from './table.ts'

/**
 * Keeps the tokens and agents of a blocked customer out for as long as it is blocked (§3 `suspended`).
 *
 * @throws ServiceError `access_closed` (§7: 403)
 */
export function refuseBlocked(credentialStatus: CustomerTable['credentialStatus']): void {
  if (credentialStatus !== 'suspended') return
  throw new ServiceError(
    'access_closed',
    'This customer’s access is blocked. Ask the provider to open it again.'
  )
}
