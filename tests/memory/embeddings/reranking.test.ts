// What a gateway's reranking does to answers, and what happens without it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usageOf } from '../../../src/llm/usage.ts'
import { openSearch } from '../../../src/memory/embedded/embeddings/searcher.ts'
import { openEmbedded } from '../../../src/memory/embedded-engine.ts'
import { expectCreditsToAddUp } from '../../credits/invariants.ts'
import { LLM_KEY, type LlmStandIn, startLlm } from '../../support/ai/llm.ts'
import type { LlmBehaviour } from '../../support/ai/llm-faults.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from '../caller.ts'

const QUESTION = 'Which physician is in the cottage?'
const TOLD = ['Ana: The cottage; a kettle.', 'Ana: The cottage; a medic.', 'Ana: My sister lives in Oslo.']

describe('ask with a reranker', () => {
  let llm: LlmStandIn
  let test: TestService
  let ada: MemoryCaller
  beforeAll(async () => {
    llm = await startLlm()
    test = await openTestService('sqlite', { LLM_URL: llm.url, LLM_KEY, RERANK_MODEL: 'sorts-1' })
  })
  beforeEach(async () => {
    llm.behave('good')
    llm.on('rerank', () => undefined)
    // With a breaker of its own, as after a start.
    const { engine } = openEmbedded(test.service.config, test.service.database)
    ada = (await makeMemoryCaller(test.service)).through({ memoryEngine: engine })
    for (const [index, content] of TOLD.entries())
      await ada.call('remember', { content, occurredAt: `2025-0${index + 1}-10T10:00:00.000Z` })
  })
  afterAll(async () => {
    await expectCreditsToAddUp(test.service.database.read)
    await test.close()
    await llm.close()
  })

  const requestsOf = async (work: () => Promise<unknown>) => {
    const before = llm.requests.length
    await work()
    return llm.requests.slice(before)
  }
  const keyOf = async ({ customerId }: MemoryCaller): Promise<number> => {
    const minds = test.service.database.read.selectFrom('mind').where('customerId', '=', customerId)
    return (await minds.select('key').executeTakeFirstOrThrow()).key
  }
  const scoring = (scoreOf: (text: string) => number) =>
    llm.on('rerank', ({ body }) => ({
      results: [body.documents]
        .flat()
        .map((text, index) => ({ index, relevance_score: scoreOf(String(text)) }))
    }))
  const firstOf = (answer: unknown) => /“(.*?)”/.exec(String(answer))?.[1]

  it('leads with what the reranker places first, and drops nothing', async () => {
    for (const [good, bad] of [
      ['medic', 'kettle'],
      ['kettle', 'medic']
    ] as const) {
      scoring((text) => (text.includes(good) ? 0.9 : 0.1))
      const { answer, degraded } = await ada.call('ask', { question: QUESTION })
      expect(firstOf(answer)).toContain(good)
      expect(answer).toContain(bad)
      expect(degraded).toBe(false)
    }
  })

  it('asks it once for an answer, of memories of this Mind that share something with the question', async () => {
    const asked = await requestsOf(() => ada.call('ask', { question: QUESTION, reasoningLevel: 'deep' }))
    expect(asked.map(({ path }) => path)).toEqual(['/v1/rerank'])
    expect(asked[0]?.body).toMatchObject({ query: QUESTION, model: 'sorts-1' })
    expect([asked[0]?.body.documents].flat().toSorted()).toEqual(TOLD.slice(0, 2).toSorted())
    const usages = await usageOf(test.service.database.read, await keyOf(ada))
    expect(usages).toEqual([expect.objectContaining({ purpose: 'ask', calls: 1, outputTokens: 0 })])
  })

  it('is neither asked by Remember and Recall nor where there is nothing to choose from', async () => {
    const asked = await requestsOf(async () => {
      await ada.call('recall')
      await ada.call('remember', { content: 'Ana: The garage code is 4711.' })
      await ada.call('ask', { question: 'Where does the sister live?' })
    })
    expect(asked).toEqual([])
  })

  it('moves a score by no more than its weight, and finds the same memories', async () => {
    const { read } = test.service.database
    const mindKey = await keyOf(ada)
    const reranker = {
      ...{ name: 'sorts-1', maxTexts: 50 },
      rerank: async (_: string, texts: readonly string[]) => ({
        scores: texts.map((text) => (text.includes('kettle') ? 0 : 1)),
        usage: { purpose: 'ask' as const, calls: 1, inputTokens: 1, outputTokens: 0, costMicros: 0 }
      })
    }
    const plain = await openSearch()(read, mindKey).search(QUESTION, 50)
    const sorted = await openSearch(undefined, reranker)(read, mindKey).search(QUESTION, 50)
    const scoreOf = ({ hits }: typeof plain, word: string) =>
      hits.find(({ content }) => content.includes(word))?.score ?? 0
    expect(sorted.hits.map(({ seq }) => seq).toSorted()).toEqual(plain.hits.map(({ seq }) => seq).toSorted())
    expect(scoreOf(sorted, 'kettle')).toBeCloseTo(scoreOf(plain, 'kettle'), 9)
    expect(scoreOf(sorted, 'medic')).toBeGreaterThan(scoreOf(plain, 'medic') + 1)
  })

  describe.each<LlmBehaviour>([
    'hangs-up',
    'silent',
    'limits',
    'overloaded',
    'nonsense',
    'not-json',
    'rejects'
  ])('whose gateway %s', (behaviour) => {
    it('gives what it would give without one, says so, and charges nothing', async () => {
      const plain = openEmbedded(
        { ...test.service.config, models: { ...test.service.config.models, rerankModel: undefined } },
        test.service.database
      )
      const { answer } = await ada.through({ memoryEngine: plain.engine }).call('ask', { question: QUESTION })
      const balance = await balanceOf(test.service, ada.partnerId)
      llm.behave(behaviour)
      expect(await ada.call('ask', { question: QUESTION })).toMatchObject({
        ...{ answer, degraded: true, credits: 0 }
      })
      expect(await balanceOf(test.service, ada.partnerId)).toBe(balance)
    })
  })

  it('goes on without an answer that names what it wasn’t given', async () => {
    llm.on('rerank', () => ({ results: [{ index: 7, relevance_score: 1 }] }))
    expect(await ada.call('ask', { question: QUESTION })).toMatchObject({
      ...{ answer: expect.stringContaining('medic'), degraded: true, credits: 0 }
    })
  })
})
