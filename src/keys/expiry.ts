import { now } from '../clock.ts'
import { ServiceError } from '../errors.ts'

/**
 * Refuses a key or token that would be over before it begins.
 *
 * @throws ServiceError `invalid_input`
 */
export function refusePastExpiry(
  expiresAt: string | undefined,
  message = 'The end is in the past. Choose a time that is still to come.'
): void {
  if (expiresAt === undefined || new Date(expiresAt).toISOString() > now()) return
  throw new ServiceError('invalid_input', message, { field: 'expiresAt' })
}
