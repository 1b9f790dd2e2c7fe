// The networks that an address is in. What is counted by one of them alone costs whoever has the next wider one nothing
// to get around.
import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Use } from './budget.ts'
import { createMemoryCounter } from './counters.ts'

export interface Network {
  name: string
  /** How many times as often as a single address all of it together may fail. */
  share: number
}

/** Narrowest first: 64, 56 and 48 bits of an IPv6 address, which one subscriber may have; an IPv4 one and its /24. */
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

/** A digest that nobody without our key can make, or tell from others. */
export const keyedDigest = (secretKey: string, ...parts: string[]): Buffer =>
  createHmac('sha256', secretKey).update(parts.join('\0')).digest()

export interface Failure extends Use {
  /** Takes it back; from then on the address answers for itself alone, not for what its neighbours do. */
  forgive(): Promise<void>
}

/**
 * Counts a failure in ever wider networks, until one had more than its share of the quota; then `used` is more.
 * In this process alone: no stranger makes us write. Networks share 65,536 counters: no number of them fills the memory.
 */
export function createFailureCounter(secretKey: string, quota: number, windowSeconds: number) {
  const count = createMemoryCounter(windowSeconds)
  // By our key: nobody can choose an address that shares another one's counter.
  const counterOf = (name: string) => String(keyedDigest(secretKey, 'failures', name).readUInt16BE())
  const spared = new Set<string>()
  return async (address: string | undefined): Promise<Failure> => {
    const networks = networksOf(address)
    const own = counterOf(networks[0].name)
    const counted: string[] = []
    let use: Use = { used: 0, msLeft: 0 }
    for (const { name, share } of spared.has(own) ? networks.slice(0, 1) : networks) {
      const counter = counterOf(name)
      const { used, msLeft } = await count(counter)
      counted.push(counter)
      use = { used: Math.ceil(used / share), msLeft }
      // What is refused already isn't charged to everybody around.
      if (use.used > quota) break
    }
    return {
      ...use,
      async forgive() {
        spared.add(own)
        for (const counter of counted) await count(counter, -1)
      }
    }
  }
}
