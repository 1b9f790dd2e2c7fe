import { withDeadline } from '../../net/deadline.ts'
import { dial } from './dial.ts'
import { sshLimits } from './errors.ts'
import type { SshPlace } from './target.ts'
import { inTurn } from './turns.ts'

interface HostKeyOptions {
  allowPrivate: boolean
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** A server has several keys: where this is one of them, this one is answered. */
  expected?: string | undefined
}

/** `SHA256:…`, as `ssh-keygen -lf` prints it. Of ours only the first half of a handshake is sent. @throws SshError */
export async function readHostKey(
  place: SshPlace,
  { allowPrivate, timeoutMs, signal: caller, expected }: HostKeyOptions
) {
  return withDeadline(sshLimits(timeoutMs, 'connect_timeout', [caller]), async (signal) => {
    const { HOST_KEY_KINDS, isOtherKey, signIn } = await import('./sign-in.ts')
    const shown: string[] = []
    const acceptsHostKey = (fingerprint: string) => {
      shown.push(fingerprint)
      return false
    }
    for (const hostKeyKinds of HOST_KEY_KINDS) {
      const attempt = async () => {
        const socket = await dial(place, { allowPrivate, signal })
        await signIn(socket, { username: 'nobody', hostKeyKinds, acceptsHostKey }, signal)
      }
      await inTurn(place, attempt, signal).catch((error: unknown) => {
        if (!isOtherKey(error, shown.length > 0)) throw error
      })
      if (expected === undefined || shown.includes(expected)) break
    }
    return shown.find((key) => key === expected) ?? shown[0] ?? ''
  })
}
