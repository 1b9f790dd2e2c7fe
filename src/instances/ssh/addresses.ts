// Which addresses we connect to: a partner names the host, and must not reach our own network through it.
import { AddressError, publicAddresses } from '../../net/addresses.ts'
import { SshError } from './errors.ts'
import type { SshPlace } from './target.ts'

/**
 * The host's addresses that may be connected to, at least one. Whoever asks again may be answered with others.
 * @throws SshError `unresolvable`, `forbidden_address`; the signal's reason while it waits for its turn
 */
export async function allowedAddresses(
  { host, partnerId }: Pick<SshPlace, 'host' | 'partnerId'>,
  options: { allowPrivate: boolean; signal: AbortSignal }
) {
  try {
    return await publicAddresses(host, { kind: 'partner', name: partnerId }, options)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    const fault = error.fault === 'busy' ? 'connect_timeout' : error.fault
    throw new SshError(fault, { hasNotBegun: true, cause: error.cause })
  }
}
