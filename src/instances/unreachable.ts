// What a partner reads when a server can't be worked on: what it means and what to do, nothing that the server wrote.
import { ServiceError } from '../errors.ts'
import { SshError, type SshFault } from './ssh/errors.ts'

const TEXTS: Record<SshFault, string> = {
  forbidden_address: 'The host’s address is a private or reserved one. Give one that the internet reaches.',
  unresolvable: 'The host name is unknown. Check its spelling and its DNS record.',
  refused: 'The server refuses connections on this port. Check the port, and that its SSH service runs.',
  unreachable: 'There is no way to the server. Check its address and that it runs.',
  connect_timeout: 'The server did not answer in time. Check that it runs and that its firewall lets SSH in.',
  host_key_mismatch:
    'The server shows another host key than the one registered. If it was set up anew, register it again with its new host key; otherwise somebody may stand in between.',
  authentication_failed:
    'The server doesn’t accept the instance’s key. Add its public key to the user’s ~/.ssh/authorized_keys.',
  no_session: 'The server let us in, but opened no session. Check MaxSessions in its sshd_config.',
  connection_lost: 'The connection to the server broke off. Try again.',
  command_timeout: 'The server took too long. Try again later.',
  output_too_large: 'The server answered with more than is taken. Check what its shell prints at sign-in.',
  cancelled: 'It was cancelled.',
  write_failed: 'A file could not be written on the server. Check its disk, and what its user may write.'
}

/** What the fault means and what to do about it. */
export const sshFaultText = (fault: SshFault): string => TEXTS[fault]

/** A fault as a refusal of the place that was given; what is none of SSH's, or of its own doing, stays as it is. */
export function asUnreachable(error: unknown): unknown {
  if (!(error instanceof SshError) || error.fault === 'cancelled') return error
  const { fault } = error
  const isUnusable = fault === 'forbidden_address' || fault === 'unresolvable'
  const field = fault === 'refused' ? 'port' : 'host'
  const code = isUnusable ? 'invalid_input' : 'instance_unreachable'
  return new ServiceError(code, sshFaultText(fault), { field, cause: error })
}
