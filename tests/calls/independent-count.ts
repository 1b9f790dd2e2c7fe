// What each customer is to be charged, counted from the world of calls and who had which agent when, and from nothing of
// the product: decimals are read digit by digit, and everything is a whole number of any length.
import type { Provider } from '../../schemas/voice-agent.ts'
import { type Version, versionNow, type World, type WorldCall } from './providers/world.ts'

/** From then on the agent's calls are that customer's, or nobody's; the last one that was said holds. */
export interface Mapping {
  provider: Provider
  agentId: string
  from: number
  customerId: string | null
  /** Decimal, as it was said. */
  multiplier: string
}

export interface Count {
  calls: number
  durationMs: bigint
  costMicros: bigint
  chargeMicros: bigint
}

/** A call as it has to be kept; those of nobody have no customer. */
export interface CountedCall extends Omit<Count, 'calls' | 'costMicros' | 'chargeMicros'> {
  provider: Provider
  callId: string
  customerId: string | null
  endedAt: number
  /** `null` as long as nobody told. */
  costMicros: bigint | null
  chargeMicros: bigint | null
}

interface CountOptions {
  mappings: readonly Mapping[]
  /** Decimal dollars, by provider. */
  minutePrices?: Partial<Record<Provider, string>>
}

/** Every call that has ended in the world of now. */
export function countCalls(world: World, { mappings, minutePrices = {} }: CountOptions): CountedCall[] {
  const count = (provider: Provider) =>
    world.calls[provider].flatMap((call): CountedCall[] => {
      const { endedAt = null } = versionNow(world, call) ?? {}
      if (endedAt === null) return []
      const told = lastCost(world, call)
      const durationMs = BigInt(call.startedAt === null ? 0 : endedAt - call.startedAt)
      const own = minutePrices[provider]
      const ownMicros = own === undefined ? 0n : rounded(micros(own) * durationMs, 60_000n)
      const costMicros = told === null ? null : micros(told, provider === 'b' ? 100n : 1n) + ownMicros
      const mapping = mappings.findLast(
        (one) => one.provider === provider && one.agentId === call.agentId && one.from <= endedAt
      )
      const customerId = mapping?.customerId ?? null
      const isCharged = mapping && customerId !== null && costMicros !== null
      const chargeMicros = isCharged ? rounded(costMicros * micros(mapping.multiplier), 1_000_000n) : null
      return [{ provider, callId: call.id, customerId, endedAt, durationMs, costMicros, chargeMicros }]
    })
  return [...count('a'), ...count('b')]
}

/** What was told once is so, though it may be missing since. */
function lastCost(world: World, call: WorldCall): string | null {
  const newest = versionNow(world, call)
  const isKnown = ({ at, cost }: Version) => newest !== undefined && at <= newest.at && cost !== null
  return call.versions.findLast(isKnown)?.cost ?? null
}

/** Sums by whatever the calls are told apart by; what has no key isn't counted. */
export function sumsBy(calls: readonly CountedCall[], keyOf: (call: CountedCall) => string | null) {
  const sums = new Map<string, Count>()
  for (const call of calls) {
    const key = keyOf(call)
    if (key === null) continue
    const sum = sums.get(key) ?? { calls: 0, durationMs: 0n, costMicros: 0n, chargeMicros: 0n }
    sums.set(key, {
      calls: sum.calls + 1,
      durationMs: sum.durationMs + call.durationMs,
      costMicros: sum.costMicros + (call.costMicros ?? 0n),
      chargeMicros: sum.chargeMicros + (call.chargeMicros ?? 0n)
    })
  }
  return sums
}

/** A decimal as JSON may write it, in millionths, half up. */
function micros(text: string, divisor = 1n): bigint {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = BigInt(whole + fraction) * 1_000_000n
  const places = BigInt(exponent) - BigInt(fraction.length)
  return places >= 0n
    ? rounded(digits * 10n ** places, divisor)
    : rounded(digits, divisor * 10n ** (0n - places))
}

/** Half up, of what isn't negative. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const rest = dividend % divisor
  return dividend / divisor + (rest * 2n >= divisor ? 1n : 0n)
}
