import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LLM_KEY, type LlmBehaviour } from '../../support/ai/llm.ts'
import { databases } from '../../support/databases.ts'
import { everyRow } from '../../support/rows-snapshot.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { type AnsweringStage, answerCiting, openAnswering } from './stage.ts'

const DEADLINE_MS = 1_500
const PASSAGES = /^What this Mind holds on it.*The boat is called Nautilus/s

describe.each(databases)('a question on %s whose model', (kind) => {
  let test: AnsweringStage
  let ada: MemoryCaller
  beforeEach(async () => {
    test = await openAnswering(kind, { MEMORY_DEADLINE_MS: String(DEADLINE_MS) })
    ada = await makeMemoryCaller(test.service)
    await ada.call('remember', { content: 'Ada: The boat is called Nautilus.' })
    for (const name of ['memory_answer', 'memory_step']) {
      test.llm.on(name, answerCiting('It is called Nautilus', 'Nautilus'))
    }
  })
  afterEach(() => test.close())

  const question = 'What is the boat called?'
  const degraded = { answer: expect.stringMatching(PASSAGES), model: null, degraded: true, credits: 0 }
  const taken = () =>
    test.service.database.read.selectFrom('modelUsage').select(['calls', 'costMicros']).execute()

  const faults: [LlmBehaviour, number][] = [
    ['silent', 1],
    ['waits', 1],
    ['drips', 1],
    ['refuses-key', 0],
    ['limits', 0],
    ['overloaded', 0],
    ['rejects', 0],
    ['nonsense', 2],
    ['not-json', 0],
    ['cuts-off', 1],
    ['ends-early', 1],
    ['cut-at-limit', 1],
    ['redirects', 0],
    ['hangs-up', 0],
    ['too-large', 1]
  ]
  // The others differ in nothing that a database would notice.
  const tried = kind === 'sqlite' ? faults : faults.filter(([behaviour]) => behaviour === 'overloaded')
  it.each(tried)(
    '%s is answered by passages within its deadline and charged nothing',
    async (behaviour, calls) => {
      test.llm.behave(behaviour)
      const startedAt = performance.now()
      expect(await ada.call('ask', { question })).toMatchObject(degraded)
      expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS)
      expect(await balanceOf(test.service, ada.partnerId)).toBe(999)
      expect((await taken()).map((row) => row.calls)).toEqual(calls === 0 ? [] : [calls])
      expect(JSON.stringify([test.logs, await everyRow(test.service)])).not.toContain(LLM_KEY)
    }
  )

  it.each(['enhanced', 'deep'])('fails at the %s level is answered by passages', async (reasoningLevel) => {
    test.llm.behave('overloaded')
    expect(await ada.call('ask', { question, reasoningLevel })).toMatchObject({ ...degraded, reasoningLevel })
  })

  it('fails in the middle is answered by passages, and what it took is recorded', async () => {
    test.llm.on('memory_step', () => {
      test.llm.behave('silent')
      return { searches: ['sea'], isAnswered: false, answer: '', citations: [] }
    })
    expect(await ada.call('ask', { question, reasoningLevel: 'deep' })).toMatchObject(degraded)
    expect(await taken()).toEqual([{ calls: 2, costMicros: expect.any(Number) }])
  })

  it('failed three times is not waited for again', async () => {
    test.llm.behave('overloaded')
    for (let i = 0; i < 3; i += 1) await ada.call('ask', { question })
    test.llm.behave('silent')
    const startedAt = performance.now()
    expect(await ada.call('ask', { question })).toMatchObject(degraded)
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS / 2)
    expect(test.llm.requests).toHaveLength(3)
    expect(test.logs.join()).toContain('left alone for a while')
  })

  it('is slow, but not too slow, answers', async () => {
    test.llm.behave('waits', 1)
    const answering = ada.call('ask', { question })
    await expect.poll(() => test.llm.requests.length).toBe(1)
    test.llm.release()
    expect(await answering).toMatchObject({
      answer: 'It is called Nautilus [1]',
      degraded: false,
      credits: 1
    })
  })

  it('is needed no more has its call ended', async () => {
    test.llm.behave('silent')
    const leaving = new AbortController()
    const engine = test.service.memoryEngine
    const { key } = await test.service.database.read
      .selectFrom('mind')
      .select('key')
      .executeTakeFirstOrThrow()
    const asking = engine.ask(
      test.service.database.read,
      key,
      { text: question, level: 'standard' },
      leaving.signal
    )
    await expect.poll(() => test.llm.requests.length).toBe(1)
    leaving.abort(new Error('gone'))
    await expect(asking).rejects.toThrow('gone')
  })
})
