// The SSH handshake over a connected socket: key exchange with a pinned host key, then our key for the user.
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import ssh2, { type KexAlgorithm, type ServerHostKeyAlgorithm } from 'ssh2'
import { orAborted } from '../../net/deadline.ts'
import { SshError, type SshFault } from './errors.ts'

/** More than any server has to say until it lets us in. */
const MAX_HANDSHAKE_BYTES = 262_144

/** The quick ones. To look at a group of the server's own making would take this very thread half a minute. */
const KEY_EXCHANGES: KexAlgorithm[] = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'diffie-hellman-group14-sha256'
]

/** A dead peer is noticed after three unanswered ones. */
const KEEPALIVE_MS = 1_000
const KEEPALIVES = 3

const ECDSA: ServerHostKeyAlgorithm[] = ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521']
const RSA: ServerHostKeyAlgorithm[] = ['rsa-sha2-512', 'rsa-sha2-256']

/** A server shows its key of the first kind that we name, as OpenSSH's client does; the pinned one may be of another. */
export const HOST_KEY_KINDS: readonly ServerHostKeyAlgorithm[][] = [
  ['ssh-ed25519', ...ECDSA, ...RSA],
  ECDSA,
  RSA
]

interface SignIn {
  username: string
  /** Without one the handshake ends where it would be needed. */
  privateKey?: string
  hostKeyKinds: ServerHostKeyAlgorithm[]
  /** Judges the key that the server shows, `SHA256:…`. */
  acceptsHostKey(fingerprint: string): boolean
}

/** Resolves once commands can be run; else the socket is destroyed. @throws SshError, or the signal's reason */
export async function signIn(socket: Duplex, request: SignIn, signal: AbortSignal): Promise<ssh2.Client> {
  const client = new ssh2.Client()
  const seen = { hasRefusedHostKey: false, hasExchangedKeys: false }
  const verify = (key: Buffer) => {
    const isAccepted = request.acceptsHostKey(fingerprintOf(key))
    seen.hasRefusedHostKey = !isAccepted
    return isAccepted
  }
  const over = new AbortController()
  const fail = (cause: unknown) =>
    over.abort(new SshError(handshakeFault(cause, seen, socket), { hasNotBegun: true, cause }))
  let bytes = 0
  const measure = (piece: Buffer) => {
    bytes += piece.length
    if (bytes > MAX_HANDSHAKE_BYTES) fail(new Error('The server talks without end'))
  }
  client.once('handshake', () => {
    seen.hasExchangedKeys = true
  })
  // Listens for good: an error without a listener, also a later one, would end the process.
  client.on('error', fail).on('close', () => fail(new Error('The server closed the connection')))
  const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()))
  // Paused, or what came before the client listens would be lost.
  socket.pause().on('data', measure)
  try {
    client.connect({
      sock: socket,
      username: request.username,
      ...(request.privateKey === undefined ? {} : { privateKey: request.privateKey }),
      authHandler: ['publickey'],
      algorithms: {
        serverHostKey: request.hostKeyKinds,
        kex: KEY_EXCHANGES,
        // A small packet could hold a thousand times as much.
        compress: ['none']
      },
      // Without it ssh2 takes any key.
      hostVerifier: verify,
      // Ours counts from before the dialling.
      readyTimeout: 0,
      keepaliveInterval: KEEPALIVE_MS,
      keepaliveCountMax: KEEPALIVES,
      // Not every server with OpenSSH's extensions calls itself OpenSSH.
      strictVendor: false
    })
    await orAborted(ready, signal, over.signal)
    return client
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    socket.off('data', measure)
  }
}

function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

function handshakeFault(
  error: unknown,
  seen: { hasRefusedHostKey: boolean; hasExchangedKeys: boolean },
  socket: Duplex
): SshFault {
  if (seen.hasRefusedHostKey) return 'host_key_mismatch'
  const field = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined)
  if (field('level') === 'client-authentication') return 'authentication_failed'
  // A number is the reason of the server's own goodbye, such as too many attempts.
  if (seen.hasExchangedKeys && typeof field('code') === 'number') return 'authentication_failed'
  const isGone = socket.readableEnded || socket.destroyed || field('level') === 'client-socket'
  return isGone ? 'connection_lost' : 'unreachable'
}

/** Whether a handshake came to another key than was wanted, or, once one was shown, to none of the kind asked for. */
export const isOtherKey = (error: unknown, hasShownOne: boolean): boolean =>
  error instanceof SshError &&
  (error.fault === 'host_key_mismatch' || (hasShownOne && error.fault === 'unreachable'))
