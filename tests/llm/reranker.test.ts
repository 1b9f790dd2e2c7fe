import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LlmStandIn, startLlm } from '../support/ai/llm.ts'
import type { LlmBehaviour } from '../support/ai/llm-faults.ts'
import { modelsAt } from './models.ts'

let llm: LlmStandIn
beforeEach(async () => {
  llm = await startLlm()
})
afterEach(() => llm.close())

const options = { purpose: 'ask', timeoutMs: 20_000 } as const
const TEXTS = ['a stone', 'my puppy', 'a car']
const rerank = (texts: readonly string[] = TEXTS) => modelsAt(llm).reranker.rerank('dog', texts, options)
const answering = (results: readonly (readonly [index: unknown, score: unknown])[], more: object = {}) =>
  llm.on('rerank', () => ({
    ...more,
    results: results.map(([index, score]) => ({ index, relevance_score: score }))
  }))

describe('a reranker', () => {
  it('says of each text, in their order, how well it answers', async () => {
    const { scores, usage } = await rerank()
    expect(scores).toHaveLength(3)
    expect(scores.indexOf(Math.max(...scores))).toBe(1)
    expect(llm.requests[0]).toMatchObject({
      path: '/v1/rerank',
      body: { model: 'sorts-1', query: 'dog', documents: TEXTS, top_n: 3 }
    })
    expect(usage).toMatchObject({ purpose: 'ask', calls: 1, outputTokens: 0 })
    expect(usage.inputTokens).toBeGreaterThan(3)
    expect(usage.costMicros).toBe(usage.inputTokens)
  })

  it('counts what the gateway says that it took', async () => {
    answering([[0, 0.5]], { usage: { total_tokens: 77 } })
    expect((await rerank()).usage).toMatchObject({ inputTokens: 77, costMicros: 77 })
  })

  it('sends no more than 50 texts of 1,000 characters', async () => {
    await rerank(Array.from({ length: 60 }, () => 'word '.repeat(1_000)))
    const documents = [llm.requests[0]?.body.documents].flat().map(String)
    expect(documents).toHaveLength(50)
    expect(Math.max(...documents.map(({ length }) => length))).toBe(1_000)
  })

  it('makes likelihoods of scores that have no bounds', async () => {
    answering([
      [1, 4.2],
      [2, 0],
      [0, -900]
    ])
    const { scores } = await rerank()
    expect(scores.map((score) => Math.round(score * 100))).toEqual([0, 99, 50])
  })

  it('takes what a gateway keeps to itself for no answer', async () => {
    answering([[1, 0.25]])
    expect((await rerank()).scores).toEqual([0, 0.25, 0])
  })

  it.each<[string, [unknown, unknown][]]>([
    ['nothing', []],
    ['a text that wasn’t given', [[3, 0.5]]],
    ['a place before the first', [[-1, 0.5]]],
    ['half a place', [[0.5, 0.5]]],
    [
      'one text twice',
      [
        [1, 0.5],
        [1, 0.4]
      ]
    ],
    ['a score that is none', [[1, 'good']]],
    ['no score', [[1, null]]]
  ])('takes no answer that names %s', async (_, results) => {
    answering(results)
    await expect(rerank()).rejects.toMatchObject({ fault: 'malformed', usage: { calls: 1 } })
  })

  const faults: [LlmBehaviour, string][] = [
    ['silent', 'timeout'],
    ['nonsense', 'malformed'],
    ['not-json', 'failed'],
    ['limits', 'limited'],
    ['overloaded', 'failed'],
    ['rejects', 'refused'],
    ['redirects', 'failed'],
    ['hangs-up', 'unreachable'],
    ['refuses-key', 'unauthorized'],
    ['too-large', 'too_large']
  ]
  it.each(faults)('that %s fails with %s', async (behaviour, fault) => {
    llm.behave(behaviour)
    const timeoutMs = fault === 'timeout' ? 300 : 20_000
    const asked = modelsAt(llm).reranker.rerank('dog', TEXTS, { ...options, timeoutMs })
    await expect(asked).rejects.toMatchObject({ fault })
  })

  it('is asked again without a parameter that the gateway doesn’t take', async () => {
    llm.unsupported.add('top_n')
    await rerank()
    expect(llm.requests.map(({ body }) => 'top_n' in body)).toEqual([true, false])
  })
})
