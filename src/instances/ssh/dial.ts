// A TCP connection to an address that was looked at before.
import { connect, type Socket } from 'node:net'
import { allowedAddresses } from './addresses.ts'
import { orAborted } from './deadline.ts'
import { SshError, type SshFault } from './errors.ts'
import type { SshPlace } from './target.ts'

/** How long one address of several may keep the next one waiting. */
const NEXT_ADDRESS_AFTER_MS = 2_500

/**
 * Connects to the host at one of its allowed addresses.
 *
 * @throws SshError `unresolvable`, `forbidden_address`, `refused`, `unreachable`, or the signal's reason
 */
export async function dial(
  place: Omit<SshPlace, 'customerId'>,
  options: { allowPrivate: boolean; signal: AbortSignal }
): Promise<Socket> {
  const { signal } = options
  const { host, port } = place
  const addresses = await orAborted(allowedAddresses(place, options), signal)
  const socket = connect({
    host,
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    lookup: (_host, _options, answer) => answer(null, addresses)
  })
  return new Promise((resolve, reject) => {
    // Not net.connect's own signal: that would still destroy the socket long after it has connected.
    const abort = () => {
      socket.destroy()
      reject(signal.reason)
    }
    const settle = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('connect', () => {
      settle()
      resolve(socket)
    })
    socket.once('error', (cause) => {
      settle()
      reject(new SshError(dialFault(cause), { hasNotBegun: true, cause }))
    })
  })
}

/** With several addresses, node sums their errors up. */
function dialFault(error: Error): SshFault {
  const all = error instanceof AggregateError ? error.errors : [error]
  const codes = all.map((each: unknown) => (each instanceof Error && 'code' in each ? each.code : ''))
  if (codes.includes('ECONNREFUSED')) return 'refused'
  return codes.includes('ETIMEDOUT') ? 'connect_timeout' : 'unreachable'
}
