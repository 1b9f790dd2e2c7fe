// Provider A: Vapi's API. https://docs.vapi.ai/api-reference/assistants
import { z } from 'zod'
import { agentAt, ask, MAX_PAGES, nameOf, PAGE_SIZE, type VoiceProvider } from './port.ts'

const Assistant = z
  .object({ id: z.string().max(100), name: z.unknown(), createdAt: z.string().optional() })
  .transform(({ id, name, createdAt }) => ({ id, name: nameOf(name, id), createdAt }))

/** An id that isn't a UUID is a 400 there, an unknown one a 404. */
const UNKNOWN = new Set([400, 404])

export const vapi: VoiceProvider = {
  findAgent: (connection, agentId) =>
    agentAt(connection, '/assistant', agentId, { schema: Assistant, unknown: UNKNOWN }),

  async *listAgents(connection) {
    let before = ''
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = new URLSearchParams({
        limit: String(PAGE_SIZE),
        ...(before ? { createdAtLt: before } : {})
      })
      const assistants = await ask(connection, `/assistant?${query}`, z.array(Assistant))
      for (const { id, name } of assistants) yield { id, name }
      const oldest = assistants.at(-1)?.createdAt ?? ''
      if (assistants.length < PAGE_SIZE || oldest === '' || oldest === before) return
      before = oldest
    }
  }
}
