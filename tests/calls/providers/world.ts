// One world of calls that both stand-ins tell of: made from a seed, with a clock of its own that the test moves.
import { PROVIDERS, type Provider } from '../../../schemas/voice-agent.ts'
import type { KnownAgent } from '../../voice-agents/stand-in.ts'
import { type Dice, makeDice } from './dice.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What the provider knows of a call from `at` on. */
export interface Version {
  at: number
  /** `null` as long as it lasts. */
  endedAt: number | null
  /** Digits as they stand in the provider's JSON: dollars at Vapi, cents at Retell. `null` when it doesn't tell. */
  cost: string | null
}

export interface WorldCall {
  id: string
  agentId: string | null
  createdAt: number
  /** `null` when nobody answered. */
  startedAt: number | null
  /** Oldest first. */
  versions: readonly [Version, ...Version[]]
  /** How many bytes of messages the provider keeps with it. */
  messageBytes: number
}

export interface World {
  seed: number
  agents: Record<Provider, KnownAgent[]>
  /** Newest first. */
  calls: Record<Provider, WorldCall[]>
  clock(): number
}

/** So long after a change the provider's lists don't have it yet, though it carries that time. */
const LAG = 2 * SECOND
/** What changes about a call changes within so long after its end. */
const LATEST_CHANGE = 60 * HOUR

/** No call ends around a full hour: a mapping that is made then has no doubt about any. */
const awayFromTheHour = (at: number): number => {
  const minute = Math.floor((at % HOUR) / MINUTE)
  return minute < 2 || minute > 57 ? at + 5 * MINUTE : at
}

export interface WorldOptions {
  seed: number
  /** At each provider. */
  calls: number
  from: number
  to: number
  agents?: number
  /** From then on somebody reads, at least once a day; nobody does if left out. */
  watchedFrom?: number
  clock(): number
}

export function makeWorld({
  seed,
  calls,
  from,
  to,
  watchedFrom = Number.POSITIVE_INFINITY,
  agents = 30,
  clock
}: WorldOptions): World {
  const world: World = { seed, agents: { a: [], b: [] }, calls: { a: [], b: [] }, clock }
  for (const provider of PROVIDERS) {
    const dice = makeDice(`${seed} ${provider}`)
    world.agents[provider] = Array.from({ length: agents }, (_, n) => ({
      id: agentId(provider, dice),
      name: `Agent ${n}`,
      createdAt: new Date(from - n * HOUR).toISOString()
    }))
    // The last fifth of them is nowhere in the account any more, and still has calls.
    const known = world.agents[provider]
    const gone = known.splice(Math.ceil(agents * 0.8))
    const made = createdAts(dice, calls, from, to).map((createdAt, index, all) => {
      const agent = dice.chance(0.04) ? undefined : dice.pick(dice.chance(0.05) ? gone : known)
      // Of a campaign there may be more than fit into a page: their messages are few.
      const isLong = isOfLongOnes(index) && all[index + 8] !== createdAt && all[index - 8] !== createdAt
      const messageBytes = isLong ? dice.between(150_000, 350_000) : dice.between(100, 1_500)
      return makeCall(provider, dice, { createdAt, agentId: agent?.id ?? null, messageBytes, watchedFrom })
    })
    // Vapi's newest is the last one made, Retell's the last one begun.
    const begunAt = ({ startedAt, createdAt }: WorldCall) => (provider === 'b' && startedAt) || createdAt
    world.calls[provider] = made.toSorted((a, b) => begunAt(b) - begunAt(a))
  }
  return world
}

/** Newest first. Now and then a campaign begins: many that came in the very same millisecond. */
function createdAts(dice: Dice, count: number, from: number, to: number): number[] {
  const times: number[] = []
  while (times.length < count) {
    const at = dice.between(from, to)
    const size = dice.chance(0.006) ? dice.pick([2, 3, 7, 49, 50, 51, 64, 120]) : 1
    for (let n = 0; n < size && times.length < count; n += 1) times.push(at)
  }
  return times.toSorted((a, b) => b - a)
}

function agentId(provider: Provider, dice: Dice): string {
  return provider === 'a' ? dice.uuid() : `agent_${dice.hex(28)}`
}

/** A row of long conversations: a page of fifty of them is more than anybody reads. */
const isOfLongOnes = (index: number): boolean => index % 3_000 > 100 && index % 3_000 < 251

function makeCall(
  provider: Provider,
  dice: Dice,
  {
    createdAt,
    agentId,
    messageBytes,
    watchedFrom
  }: Pick<WorldCall, 'createdAt' | 'agentId' | 'messageBytes'> & { watchedFrom: number }
): WorldCall {
  const isAnswered = !dice.chance(0.06)
  const startedAt = createdAt + dice.between(SECOND, 20 * SECOND)
  const lasts = isAnswered ? dice.between(3 * SECOND, 25 * MINUTE) : 0
  const endedAt = awayFromTheHour(startedAt + lasts)
  return {
    id: provider === 'a' ? dice.uuid() : `call_${dice.hex(27)}`,
    agentId,
    createdAt,
    startedAt: isAnswered ? startedAt : null,
    versions: [
      { at: createdAt, endedAt: null, cost: null },
      ...changesOf(provider, dice, endedAt, watchedFrom)
    ],
    messageBytes
  }
}

/** How it ended, and what was told of it afterwards. */
function changesOf(provider: Provider, dice: Dice, endedAt: number, watchedFrom: number): Version[] {
  const later = () => lateTime(dice, endedAt)
  const isFree = dice.chance(0.03)
  const first = isFree ? '0' : costText(provider, dice)
  const isTold = dice.chance(0.65)
  const versions: Version[] = [{ at: endedAt + SECOND, endedAt, cost: isTold ? first : null }]
  // Three in a hundred are never told.
  if (!isTold && !dice.chance(0.1)) versions.push({ at: later(), endedAt, cost: first })
  if (!isFree && dice.chance(0.08)) versions.push({ at: later(), endedAt, cost: costText(provider, dice) })
  const told = versions.toSorted(byTime)
  if (dice.chance(0.03)) told.push(...hiccup(dice, told, watchedFrom))
  if (provider === 'b' && dice.chance(0.07)) return withTransferLeg(dice, told, endedAt)
  return told
}

/** The cost that was told is missing again: for good only where who reads every day has seen it. */
function hiccup(dice: Dice, versions: readonly Version[], watchedFrom: number): Version[] {
  const last = versions.at(-1)
  if (!last || last.cost === null) return []
  const at = last.at + dice.between(30 * HOUR, 40 * HOUR)
  if (at > (last.endedAt ?? 0) + LATEST_CHANGE) return []
  const missing = { ...last, at, cost: null }
  return at > watchedFrom + 30 * HOUR ? [missing] : [missing, { ...last, at: at + HOUR }]
}

/** The agent hung up, the people it connected go on: end and cost grow when they have finished, too. */
function withTransferLeg(dice: Dice, versions: readonly Version[], endedAt: number): Version[] {
  const legEndedAt = awayFromTheHour(endedAt + dice.between(MINUTE, 3 * HOUR))
  const at = legEndedAt + SECOND
  const before = versions.filter((version) => version.at < at)
  const after = versions.filter((version) => version.at >= at)
  const leg = { at, endedAt: legEndedAt, cost: costText('b', dice) }
  return [...before, leg, ...after.map((version) => ({ ...version, endedAt: legEndedAt }))]
}

const byTime = (a: Version, b: Version): number => a.at - b.at

/** Minutes or days after the end; now and then in the last moment before a full hour. */
function lateTime(dice: Dice, endedAt: number): number {
  const at = endedAt + (dice.chance(0.5) ? dice.between(MINUTE, HOUR) : dice.between(HOUR, LATEST_CHANGE))
  const hour = Math.floor(at / HOUR) * HOUR
  return dice.chance(0.1) && hour - SECOND > endedAt + MINUTE ? hour - SECOND : at
}

/** At most 15 digits, so that no reader of JSON has to round; more than six decimals, halves, and exponents among them. */
function costText(provider: Provider, dice: Dice): string {
  const kind = dice.between(0, 9)
  const cents = provider === 'b'
  if (kind === 0) return cents ? '0.00005' : '5e-7'
  if (kind === 1) return cents ? '1.5E-4' : '0.0000004'
  if (kind === 2) return `${dice.between(0, cents ? 99 : 2)}.${dice.digits(8)}5`
  if (kind === 3) return `${dice.between(1, cents ? 300 : 4)}`
  if (kind === 4) return `${dice.between(0, cents ? 99 : 1)}.${dice.digits(cents ? 10 : 12)}`
  return `${dice.between(0, cents ? 99 : 1)}.${dice.digits(4)}`
}

/** What the provider's lists have of the call now; nothing before it is made. */
export function versionNow({ clock }: Pick<World, 'clock'>, call: WorldCall): Version | undefined {
  const until = clock() - LAG
  return call.versions.findLast(({ at }) => at <= until)
}

/** Newest first, and those of one instant in any order. */
export function shuffledTies<T extends { call: WorldCall }>(found: readonly T[], dice: Dice): T[] {
  const keyed = found.map((one) => ({ one, key: dice.between(0, 1_000_000) }))
  const order = (a: (typeof keyed)[0], b: (typeof keyed)[0]) =>
    b.one.call.createdAt - a.one.call.createdAt || a.key - b.key
  return keyed.toSorted(order).map(({ one }) => one)
}

export { DAY, HOUR, MINUTE, SECOND }
