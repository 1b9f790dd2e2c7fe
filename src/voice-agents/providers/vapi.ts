// Provider A: Vapi's API. https://docs.vapi.ai/api-reference/assistants
import { z } from 'zod'
import { askForFewer, costMicrosOf, endedCall, Figure, Id, instantOf, lenient, Text } from './calls.ts'
import {
  ask,
  eachAgent,
  nameOf,
  oneAt,
  PAGE_SIZE,
  type ProviderConnection,
  type VoiceProvider
} from './port.ts'

const Assistant = z
  .object({ id: z.string().max(100), name: z.unknown(), createdAt: z.string().optional() })
  .transform(({ id, name, createdAt }) => ({ id, name: nameOf(name, id), createdAt }))

const Call = z
  .object({
    id: Id,
    assistantId: lenient(Id),
    createdAt: Text,
    startedAt: Text,
    endedAt: Text,
    endedReason: Text,
    cost: Figure,
    costBreakdown: lenient(z.looseObject({})),
    recordingUrl: Text,
    artifact: lenient(z.object({ recordingUrl: Text }))
  })
  .transform(({ id, createdAt, cost, ...told }) => ({
    id,
    createdAt,
    call: endedCall({
      callId: id,
      agentId: told.assistantId,
      startedAt: told.startedAt,
      endedAt: told.endedAt,
      outcome: told.endedReason,
      recordingUrl: told.artifact?.recordingUrl ?? told.recordingUrl,
      costMicros: costMicrosOf(cost),
      cost: told.costBreakdown
    })
  }))

const Calls = z.array(Call.nullable().catch(null))

/** Where a pass stands: what was made until then is yet to be read, so many at a time. */
const CallCursor = z.object({ before: z.string().nullable(), limit: z.int() })

/** Calls bring all that was said in them. */
const FIRST_LIMIT = 50
const HIGHEST_LIMIT = 1_000
/** Of what can't be cut into smaller pages: a single call, or those of one instant. */
const MAX_UNCUT_BYTES = 16 * 1024 * 1024

const ASKED_AGAIN = 3

/** An id that isn't a UUID is a 400 there, an unknown one a 404. */
const UNKNOWN = new Set([400, 404])

export const vapi: VoiceProvider = {
  findAgent: (connection, agentId) =>
    oneAt(connection, '/assistant', agentId, { schema: Assistant, unknown: UNKNOWN }),

  listAgents: (connection) =>
    eachAgent(async (before) => {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(before && { createdAtLt: before }) })
      const agents = await ask(connection, `/assistant?${query}`, z.array(Assistant))
      return { agents, next: agents.length < PAGE_SIZE ? undefined : agents.at(-1)?.createdAt }
    }),

  async listCalls(connection, { from }, cursor) {
    const start = { before: null, limit: FIRST_LIMIT }
    const { before, limit } = CallCursor.parse(cursor === null ? start : JSON.parse(cursor))
    const pageOf = (most: number, isUncut: boolean) => pageOfCalls(connection, from, before, most, isUncut)
    const page = await askForFewer(limit, (fewer) => pageOf(fewer, fewer === 1))
    let { answer } = page
    // They come newest first. A page that is full of one instant would come again and again: more at a time, then.
    for (let more = page.limit; answer.isFull && answer.oldest === before && more < HIGHEST_LIMIT; ) {
      more = Math.min(more * 2, HIGHEST_LIMIT)
      answer = await pageOf(more, true)
    }
    const { calls, oldest, isFull } = answer
    if (oldest === undefined || (oldest === before && !isFull)) return { calls, next: null }
    // A thousand of one millisecond can't be told apart; on with what was made before.
    const next = oldest === before ? new Date(Date.parse(oldest) - 1).toISOString() : oldest
    return { calls, next: JSON.stringify({ before: next, limit: page.limit }) }
  },

  findCall: async (connection, callId) =>
    (await oneAt(connection, '/call', callId, { schema: Call, unknown: UNKNOWN }))?.call
}

/** With calls made until `before` there is at least that one: where there is none, the page is asked for again. */
async function pageOfCalls(
  connection: ProviderConnection,
  from: string,
  before: string | null,
  limit: number,
  isUncut: boolean
) {
  const until = before === null ? {} : { createdAtLe: before }
  const query = new URLSearchParams({ limit: String(limit), updatedAtGe: from, ...until })
  const bound = isUncut ? { maxBytes: MAX_UNCUT_BYTES } : {}
  const askOnce = () => ask(connection, `/call?${query}`, Calls, bound)
  let items = await askOnce()
  for (let again = 0; items.length === 0 && before !== null && again < ASKED_AGAIN; again += 1)
    items = await askOnce()
  const made = items.map((item) => item?.createdAt ?? '').filter((at) => instantOf(at) !== undefined)
  const oldest = made.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0]
  return { calls: items.flatMap((item) => item?.call ?? []), oldest, isFull: items.length >= limit }
}
