// Whose memories can move a ranking: those of the Mind itself, and nobody else's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteMemory } from '../../src/memory/embedded/store.ts'
import type { Service } from '../../src/service.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { crowd } from './crowd.ts'
import { samples } from './languages/samples.ts'
import { rankings } from './rankings.ts'
import { smallQuestions, smallTalk } from './small-talk.ts'
import { tellMind } from './told-mind.ts'

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

  it('is the same on both databases, to the last digit of each score, whatever the language', async () => {
    const occurredAt = '2031-05-01T10:00:00.000Z'
    const told = [
      ...smallTalk.slice(0, 60),
      ...samples.flatMap(({ memories }) => memories.map((content) => ({ content, occurredAt })))
    ]
    const questions = samples.flatMap((sample) => sample.questions.slice(0, 2).map(([question]) => question))
    const [onSqlite, onPostgres] = await Promise.all(
      databases.map(async (kind) => {
        const service = serviceOn(kind)
        const { mindKey } = await tellMind(service, told)
        return rankings(service, mindKey, [...smallQuestions, ...questions])
      })
    )
    expect(onSqlite).toContain('"score"')
    expect(onPostgres).toBe(onSqlite)
  })

  describe.each(databases)('on %s', (kind) => {
    let service: Service
    let mindKey: number
    let alone: string
    const told = smallTalk.slice(0, 60)
    beforeAll(async () => {
      service = serviceOn(kind)
      mindKey = (await tellMind(service, told)).mindKey
      alone = await rankings(service, mindKey, smallQuestions)
    })

    it('doesn’t change with memories of other Minds beside it', async () => {
      const texts = smallTalk.map(({ content }) => content)
      await crowd(service, texts, { minds: 4, each: 250 })
      expect(await rankings(service, mindKey, smallQuestions)).toBe(alone)
    })

    it('is as if a memory had never been once it is forgotten', async () => {
      const { mindKey: longer } = await tellMind(service, [
        ...told,
        {
          content: 'Ottilie: The sailing course, the violin and the roof!',
          occurredAt: '2031-06-01T00:00:00.000Z'
        }
      ])
      expect(await rankings(service, longer, smallQuestions)).not.toBe(alone)
      await service.database.transaction((tx) => deleteMemory(tx, longer, told.length + 1))
      expect(await rankings(service, longer, smallQuestions)).toBe(alone)
    })
  })
})
