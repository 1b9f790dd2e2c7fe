// Provider A: a server that speaks what https://docs.vapi.ai/api-reference/calls says, and is as unkind as the real one.
import { answerLikeVapi } from '../../voice-agents/stand-in.ts'
import type { Dice } from './dice.ts'
import {
  type Asked,
  type CallsStandIn,
  doubled,
  type Fault,
  json,
  type Reply,
  startCallsStandIn,
  withNumbers
} from './server.ts'
import { DAY, shuffledTies, type Version, versionNow, type World, type WorldCall } from './world.ts'

const MOST = 1_000
/** Older calls are deleted: neither the list nor their id finds them. */
const RETENTION = 35 * DAY
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const startVapi = (world: World): Promise<CallsStandIn> =>
  startCallsStandIn(world.seed, (asked, fault, dice) => answer(world, asked, fault, dice))

function answer(world: World, asked: Asked, fault: Fault | undefined, dice: Dice): Reply {
  const { method, path, query } = asked
  if (method !== 'GET') return notFound(`Cannot ${method} ${path}`)
  if (path === '/call') return list(world, query, fault, dice)
  const [, id] = /^\/call\/([^/]+)$/.exec(path) ?? []
  if (id !== undefined) return find(world, id)
  const { status, body } = answerLikeVapi(world.agents.a, asked)
  return json(body, status)
}

const LIMITS: Record<string, (value: number, bound: number) => boolean> = {
  Gt: (value, bound) => value > bound,
  Lt: (value, bound) => value < bound,
  Ge: (value, bound) => value >= bound,
  Le: (value, bound) => value <= bound
}

/** A bare array, newest first; there is no cursor, and nothing says whether there are more. */
function list(world: World, query: URLSearchParams, fault: Fault | undefined, dice: Dice): Reply {
  const limit = Number(query.get('limit') ?? 100)
  if (!Number.isInteger(limit) || limit < 0 || limit > MOST)
    return refuse(['limit must not be greater than 1000'])
  const conditions: ((call: WorldCall, version: Version) => boolean)[] = []
  for (const [name, text] of query) {
    if (name === 'limit') continue
    if (name === 'assistantId') {
      conditions.push(({ agentId }) => agentId === text)
      continue
    }
    const [, column, comparison = ''] = /^(createdAt|updatedAt)(Gt|Lt|Ge|Le)$/.exec(name) ?? []
    const holds = LIMITS[comparison]
    const bound = Date.parse(text)
    if (!holds) return refuse([`property ${name} should not exist`])
    if (Number.isNaN(bound)) return refuse([`${name} must be a valid ISO 8601 date string`])
    conditions.push((call, version) => holds(column === 'createdAt' ? call.createdAt : version.at, bound))
  }
  const found = newestOf(world, limit, (call, version) => conditions.every((holds) => holds(call, version)))
  const page =
    fault === 'is-empty' && query.has('createdAtLe') ? [] : shuffledTies(found, dice).slice(0, limit)
  const items = fault === 'doubles' ? doubled(page).slice(0, limit) : page
  return { status: 200, body: `[${items.map(({ call, version }) => itemOf(call, version)).join()}]` }
}

interface Found {
  call: WorldCall
  version: Version
}

/** So many that match, and all others of the last one's instant. */
function newestOf(world: World, limit: number, matches: (call: WorldCall, version: Version) => boolean) {
  const found: Found[] = []
  for (const call of world.calls.a) {
    if (found.length >= limit && found.at(-1)?.call.createdAt !== call.createdAt) break
    const version = versionOf(world, call)
    if (version && matches(call, version)) found.push({ call, version })
  }
  return found
}

function find(world: World, id: string): Reply {
  if (!UUID.test(id)) return refuse(['id must be a UUID'])
  const call = world.calls.a.find((one) => one.id === id)
  const version = call && versionOf(world, call)
  return version ? { status: 200, body: itemOf(call, version) } : notFound('Call not found')
}

const versionOf = (world: World, call: WorldCall): Version | undefined =>
  call.createdAt > world.clock() - RETENTION ? versionNow(world, call) : undefined

/** The call as JSON, with its messages twice, as there: beside it, and in its artifact. */
export function itemOf(call: WorldCall, { at, endedAt, cost }: Version): string {
  const messages = [{ role: 'bot', message: 'm'.repeat(call.messageBytes / 2), time: call.createdAt }]
  const number = cost === null ? {} : { cost: `#${cost}` }
  return withNumbers({
    id: call.id,
    orgId: 'org',
    type: 'inboundPhoneCall',
    ...(call.agentId === null ? { squadId: 'squad' } : { assistantId: call.agentId }),
    createdAt: iso(call.createdAt),
    updatedAt: iso(at),
    ...(call.startedAt === null || call.startedAt > at ? {} : { startedAt: iso(call.startedAt) }),
    ...(endedAt === null
      ? { status: 'in-progress' }
      : { status: 'ended', endedAt: iso(endedAt), endedReason: 'customer-ended-call' }),
    ...number,
    ...(cost === null ? {} : { costBreakdown: { transport: 0, vapi: `#${cost}`, total: `#${cost}` } }),
    messages,
    artifact: { messages, recordingUrl: `https://storage.vapi.example/${call.id}.wav` }
  })
}

const iso = (at: number): string => new Date(at).toISOString()

const refuse = (message: string[]): Reply => json({ message, error: 'Bad Request', statusCode: 400 }, 400)
const notFound = (message: string): Reply => json({ message, error: 'Not Found', statusCode: 404 }, 404)
