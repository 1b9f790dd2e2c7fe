// Provider B: Retell's API. https://docs.retellai.com/api-references
import { z } from 'zod'
import { askForFewer, costMicrosOf, endedCall, Figure, Id, lenient, Text } from './calls.ts'
import { ask, eachAgent, nameOf, oneAt, PAGE_SIZE, type VoiceProvider } from './port.ts'

const Agent = z
  .object({ agent_id: z.string().max(100), agent_name: z.unknown() })
  .transform(({ agent_id: id, agent_name: name }) => ({ id, name: nameOf(name, id) }))

/** Pages came as a bare array first, and come with a cursor beside the items now. */
const AgentPage = z.union([
  z.array(Agent).transform((items) => ({ items, pagination_key: undefined, has_more: undefined })),
  z.object({
    items: z.array(Agent),
    pagination_key: z.string().nullish(),
    has_more: z.boolean().optional()
  })
])

const Call = z
  .object({
    call_id: Id,
    agent_id: lenient(Id),
    start_timestamp: Figure,
    end_timestamp: Figure,
    duration_ms: Figure,
    disconnection_reason: Text,
    recording_url: Text,
    call_cost: lenient(z.looseObject({ combined_cost: Figure }))
  })
  .transform(({ call_id: id, call_cost: cost, ...told }) => ({
    id,
    call: endedCall({
      callId: id,
      agentId: told.agent_id,
      startedAt: told.start_timestamp,
      endedAt: told.end_timestamp,
      durationMs: told.duration_ms,
      outcome: told.disconnection_reason,
      recordingUrl: told.recording_url,
      // It counts in cents.
      costMicros: costMicrosOf(cost?.combined_cost, -2),
      cost
    })
  }))

const CallPage = z.object({
  items: z.array(Call.nullable().catch(null)),
  pagination_key: Text,
  has_more: lenient(z.boolean())
})

/** Lists have neither what was said nor recordings. */
const CALLS_AT_ONCE = 500

/** A malformed id is a 422 there, an unknown one a 404. */
const UNKNOWN = new Set([404, 422])

export const retell: VoiceProvider = {
  findAgent: (connection, agentId) =>
    oneAt(connection, '/get-agent', agentId, { schema: Agent, unknown: UNKNOWN }),

  listAgents: (connection) =>
    eachAgent(async (cursor) => {
      const body = { limit: PAGE_SIZE, pagination_key: cursor }
      const { items, ...page } = await ask(connection, '/v2/list-agents', AgentPage, { body })
      const hasMore = page.has_more ?? items.length >= PAGE_SIZE
      return { agents: items, next: hasMore ? (page.pagination_key ?? items.at(-1)?.id) : undefined }
    }),

  async listCalls(connection, { from, to }, cursor) {
    const ended = { type: 'range', op: 'bt', value: [Date.parse(from), Date.parse(to)] }
    const query = { filter_criteria: { end_timestamp: ended }, sort_order: 'ascending' }
    const { answer } = await askForFewer(CALLS_AT_ONCE, (limit) =>
      ask(connection, '/v3/list-calls', CallPage, {
        body: { ...query, limit, pagination_key: cursor ?? undefined }
      })
    )
    const calls = answer.items.flatMap((item) => item?.call ?? [])
    // One that begins with what was asked for would never end.
    const next = answer.pagination_key === cursor ? null : answer.pagination_key
    return { calls, next: answer.has_more === false ? null : next || null }
  },

  findCall: async (connection, callId) =>
    (await oneAt(connection, '/v2/get-call', callId, { schema: Call, unknown: UNKNOWN }))?.call
}
