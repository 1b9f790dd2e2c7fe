// A Mind that was told something, through the engine's own writing.
import { now } from '../../src/clock.ts'
import type { ReadHandle } from '../../src/database/database.ts'
import { newId } from '../../src/ids.ts'
import { embeddedEngine } from '../../src/memory/embedded-engine.ts'
import { newestMemories } from '../../src/memory/memories.ts'
import type { Service } from '../../src/service.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'

export interface Told {
  content: string
  occurredAt: string
}

export interface ToldMind {
  mindKey: number
  /** In the order of telling. */
  memoryIds: readonly string[]
}

/** Tells a new Mind these texts, one after the other; what has no time happened just now. */
export async function tellMind(service: Service, texts: readonly (string | Told)[]): Promise<ToldMind> {
  const { id: partnerId } = await makePartnerRow(service)
  const { id: customerId } = await makeCustomerRow(service, partnerId)
  const times = { createdAt: now(), updatedAt: now() }
  return service.database.transaction(async (tx) => {
    const { key: mindKey } = await tx
      .insertInto('mind')
      .values({
        ...{ id: newId('mnd'), partnerId, customerId, name: 'Primary', description: null, isPrimary: 1 },
        ...{ memoryCount: texts.length, nextSeq: texts.length + 1, ...times }
      })
      .returning('key')
      .executeTakeFirstOrThrow()
    const memoryIds: string[] = []
    for (const [index, text] of texts.entries()) {
      const told = typeof text === 'string' ? { content: text, occurredAt: now() } : text
      const id = newId('mem')
      const store = await embeddedEngine.prepare(told, partnerId)
      await store(tx, { mindKey, seq: index + 1, id, contentHash: id, createdAt: now() })
      memoryIds.push(id)
    }
    return { mindKey, memoryIds }
  })
}

/** What Recall says of the Mind, as of that time. */
export const stateOf = async (db: ReadHandle, mindKey: number, at: string) =>
  embeddedEngine.recall(db, mindKey, at, await newestMemories(db, mindKey, 20, 8_000))
