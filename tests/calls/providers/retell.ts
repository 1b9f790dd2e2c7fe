// Provider B: a server that speaks what https://docs.retellai.com/api-references/list-calls says, and is as unkind.
import { nanoid } from 'nanoid'
import { z } from 'zod'
import { answerLikeRetell } from '../../voice-agents/stand-in.ts'
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
import { type Version, versionNow, type World, type WorldCall } from './world.ts'

const Numbers = z.union([
  z.strictObject({ type: z.literal('range'), op: z.literal('bt'), value: z.tuple([z.number(), z.number()]) }),
  z.strictObject({
    type: z.literal('number'),
    op: z.enum(['eq', 'ne', 'gt', 'ge', 'lt', 'le']),
    value: z.number()
  })
])
type Numbers = z.output<typeof Numbers>

/** Whatever isn't in it is refused. */
const ListCalls = z.strictObject({
  filter_criteria: z
    .strictObject({
      end_timestamp: Numbers.optional(),
      start_timestamp: Numbers.optional(),
      call_status: z
        .strictObject({
          type: z.literal('enum'),
          op: z.literal('in'),
          value: z.array(z.enum(['not_connected', 'ongoing', 'ended', 'error']))
        })
        .optional()
    })
    .optional(),
  limit: z.int().min(1).max(1_000).default(50),
  pagination_key: z.string().optional(),
  sort_order: z.enum(['ascending', 'descending']).default('descending')
})

export const startRetell = (world: World): Promise<CallsStandIn> =>
  startCallsStandIn(world.seed + 1, (asked, fault) => answer(world, asked, fault))

function answer(world: World, asked: Asked, fault: Fault | undefined): Reply {
  const { method, path, body } = asked
  if (method === 'POST' && path === '/v3/list-calls') return list(world, body, fault)
  const [, id] = /^\/v2\/get-call\/([^/]+)$/.exec(path) ?? []
  if (method === 'GET' && id !== undefined) return find(world, id)
  const agents = answerLikeRetell(world.agents.b, asked, body)
  return json(agents.body, agents.status)
}

interface Found {
  call: WorldCall
  version: Version
}

function list(world: World, body: unknown, fault: Fault | undefined): Reply {
  const asked = ListCalls.safeParse(body)
  if (!asked.success)
    return refuse(asked.error.issues.map(({ path, message }) => `${path}: ${message}`).join())
  const { filter_criteria: filter = {}, limit, pagination_key: key, sort_order: order } = asked.data
  const calls = order === 'ascending' ? world.calls.b.toReversed() : world.calls.b
  const last = key === undefined ? -1 : calls.findIndex(({ id }) => id === idIn(key))
  if (key !== undefined && last === -1) return refuse('Invalid pagination_key')
  const start = fault === 'repeats' ? Math.max(0, last - 1) : last + 1
  const found = calls.slice(start).flatMap((call): Found[] => {
    const version = versionNow(world, call)
    return version && matches(filter, call, version) ? [{ call, version }] : []
  })
  // Some pages are empty and not the last ones: their key leads on.
  const page = fault === 'is-empty' && key !== undefined ? [] : found.slice(0, limit)
  const hasMore = page.length < found.length
  const next = hasMore ? keyOf(page.at(-1)?.call.id ?? idIn(key ?? '')) : undefined
  const items = (fault === 'doubles' ? doubled(page) : page).map(({ call, version }) => listed(call, version))
  const cursor = next === undefined ? '' : `,"pagination_key":${JSON.stringify(next)}`
  return { status: 200, body: `{"items":[${items.join()}],"has_more":${hasMore}${cursor}}` }
}

/** Opaque: another one each time, and nobody's id. */
const keyOf = (id: string): string => Buffer.from(`${nanoid(4)}:${id}`).toString('base64url')
const idIn = (key: string): string => Buffer.from(key, 'base64url').toString().slice(5)

type Filter = NonNullable<z.output<typeof ListCalls>['filter_criteria']>

function matches(filter: Filter, call: WorldCall, version: Version): boolean {
  const { end_timestamp: end, start_timestamp: start, call_status: status } = filter
  return (
    (!end || (version.endedAt !== null && within(end, version.endedAt))) &&
    (!start || (call.startedAt !== null && within(start, call.startedAt))) &&
    (!status || status.value.some((one) => one === statusOf(call, version)))
  )
}

function within(filter: Numbers, value: number): boolean {
  if (filter.type === 'range') return value >= filter.value[0] && value <= filter.value[1]
  const { op, value: bound } = filter
  if (op === 'eq' || op === 'ne') return (value === bound) === (op === 'eq')
  if (op === 'gt' || op === 'ge') return op === 'gt' ? value > bound : value >= bound
  return op === 'lt' ? value < bound : value <= bound
}

function find(world: World, id: string): Reply {
  const call = world.calls.b.find((one) => one.id === id)
  const version = call && versionNow(world, call)
  if (!version) return json({ status: 'error', message: 'Item not found' }, 404)
  const body = withNumbers({
    ...fieldsOf(call, version),
    transcript: 't'.repeat(call.messageBytes),
    recording_url: `https://storage.retell.example/${call.id}.wav`
  })
  return { status: 200, body }
}

/** v3 lists neither transcripts nor recordings. */
const listed = (call: WorldCall, version: Version): string => withNumbers(fieldsOf(call, version))

const statusOf = ({ startedAt }: WorldCall, { endedAt }: Version) =>
  endedAt === null ? 'ongoing' : startedAt === null ? 'error' : 'ended'

export function fieldsOf(call: WorldCall, version: Version) {
  const { endedAt, cost } = version
  const { startedAt } = call
  const seconds = endedAt === null || startedAt === null ? 0 : Math.round((endedAt - startedAt) / 1_000)
  return {
    call_id: call.id,
    call_type: 'phone_call',
    ...(call.agentId === null ? {} : { agent_id: call.agentId, agent_version: 0 }),
    call_status: statusOf(call, version),
    ...(startedAt === null || startedAt > version.at ? {} : { start_timestamp: startedAt }),
    ...(endedAt === null ? {} : { end_timestamp: endedAt, disconnection_reason: 'user_hangup' }),
    ...(endedAt === null || startedAt === null ? {} : { duration_ms: endedAt - startedAt }),
    ...(cost === null
      ? {}
      : {
          call_cost: {
            combined_cost: `#${cost}`,
            product_costs: [{ product: 'elevenlabs_tts', unit_price: 0.1166666667, cost: `#${cost}` }],
            total_duration_seconds: seconds,
            total_duration_unit_price: 0.1166666667
          }
        })
  }
}

const refuse = (message: string): Reply => json({ status: 'error', message }, 422)
