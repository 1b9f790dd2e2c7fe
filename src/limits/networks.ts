// The networks that an address is in. What is counted by one of them alone costs whoever has the next wider one nothing
// to get around.
import { isIPv6 } from 'node:net'

export interface Network {
  name: string
  /** How many times as often as a single address all of it together may fail. */
  share: number
}

/**
 * From the narrowest to the widest: of an IPv6 address the first 64, 56 and 48 bits, all of which one subscriber may
 * have; an IPv4 address as it is and its first 24 bits.
 */
export function networksOf(address = ''): [Network, ...Network[]] {
  const bare = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  if (!isIPv6(bare)) {
    const around = `${bare.replace(/\.\d+$/, '')}/24`
    return [
      { name: bare, share: 1 },
      { name: around, share: 4 }
    ]
  }
  const [head = '', tail] = bare.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const all = [...before, ...Array<string>(zeros).fill('0'), ...after]
  const groups = all.map((group) => Number.parseInt(group, 16))
  const site = groups.slice(0, 3).map(hex).join(':')
  const subnet = groups[3] ?? 0
  return [
    { name: `${site}:${hex(subnet)}`, share: 1 },
    { name: `${site}:${hex(subnet & 0xff00)}/56`, share: 2 },
    { name: `${site}/48`, share: 4 }
  ]
}

/** The widest of them, by which strangers are told apart where they wait. */
export const widestNetworkOf = (address: string | undefined): string => networksOf(address).at(-1)?.name ?? ''

const hex = (group: number): string => group.toString(16)
