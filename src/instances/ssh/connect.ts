// A fresh connection: name, address, socket, handshake, and then the one who keeps it.
import { keepConnection, type SshConnection } from './connection.ts'
import { underDeadline } from './deadline.ts'
import { dial } from './dial.ts'
import { SshError } from './errors.ts'
import { HOST_KEY_KINDS, signIn } from './sign-in.ts'
import type { SshTarget } from './target.ts'

export interface ConnectOptions {
  allowPrivate: boolean
  connectTimeoutMs: number
  keepMs: number
  signal: AbortSignal
}

/**
 * Connects and signs in.
 *
 * @throws SshError, with nothing begun
 */
export function connectTo(target: SshTarget, options: ConnectOptions): Promise<SshConnection> {
  const limits = {
    timeoutMs: options.connectTimeoutMs,
    fault: 'connect_timeout',
    signals: [options.signal]
  } as const
  return underDeadline(limits, async (signal) => {
    let refusal: unknown
    for (const hostKeyKinds of HOST_KEY_KINDS) {
      try {
        return await connectAs(target, hostKeyKinds, { ...options, signal })
      } catch (error) {
        // The pinned key may be of another kind than the one that the server shows first.
        refusal ??= error
        if (!isOtherKey(error, refusal)) throw error
      }
    }
    throw refusal
  })
}

/** Another key was shown, or, once one was, none of the kind that we asked for. */
const isOtherKey = (error: unknown, refusal: unknown): boolean =>
  refusal instanceof SshError &&
  refusal.fault === 'host_key_mismatch' &&
  error instanceof SshError &&
  (error.fault === 'host_key_mismatch' || error.fault === 'unreachable')

async function connectAs(
  target: SshTarget,
  hostKeyKinds: (typeof HOST_KEY_KINDS)[number],
  options: ConnectOptions
): Promise<SshConnection> {
  const { username, privateKey, hostKey } = target
  const socket = await dial(target, options)
  const acceptsHostKey = (fingerprint: string) => fingerprint === hostKey
  const client = await signIn(socket, { username, privateKey, hostKeyKinds, acceptsHostKey }, options.signal)
  return keepConnection(client, socket, options)
}
