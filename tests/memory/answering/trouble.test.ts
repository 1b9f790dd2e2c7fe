import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LLM_KEY } from '../../support/ai/llm.ts'
import type { LlmBehaviour } from '../../support/ai/llm-faults.ts'
import { everyRow } from '../../support/rows-snapshot.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { type AnsweringFixture, answerCiting, openAnswering } from './fixture.ts'

/** Of which the model has three quarters: the rest must do for the passages, however busy the machine is. */
const DEADLINE_MS = 4_000
const PASSAGES = /^What this Mind holds on it.*The boat is called Nautilus/s

interface ToldFixture extends AnsweringFixture {
  ada: MemoryCaller
}

async function openTold(): Promise<ToldFixture> {
  const fixture = await openAnswering('sqlite', { MEMORY_DEADLINE_MS: String(DEADLINE_MS) })
  const ada = await makeMemoryCaller(fixture.service)
  await ada.call('remember', { content: 'Ada: The boat is called Nautilus.' })
  for (const name of ['memory_answer', 'memory_step']) {
    fixture.llm.on(name, answerCiting('It is called Nautilus', 'Nautilus'))
  }
  return { ...fixture, ada }
}

describe('a question whose model', () => {
  let test: ToldFixture
  let ada: MemoryCaller
  beforeEach(async () => {
    test = await openTold()
    ada = test.ada
  })
  afterEach(() => test.close())

  const question = 'What is the boat called?'
  const degraded = { answer: expect.stringMatching(PASSAGES), model: null, degraded: true, credits: 0 }
  const taken = ({ service } = test) =>
    service.database.read.selectFrom('modelUsage').select(['calls', 'costMicros']).execute()

  /** An answer that came later than at the deadline would be a refusal. */
  const expectPassages = async (fixture: ToldFixture, calls: number) => {
    expect(await fixture.ada.call('ask', { question })).toMatchObject(degraded)
    expect(await balanceOf(fixture.service, fixture.ada.partnerId)).toBe(999)
    expect((await taken(fixture)).map((row) => row.calls)).toEqual(calls === 0 ? [] : [calls])
    expect(JSON.stringify([fixture.logs, await everyRow(fixture.service)])).not.toContain(LLM_KEY)
  }

  it.each<[LlmBehaviour, number]>([
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
  ])('%s is answered by passages and charged nothing', async (behaviour, calls) => {
    test.llm.behave(behaviour)
    await expectPassages(test, calls)
  })

  it('keeps it waiting is answered by passages within its deadline and charged nothing', async () => {
    const answered = (['silent', 'waits', 'drips'] as const).map(async (behaviour) => {
      const fixture = await openTold()
      fixture.llm.behave(behaviour)
      await expectPassages(fixture, 1)
      await fixture.close()
    })
    await Promise.all(answered)
  })

  it.each(['enhanced', 'deep'])('fails at the %s level is answered by passages', async (reasoningLevel) => {
    test.llm.behave('overloaded')
    expect(await ada.call('ask', { question, reasoningLevel })).toMatchObject(degraded)
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
    expect(await ada.call('ask', { question })).toMatchObject(degraded)
    expect(test.llm.requests).toHaveLength(3)
    expect(test.logs.join()).toContain('left alone for a while')
  })

  it('is slow, but not too slow, answers', async () => {
    test.llm.behave('waits', 1)
    const asked = test.llm.asked()
    const answering = ada.call('ask', { question })
    await asked
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
    const mind = await test.service.database.read
      .selectFrom('mind')
      .select(['key', 'partnerId', 'customerId'])
      .executeTakeFirstOrThrow()
    const asked = test.llm.asked()
    const asking = engine.ask(
      test.service.database.read,
      mind,
      { text: question, level: 'standard' },
      leaving.signal
    )
    await asked
    leaving.abort(new Error('gone'))
    await expect(asking).rejects.toThrow('gone')
  })
})
