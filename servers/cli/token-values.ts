// What keys and tokens have in common at the terminal.
import { now } from '../../src/clock.ts'
import { CommandError } from './failure.ts'

/** @throws CommandError when `--expires` is over already */
export function refusePast(expires: string | undefined): void {
  if (expires && new Date(expires).toISOString() <= now())
    throw new CommandError('--expires is in the past. Give a time that is still to come.')
}

/** Whether it still opens its door, in a word. */
export function validity({
  revokedAt,
  expiresAt
}: {
  revokedAt: string | null
  expiresAt: string | null
}): string {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= now() ? 'expired' : 'valid'
}
