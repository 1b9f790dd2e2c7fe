import { DAY_MS, now } from '../clock.ts'
import { ServiceError } from '../errors.ts'

/**
 * When a memory happened, in the tables' format: as it was told, or now. Clocks and time zones may be a day apart.
 *
 * @throws ServiceError `invalid_input` for what lies further ahead
 */
export function occurrence(told: string | undefined): string {
  if (told === undefined) return now()
  const at = new Date(told)
  if (at.getTime() <= Date.now() + DAY_MS) return at.toISOString()
  throw new ServiceError(
    'invalid_input',
    'occurredAt lies more than a day ahead. It says when something happened or was said; leave it out for now.',
    { field: 'occurredAt' }
  )
}
