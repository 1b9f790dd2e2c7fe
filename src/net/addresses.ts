// Which addresses we connect to where somebody else names the host: nobody reaches our own network through us.
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { createFairQueue } from '../fair-queue.ts'
import { orAborted } from './deadline.ts'

/** IANA's special-purpose registry. */
const RESERVED_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 ' +
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'

/** Of IPv6 only this is the public Internet, which leaves out mapped, translated, local and multicast addresses… */
const GLOBAL_IPV6 = '2000::/3'

/** …but for what lies in there: protocols such as Teredo, documentation, and 6to4, which hides an IPv4 address. */
const RESERVED_IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'

const reserved = new BlockList()
const globalIpv6 = new BlockList()
addNetworks(reserved, RESERVED_IPV4, 'ipv4')
addNetworks(reserved, RESERVED_IPV6, 'ipv6')
addNetworks(globalIpv6, GLOBAL_IPV6, 'ipv6')

function addNetworks(list: BlockList, networks: string, family: 'ipv4' | 'ipv6'): void {
  for (const network of networks.split(' ')) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
}

export function isPublicAddress(address: string): boolean {
  // An interface's name behind the address (`fe80::1%eth0`) is for local ones only.
  if (isIPv4(address)) return !reserved.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return globalIpv6.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

/** A URL's host as it is looked up: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Why there is no address to connect to; `busy`: too many of the tenant's lookups wait already. */
export class AddressError extends Error {
  readonly fault: 'unresolvable' | 'forbidden_address' | 'busy'

  constructor(fault: AddressError['fault'], cause?: unknown) {
    super(fault, { cause })
    this.name = 'AddressError'
    this.fault = fault
  }
}

/** A lookup that nobody answers can't be ended, and holds one of the four threads on which Node reads files, too. */
const queueOf = (atOnce: number) =>
  createFairQueue({ atOnce, waitingPerTenant: 100, refusal: () => new AddressError('busy') })

/** Strangers have a place of their own: none of them keeps a partner from its servers. */
const lookups = { partner: queueOf(2), stranger: queueOf(1) }

/**
 * The host's addresses that may be connected to, at least one. Whoever asks again may be answered with others.
 * @param tenant whose lookups wait for each other
 * @throws AddressError; the signal's reason, also while nobody answers
 */
export async function publicAddresses(
  host: string,
  tenant: { kind: keyof typeof lookups; name: string },
  { allowPrivate, signal }: { allowPrivate: boolean; signal: AbortSignal }
) {
  const resolve = () =>
    lookup(host, { all: true, verbatim: true }).catch((cause: unknown) => {
      throw new AddressError('unresolvable', cause)
    })
  const family = isIP(host)
  const answered = () => orAborted(lookups[tenant.kind].run(tenant.name, resolve, signal), signal)
  const all = family === 0 ? await answered() : [{ address: host, family }]
  const allowed = allowPrivate ? all : all.filter(({ address }) => isPublicAddress(address))
  if (allowed.length === 0) throw new AddressError('forbidden_address')
  return allowed
}
