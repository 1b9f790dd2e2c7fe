// Tells a conversation to a Mind of its own, through the service's own remember.
import { z } from 'zod'
import { execute } from '../src/execute.ts'
import { getMind } from '../src/memory/minds.ts'
import { createMind, rememberOperation } from '../src/memory/operations.ts'
import type { Conversation } from './memory-data.ts'
import type { MemoryFixture } from './memory-fixture.ts'

export interface ToldMind {
  key: number
  /** From the ids in the file to those of the service; words that were said twice within a day have one. */
  memoryIds: ReadonlyMap<string, string>
}

export async function tellConversation(
  { service, caller, customerId }: MemoryFixture,
  { id: name, memories }: Conversation
): Promise<ToldMind> {
  const call = { caller, requestId: 'bench' }
  const created = await execute(createMind, service, call, { customerId, name })
  const { mindId } = z.object({ mindId: z.string() }).parse(created.output)
  const memoryIds = new Map<string, string>()
  for (const { id, content, occurredAt } of memories) {
    const { output } = await execute(rememberOperation, service, call, {
      ...{ customerId, mindId, content, occurredAt }
    })
    memoryIds.set(id, z.object({ memoryId: z.string() }).parse(output).memoryId)
  }
  const mind = await getMind(service.database.read, { partnerId: caller.partnerId, customerId }, mindId)
  return { key: mind.key, memoryIds }
}
