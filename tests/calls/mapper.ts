// Somebody who maps agents, changes what was said and backdates it, by chance; and notes what was said when.
import type { Provider } from '../../schemas/voice-agent.ts'
import type { Service } from '../../src/service.ts'
import { run } from '../support/fixture.ts'
import type { Mapping } from './independent-count.ts'
import type { Dice } from './providers/dice.ts'
import { DAY, HOUR } from './providers/world.ts'

const MULTIPLIERS = ['1', '1.35', '2.000001', '0.5', '1.333333', '0.000001', '17']

export interface Mapper {
  /** Everything that was said, in that order. */
  said: Mapping[]
  /** Says something about an agent. */
  act(provider: Provider, agentId: string): Promise<void>
}

interface Known {
  customerId: string | null
  /** Until when it was another customer's. */
  othersUntil: Map<string, number>
}

/** It acts at full hours, around which no call ends: what is said then has no doubt about any. */
export function makeMapper(
  service: Service,
  partnerId: string,
  { customers, dice, clock }: { customers: readonly string[]; dice: Dice; clock(): number }
): Mapper {
  const said: Mapping[] = []
  const agents = new Map<string, Known>()
  const hour = () => Math.floor(clock() / HOUR) * HOUR

  async function map(provider: Provider, agentId: string, known: Known, customerId: string) {
    const multiplier = dice.pick(MULTIPLIERS)
    const others = [...known.othersUntil].filter(([id]) => id !== customerId).map(([, until]) => until)
    const earliest = Math.max(hour() - dice.between(0, 25) * DAY, ...others)
    const isBackdated = dice.chance(0.5) && earliest < hour()
    const since = isBackdated ? { since: new Date(earliest).toISOString() } : {}
    await run(service, partnerId, `voice_${provider}_agent_map_customer`, {
      ...{ agentId, customerId, profitMultiplier: Number(multiplier), confirm: true, ...since }
    })
    const from = isBackdated ? earliest : clock()
    said.push({ provider, agentId, from, customerId, multiplier })
    known.customerId = customerId
  }

  return {
    said,
    async act(provider, agentId) {
      const key = `${provider} ${agentId}`
      const known = agents.get(key) ?? { customerId: null, othersUntil: new Map() }
      agents.set(key, known)
      const { customerId } = known
      if (customerId === null) return map(provider, agentId, known, dice.pick(customers))
      if (dice.chance(0.6)) return map(provider, agentId, known, customerId)
      await run(service, partnerId, `voice_${provider}_agent_unmap_customer`, { agentId })
      known.customerId = null
      // A moment later than it was, so that what is said next isn't before.
      known.othersUntil.set(customerId, Math.ceil(clock() / 1_000) * 1_000 + 1_000)
      said.push({ provider, agentId, from: clock(), customerId: null, multiplier: '0' })
      if (dice.chance(0.5)) await map(provider, agentId, known, dice.pick(customers))
    }
  }
}
