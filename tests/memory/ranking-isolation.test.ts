// Whose memories can move a ranking: those of the Mind itself, and nobody else's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchMind } from '../../src/memory/embedded/search.ts'
import { deleteMemory } from '../../src/memory/embedded/store.ts'
import type { Service } from '../../src/service.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { crowd } from './crowd.ts'
import { smallQuestions, smallTalk } from './small-talk.ts'
import { tellMind } from './told-mind.ts'

/** Everything that a search says but the ids, which are made up. */
async function rankings(service: Service, mindKey: number): Promise<string> {
  const found = []
  for (const question of smallQuestions) {
    const { hits, ...figures } = await searchMind(service.database.read, mindKey, question, { limit: 50 })
    found.push({ question, figures, hits: hits.map(({ memoryId: _, ...hit }) => hit) })
  }
  return JSON.stringify(found, undefined, 1)
}

describe('the ranking of one Mind', () => {
  const opened = new Map<(typeof databases)[number], TestService>()
  beforeAll(async () => {
    for (const kind of databases) opened.set(kind, await openTestService(kind))
  })
  afterAll(async () => {
    for (const test of opened.values()) await test.close()
  })
  const serviceOn = (kind: (typeof databases)[number]): Service => {
    const test = opened.get(kind)
    if (!test) throw new Error(`No service on ${kind}`)
    return test.service
  }

  it('is the same on both databases, to the last digit of each score', async () => {
    const [onSqlite, onPostgres] = await Promise.all(
      databases.map(async (kind) => {
        const { mindKey } = await tellMind(serviceOn(kind), smallTalk)
        return rankings(serviceOn(kind), mindKey)
      })
    )
    expect(onSqlite).toContain('"score"')
    expect(onPostgres).toBe(onSqlite)
  })

  it.each(databases)(
    'doesn’t change with 50,000 memories of other Minds beside it, on %s',
    async (kind) => {
      const service = serviceOn(kind)
      const { mindKey } = await tellMind(service, smallTalk)
      const alone = await rankings(service, mindKey)
      const texts = smallTalk.map(({ content }) => content)
      await crowd(service, texts, { minds: 25, each: 2_000 })
      expect(await rankings(service, mindKey)).toBe(alone)
    },
    120_000
  )

  it.each(databases)('is as if a memory had never been once it is forgotten, on %s', async (kind) => {
    const service = serviceOn(kind)
    const { mindKey } = await tellMind(service, smallTalk)
    const before = await rankings(service, mindKey)
    const last = smallTalk.length
    const { mindKey: longer } = await tellMind(service, [
      ...smallTalk,
      {
        content: 'Ottilie: The sailing course, the violin and the roof!',
        occurredAt: '2031-06-01T00:00:00.000Z'
      }
    ])
    expect(await rankings(service, longer)).not.toBe(before)
    await service.database.transaction((tx) => deleteMemory(tx, longer, last + 1))
    expect(await rankings(service, longer)).toBe(before)
  })
})
