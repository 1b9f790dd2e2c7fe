// Counts failed attempts by address: in this process alone, because a stranger must not be able to make us write.
import { createHmac, randomBytes } from 'node:crypto'
import type { Use } from './budget.ts'
import { createMemoryCounter } from './counters.ts'
import { networksOf } from './networks.ts'

export interface Failure extends Use {
  /** Takes it back; from then on the address answers for itself alone, not for what its neighbours do. */
  forgive(): Promise<void>
}

/**
 * Counts a failure in ever wider networks of the address, until one of them had more than its share of the quota; `used`
 * is then more than the quota. Networks share 65,536 counters, so that no number of them fills the memory; two that meet
 * in one share its budget of failures, and nothing else.
 */
export function createFailureCounter(
  quota: number,
  windowSeconds: number
): (address: string | undefined) => Promise<Failure> {
  const count = createMemoryCounter(windowSeconds)
  // Of this process alone: nobody can choose an address that shares another one's counter.
  const salt = randomBytes(16)
  const counterOf = (name: string) => String(createHmac('sha256', salt).update(name).digest().readUInt16BE())
  const spared = new Set<string>()
  return async (address) => {
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
