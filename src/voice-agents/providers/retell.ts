// Provider B: Retell's API. https://docs.retellai.com/api-references
import { z } from 'zod'
import { fetchJson, UpstreamError } from '../../http/fetch-json.ts'
import {
  isAgentId,
  MAX_ANSWER_BYTES,
  MAX_PAGES,
  nameOf,
  PAGE_SIZE,
  type ProviderConnection,
  type VoiceProvider
} from './port.ts'

const Agent = z.object({ agent_id: z.string().max(100), agent_name: z.unknown() })

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
  async findAgent({ baseUrl, key, timeoutMs }, agentId) {
    if (!isAgentId(agentId)) return undefined
    try {
      const agent = await fetchJson(`${baseUrl}/get-agent/${agentId}`, Agent, {
        bearer: key,
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES
      })
      // The answer names what was asked for, or it is not an answer to the question.
      if (agent.agent_id !== agentId) throw new UpstreamError('malformed')
      return { id: agent.agent_id, name: nameOf(agent.agent_name, agent.agent_id) }
    } catch (error) {
      if (error instanceof UpstreamError && UNKNOWN.has(error.status ?? 0)) return undefined
      throw error
    }
  },

  async *listAgents(connection) {
    // Each published version of an agent is an item of its own.
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await listPage(connection, cursor)
      for (const { agent_id, agent_name } of answer.items) {
        if (!seen.has(agent_id)) yield { id: agent_id, name: nameOf(agent_name, agent_id) }
        seen.add(agent_id)
      }
      const next = answer.pagination_key ?? answer.items.at(-1)?.agent_id
      const hasMore = answer.has_more ?? answer.items.length >= PAGE_SIZE
      if (!hasMore || next === undefined || next === cursor) return
      cursor = next
    }
  }
}

const listPage = ({ baseUrl, key, timeoutMs }: ProviderConnection, cursor: string | undefined) =>
  fetchJson(`${baseUrl}/v2/list-agents`, AgentPage, {
    method: 'POST',
    body: { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { pagination_key: cursor }) },
    bearer: key,
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES
  })
