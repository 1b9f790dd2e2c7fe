// What customers owe, told again from scratch: from every telling of every call, in BigInt, without periods, balances or
// lines. Whose an agent's calls are is the last thing that was said of that time.

export interface Told {
  callId: string
  agentId: string | null
  endedAt: string
  durationMs: number
  costMicros: number | null
}

interface Said {
  from: string
  customerId: string | null
  multiplierMicros: bigint
}

interface KnownCall extends Told {
  day: string
}

export interface OwedModel {
  tell(call: Told, zone: string): void
  /** What is said of an agent from then on; nothing where it would take another customer's time. */
  map(agentId: string, said: Said): boolean
  unmap(agentId: string, at: string): void
  ownerNow(agentId: string): Said | undefined
  /** Beside calls: signed. */
  owe(customerId: string, micros: number): void
  calls(): { callId: string; customerId: string | null; chargeMicros: number | null }[]
  /** Of calls and of the rest, before anything is billed. */
  owed(customerId: string): bigint
  /** `calls durationMs costMicros chargeMicros` by day; days without any are left out. */
  days(customerId: string): Map<string, [bigint, bigint, bigint, bigint]>
}

export function createOwedModel(): OwedModel {
  const calls = new Map<string, KnownCall>()
  const said = new Map<string, Said[]>()
  const rest = new Map<string, bigint>()
  const saidOf = (agentId: string) => said.get(agentId) ?? []
  const saidAt = (agentId: string, at: string) => saidOf(agentId).findLast(({ from }) => from <= at)

  function ofCall({ agentId, endedAt, costMicros }: KnownCall) {
    const period = agentId === null ? undefined : saidAt(agentId, endedAt)
    if (!period || period.customerId === null) return { customerId: null, chargeMicros: null }
    const { customerId, multiplierMicros } = period
    if (costMicros === null) return { customerId, chargeMicros: null }
    // Half up, by hand.
    const product = BigInt(costMicros) * multiplierMicros
    const whole = product / 1_000_000n
    return { customerId, chargeMicros: product % 1_000_000n >= 500_000n ? whole + 1n : whole }
  }

  return {
    tell(call, zone) {
      const known = calls.get(call.callId)
      const day =
        known?.endedAt === call.endedAt
          ? known.day
          : new Date(call.endedAt).toLocaleDateString('sv-SE', { timeZone: zone })
      const agentId = known?.agentId ?? call.agentId
      const costMicros = call.costMicros ?? known?.costMicros ?? null
      calls.set(call.callId, { ...call, agentId, costMicros, day })
    },
    map(agentId, next) {
      const own = (at: string) => [undefined, null, next.customerId].includes(saidAt(agentId, at)?.customerId)
      const changes = saidOf(agentId).filter(({ from }) => from > next.from)
      if (![next.from, ...changes.map(({ from }) => from)].every(own)) return false
      said.set(agentId, [...saidOf(agentId), next])
      return true
    },
    unmap(agentId, from) {
      said.set(agentId, [...saidOf(agentId), { from, customerId: null, multiplierMicros: 0n }])
    },
    ownerNow: (agentId) => saidOf(agentId).at(-1),
    owe: (customerId, micros) => {
      rest.set(customerId, (rest.get(customerId) ?? 0n) + BigInt(micros))
    },
    calls: () =>
      [...calls.values()].map((call) => {
        const { customerId, chargeMicros } = ofCall(call)
        return {
          callId: call.callId,
          customerId,
          chargeMicros: chargeMicros === null ? null : Number(chargeMicros)
        }
      }),
    owed: (customerId) =>
      [...calls.values()]
        .map(ofCall)
        .filter((call) => call.customerId === customerId)
        .reduce((sum, { chargeMicros }) => sum + (chargeMicros ?? 0n), rest.get(customerId) ?? 0n),
    days(customerId) {
      const days = new Map<string, [bigint, bigint, bigint, bigint]>()
      for (const call of calls.values()) {
        const { customerId: whose, chargeMicros } = ofCall(call)
        if (whose !== customerId) continue
        const [count, duration, cost, charge] = days.get(call.day) ?? [0n, 0n, 0n, 0n]
        days.set(call.day, [
          count + 1n,
          duration + BigInt(call.durationMs),
          cost + BigInt(call.costMicros ?? 0),
          charge + (chargeMicros ?? 0n)
        ])
      }
      return days
    }
  }
}
