// Why a customer's server could not be used, in one word.
import type { Limits } from '../../net/deadline.ts'

/**
 * - `forbidden_address`: the name leads to an address that isn't on the public Internet
 * - `unresolvable`: the name has no address
 * - `refused`: nothing listens on the port
 * - `unreachable`: no way there, or what answers doesn't speak our SSH
 * - `connect_timeout`: no connection within the time for it
 * - `host_key_mismatch`: another host key than the pinned one
 * - `authentication_failed`: the server doesn't take our key for this user
 * - `no_session`: signed in, but the server let us run nothing until the time was over
 * - `connection_lost`: the connection ended under the command
 * - `command_timeout`: the command took longer than it may
 * - `output_too_large`: the command, or the login shell around it, wrote more than it may
 * - `cancelled`: the caller's signal fired, or the service closes
 * - `write_failed`: a file could not be put there
 */
export type SshFault =
  | 'forbidden_address'
  | 'unresolvable'
  | 'refused'
  | 'unreachable'
  | 'connect_timeout'
  | 'host_key_mismatch'
  | 'authentication_failed'
  | 'no_session'
  | 'connection_lost'
  | 'command_timeout'
  | 'output_too_large'
  | 'cancelled'
  | 'write_failed'

/** What a call over SSH may take, and what it is called when that is over; each of the signals cancels it. */
export const sshLimits = (
  timeoutMs: number,
  fault: SshFault,
  signals: readonly (AbortSignal | undefined)[]
): Limits => ({
  timeoutMs,
  signals,
  late: () => new SshError(fault, { hasNotBegun: true }),
  left: () => new SshError('cancelled', { hasNotBegun: true })
})

export class SshError extends Error {
  readonly fault: SshFault
  /** Whether the command surely never began, so that doing it again can't do it twice. */
  readonly hasNotBegun: boolean

  constructor(fault: SshFault, options: { hasNotBegun: boolean; cause?: unknown }) {
    super(fault, { cause: options.cause })
    this.name = 'SshError'
    this.fault = fault
    this.hasNotBegun = options.hasNotBegun
  }
}
