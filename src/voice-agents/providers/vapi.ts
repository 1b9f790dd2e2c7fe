// Provider A: Vapi's API. https://docs.vapi.ai/api-reference/assistants
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

const Assistant = z.object({ id: z.string().max(100), name: z.unknown(), createdAt: z.string().optional() })

/** An id that isn't a UUID is a 400 there, an unknown one a 404. */
const UNKNOWN = new Set([400, 404])

export const vapi: VoiceProvider = {
  async findAgent(connection, agentId) {
    if (!isAgentId(agentId)) return undefined
    try {
      const assistant = await get(connection, `/assistant/${agentId}`, Assistant)
      // The answer names what was asked for, or it is not an answer to the question.
      if (assistant.id !== agentId) throw new UpstreamError('malformed')
      return { id: assistant.id, name: nameOf(assistant.name, assistant.id) }
    } catch (error) {
      if (error instanceof UpstreamError && UNKNOWN.has(error.status ?? 0)) return undefined
      throw error
    }
  },

  async *listAgents(connection) {
    let before = ''
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = new URLSearchParams({
        limit: String(PAGE_SIZE),
        ...(before ? { createdAtLt: before } : {})
      })
      const assistants = await get(connection, `/assistant?${query}`, z.array(Assistant))
      for (const { id, name } of assistants) yield { id, name: nameOf(name, id) }
      const oldest = assistants.at(-1)?.createdAt ?? ''
      if (assistants.length < PAGE_SIZE || oldest === '' || oldest === before) return
      before = oldest
    }
  }
}

const get = <T>(
  { baseUrl, key, timeoutMs }: ProviderConnection,
  path: string,
  schema: z.ZodType<T>
): Promise<T> => fetchJson(baseUrl + path, schema, { bearer: key, timeoutMs, maxBytes: MAX_ANSWER_BYTES })
