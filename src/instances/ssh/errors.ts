import type { Limits } from '../../net/deadline.ts'

/** What a partner reads of each fault: what it means and what to do, nothing that the server wrote. */
export const SSH_FAULTS = {
  forbidden_address: 'The host’s address is a private or reserved one. Give one that the internet reaches.',
  unresolvable: 'The host name is unknown. Check its spelling and its DNS record.',
  refused: 'The server refuses connections on this port. Check the port, and that its SSH service runs.',
  /** No way there, or what answers doesn't speak our SSH. */
  unreachable: 'There is no way to the server. Check its address and that it runs.',
  connect_timeout: 'The server did not answer in time. Check that it runs and that its firewall lets SSH in.',
  host_key_mismatch:
    'The server shows another host key than the one registered. If it was set up anew, register it again with its new host key; otherwise somebody may stand in between.',
  authentication_failed:
    'The server doesn’t accept the instance’s key. Add its public key to the user’s ~/.ssh/authorized_keys.',
  /** Signed in, but the server let us run nothing until the time was over. */
  no_session: 'The server let us in, but opened no session. Check MaxSessions in its sshd_config.',
  connection_lost: 'The connection to the server broke off. Try again.',
  command_timeout: 'The server took too long. Try again later.',
  /** The command, or the login shell around it, wrote more than it may. */
  output_too_large: 'The server answered with more than is taken. Check what its shell prints at sign-in.',
  /** The caller's signal fired, or the service closes. */
  cancelled: 'It was cancelled.',
  forwarding_refused:
    'The jump host passes nothing on to the server. Check AllowTcpForwarding and PermitOpen in its sshd_config, and that our line in its authorized_keys has port-forwarding.',
  no_way_on:
    'The jump host finds no way to the server. Check the server’s address and port as the jump host knows them, and that its SSH service runs.',
  write_failed: 'A file could not be written on the server. Check its disk, and what its user may write.'
}

export type SshFault = keyof typeof SSH_FAULTS

export class SshError extends Error {
  readonly fault: SshFault
  /** Whether the command surely never began, so that doing it again can't do it twice. */
  readonly hasNotBegun: boolean
  /** The fault for programs. */
  readonly code: string
  /** What a partner reads of it. */
  readonly text: string

  /** @param options.isAtJump it isn't the server but the jump host before it */
  constructor(fault: SshFault, options: { hasNotBegun: boolean; cause?: unknown; isAtJump?: boolean }) {
    super(fault, { cause: options.cause })
    this.name = 'SshError'
    this.fault = fault
    this.hasNotBegun = options.hasNotBegun
    this.code = options.isAtJump ? `jump_${fault}` : fault
    const text = SSH_FAULTS[fault]
    this.text = options.isAtJump ? text.replaceAll(/\b([Tt]he) (?:server|host)\b/g, '$1 jump host') : text
  }
}

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
