// Counts failed attempts by address: in this process alone, because a stranger must not be able to make us write.
import { createHmac, randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { createMemoryCounter } from './memory-counter.ts'
import type { Counter } from './rate-limits.ts'

/**
 * Counts by the network of an address. Addresses share 65,536 counters, so that no number of them fills the memory; two
 * that meet in one share its budget of failures, and nothing else.
 */
export function createFailureCounter(windowSeconds: number): Counter {
  const count = createMemoryCounter(windowSeconds)
  // Of this process alone: nobody can choose an address that shares another one's counter.
  const salt = randomBytes(16)
  return (address) => {
    const digest = createHmac('sha256', salt).update(networkOf(address)).digest()
    return count(String(digest.readUInt16BE()))
  }
}

/** An IPv4 address as it is; of an IPv6 address the first 64 bits, which one subscriber has to himself. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
