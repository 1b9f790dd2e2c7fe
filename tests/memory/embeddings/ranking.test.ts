// What meaning does to the ranking of a Mind, and who can do it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenSearcher, openSearch } from '../../../src/memory/embedded/embeddings/searcher.ts'
import { insertVectors } from '../../../src/memory/embedded/embeddings/store.ts'
import { type SearchResult, searchMind } from '../../../src/memory/embedded/search.ts'
import type { Service } from '../../../src/service.ts'
import { type LlmStandIn, startLlm } from '../../support/ai/llm.ts'
import { type DatabaseKind, databases } from '../../support/databases.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { crowd } from '../crowd.ts'
import { smallTalk as longTalk, smallQuestions } from '../small-talk.ts'
import { tellMind } from '../told-mind.ts'
import { embeddingEnv, meaningOf } from './meaning.ts'

/** Six sessions of it. */
const smallTalk = longTalk.slice(0, 60)

/** Each asks in other words, or in another language, for the memory beside it. */
const paraphrased: readonly [question: string, memory: string][] = [
  ['Any dog lately?', 'Ana: Unser Hund heißt Rex.'],
  ['Which doctor?', 'Ana: Meine Ärztin heißt Vogt.'],
  ['Sick again?', 'Ana: Unwell, poor Ben.'],
  ['Cheerful lately?', 'Ana: Ben looks glad.'],
  ['Which dwelling?', 'Ana: Our home has shutters.'],
  ['Bought cheaply?', 'Ana: Acquired by Ben.']
]
/** They share words with the questions, and answer none. */
const distracting = ['Ana: Nothing happened lately.', 'Ben: Again and again.', 'Ben: They travel cheaply.']

/** Everything that it says but the ids, which are made up. */
const told = ({ hits, ...figures }: SearchResult) => ({
  ...figures,
  hits: hits.map(({ memoryId: _, ...hit }) => hit)
})

describe('the ranking by meaning', () => {
  let llm: LlmStandIn
  const opened = new Map<DatabaseKind, TestService>()
  beforeAll(async () => {
    llm = await startLlm()
    for (const kind of databases) opened.set(kind, await openTestService(kind, embeddingEnv(llm)))
  })
  afterAll(async () => {
    for (const test of opened.values()) await test.close()
    await llm.close()
  })
  const serviceOn = (kind: DatabaseKind): Service => {
    const test = opened.get(kind)
    if (!test) throw new Error(`No service on ${kind}`)
    return test.service
  }
  const rankings = async (service: Service, mindKey: number, openSearcher: OpenSearcher) => {
    const searcher = openSearcher(service.database.read, mindKey)
    const found = []
    for (const question of smallQuestions) found.push(told(await searcher.search(question, 50)))
    return found
  }

  it('finds what is said in other words, beside memories that share words with the question', async () => {
    const service = serviceOn('sqlite')
    const { mindKey } = await tellMind(service, [...distracting, ...paraphrased.map(([, memory]) => memory)])
    const meaning = meaningOf(service)
    await meaning.fill()
    /** The mean of 1 / rank, and the share of answers among the first five. */
    const measure = async (openSearcher: OpenSearcher) => {
      let [meanReciprocalRank, recallAt5] = [0, 0]
      for (const [question, memory] of paraphrased) {
        const { hits } = await openSearcher(service.database.read, mindKey).search(question, 5)
        const rank = hits.findIndex(({ content }) => content === memory) + 1
        if (rank === 0) continue
        meanReciprocalRank += 1 / rank / paraphrased.length
        recallAt5 += 1 / paraphrased.length
      }
      return { meanReciprocalRank, recallAt5 }
    }
    const byWords = await measure(openSearch())
    const byMeaning = await measure(meaning.openSearcher)
    expect(byMeaning.recallAt5).toBeCloseTo(1)
    expect(byMeaning.recallAt5).toBeGreaterThan(byWords.recallAt5 + 0.3)
    expect(byMeaning.meanReciprocalRank).toBeGreaterThan(byWords.meanReciprocalRank + 0.3)
  })

  it('lifts among equal words what is nearer, by the score alone', async () => {
    const service = serviceOn('sqlite')
    const { mindKey } = await tellMind(service, [
      { content: 'Ana: The cottage; a medic.', occurredAt: '2031-01-10T10:00:00.000Z' },
      { content: 'Ana: The cottage; a kettle.', occurredAt: '2031-02-10T10:00:00.000Z' }
    ])
    const meaning = meaningOf(service)
    await meaning.fill()
    const search = (openSearcher: OpenSearcher) =>
      openSearcher(service.database.read, mindKey).search('Which physician is in the cottage?', 5)
    const [first, second] = (await search(openSearch())).hits
    const [nearer, farther] = (await search(meaning.openSearcher)).hits
    expect(first?.score).toBe(second?.score)
    expect([nearer?.seq, farther?.seq]).toEqual([1, 2])
    expect(nearer?.score).toBeGreaterThan(farther?.score ?? 0)
  })

  describe.each(databases)('on %s', (kind) => {
    it('is that by words, to the last digit, without vectors and without a gateway', async () => {
      const service = serviceOn(kind)
      const { mindKey } = await tellMind(service, smallTalk)
      const { read } = service.database
      const byWords = []
      for (const question of smallQuestions) {
        byWords.push(told(await searchMind(read, mindKey, question, { limit: 50 })))
      }
      const meaning = meaningOf(service)
      expect(await rankings(service, mindKey, openSearch())).toEqual(byWords)
      expect(await rankings(service, mindKey, meaning.openSearcher)).toEqual(byWords)
      await meaning.fill()
      expect(await rankings(service, mindKey, meaning.openSearcher)).not.toEqual(byWords)
      llm.behave('overloaded')
      expect(await rankings(service, mindKey, meaningOf(service).openSearcher)).toEqual(byWords)
      llm.behave('good')
    })

    it('reads no vectors but the Mind’s own', async () => {
      const service = serviceOn(kind)
      const { mindKey } = await tellMind(service, smallTalk)
      const meaning = meaningOf(service)
      await meaning.fill()
      const alone = await rankings(service, mindKey, meaning.openSearcher)
      const texts = smallTalk.map(({ content }) => content)
      await crowd(service, texts, { minds: 2, each: 60 })
      await meaning.fill()
      expect(await rankings(service, mindKey, meaning.openSearcher)).toEqual(alone)
    })

    it('is as if a memory had never been once it is forgotten', async () => {
      const service = serviceOn(kind)
      const { mindKey } = await tellMind(service, [...smallTalk, 'Ottilie: The tax, the roof, the dog!'])
      const { mindKey: shorter } = await tellMind(service, smallTalk)
      const meaning = meaningOf(service)
      await meaning.fill()
      const expected = await rankings(service, shorter, meaning.openSearcher)
      expect(await rankings(service, mindKey, meaning.openSearcher)).not.toEqual(expected)
      await service.database.transaction((tx) => meaning.engine.forget(tx, mindKey, smallTalk.length + 1))
      expect(await rankings(service, mindKey, meaning.openSearcher)).toEqual(expected)
    })
  })

  it('is the same on both databases, to the last digit', async () => {
    const [onSqlite, onPostgres] = await Promise.all(
      databases.map(async (kind) => {
        const { mindKey } = await tellMind(serviceOn(kind), smallTalk)
        const meaning = meaningOf(serviceOn(kind))
        await meaning.fill()
        return rankings(serviceOn(kind), mindKey, meaning.openSearcher)
      })
    )
    expect(onPostgres).toEqual(onSqlite)
  })

  it('looks through no more than about the newest 20,000 memories', async () => {
    const service = serviceOn('sqlite')
    const { mindKey } = await tellMind(service, ['Ana: Wir haben einen Hund.'])
    const meaning = meaningOf(service)
    await meaning.fill()
    const found = async () =>
      (await meaning.openSearcher(service.database.read, mindKey).search('Which dog?', 5)).hits.length
    const fill = (from: number, to: number) =>
      service.database.transaction(async (tx) => {
        const far = Float32Array.from({ length: 512 }, (_, index) => (index === 0 ? 1 : 0))
        for (let seq = from; seq <= to; seq += 1_000) {
          const vectors = Array.from({ length: Math.min(1_000, to - seq + 1) }, (_, index) => ({
            seq: seq + index,
            vector: far
          }))
          await insertVectors(tx, mindKey, vectors)
        }
      })
    await fill(2, 20_000)
    expect(await found()).toBe(1)
    await fill(20_001, 20_600)
    expect(await found()).toBe(0)
  })
})
