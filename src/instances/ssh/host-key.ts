import { withDeadline } from '../../net/deadline.ts'
import { dial } from './dial.ts'
import { SshError, sshLimits } from './errors.ts'
import { HOST_KEY_KINDS, inTurn, signIn } from './sign-in.ts'
import type { SshPlace } from './target.ts'

interface HostKeyOptions {
  allowPrivate: boolean
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** A server has several keys: where this is one of them, this one is answered. */
  expected?: string | undefined
}

/** `SHA256:…`, as `ssh-keygen -lf` prints it. Of ours only the first half of a handshake is sent. @throws SshError */
export async function readHostKey(place: SshPlace, { timeoutMs, signal, ...options }: HostKeyOptions) {
  return withDeadline(sshLimits(timeoutMs, 'connect_timeout', [signal]), async (limit) => {
    const show = (kinds: (typeof HOST_KEY_KINDS)[number]) =>
      inTurn(place, () => shownHostKey(place, kinds, { ...options, signal: limit }), limit)
    const [usual = [], ...others] = HOST_KEY_KINDS
    const shown = await show(usual)
    if (options.expected === undefined || shown === options.expected) return shown
    for (const kinds of others) {
      const other = await show(kinds).catch(withoutSuchKey)
      if (other === options.expected) return other
    }
    return shown
  })
}

async function shownHostKey(
  place: SshPlace,
  hostKeyKinds: (typeof HOST_KEY_KINDS)[number],
  options: { allowPrivate: boolean; signal: AbortSignal }
): Promise<string> {
  let shown = ''
  const acceptsHostKey = (fingerprint: string) => {
    shown = fingerprint
    return false
  }
  const socket = await dial(place, options)
  const request = { username: 'nobody', hostKeyKinds, acceptsHostKey }
  await signIn(socket, request, options.signal).catch((error: unknown) => {
    if (!(error instanceof SshError && error.fault === 'host_key_mismatch')) throw error
  })
  return shown
}

/** It has no key of that kind: the handshake ends before one is shown. */
function withoutSuchKey(error: unknown) {
  if (!(error instanceof SshError && error.fault === 'unreachable')) throw error
}
