// Provider B: Retell's API. https://docs.retellai.com/api-references
import { z } from 'zod'
import { agentAt, ask, MAX_PAGES, nameOf, PAGE_SIZE, type VoiceProvider } from './port.ts'

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

/** A malformed id is a 422 there, an unknown one a 404. */
const UNKNOWN = new Set([404, 422])

export const retell: VoiceProvider = {
  findAgent: (connection, agentId) =>
    agentAt(connection, '/get-agent', agentId, { schema: Agent, unknown: UNKNOWN }),

  async *listAgents(connection) {
    // Each published version of an agent is an item of its own.
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await ask(connection, '/v2/list-agents', AgentPage, {
        limit: PAGE_SIZE,
        ...(cursor === undefined ? {} : { pagination_key: cursor })
      })
      for (const agent of answer.items) {
        if (!seen.has(agent.id)) yield agent
        seen.add(agent.id)
      }
      const next = answer.pagination_key ?? answer.items.at(-1)?.id
      const hasMore = answer.has_more ?? answer.items.length >= PAGE_SIZE
      if (!hasMore || next === undefined || next === cursor) return
      cursor = next
    }
  }
}
