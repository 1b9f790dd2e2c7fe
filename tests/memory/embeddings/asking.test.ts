// Answers by meaning, and without it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usageOf } from '../../../src/llm/usage.ts'
import { embeddedEngine } from '../../../src/memory/embedded-engine.ts'
import { expectCreditsToAddUp } from '../../credits/invariants.ts'
import { type LlmStandIn, startLlm } from '../../support/ai/llm.ts'
import type { LlmBehaviour } from '../../support/ai/llm-faults.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { answerCiting } from '../answering/fixture.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { embeddingEnv, type Meaning, meaningOf } from './meaning.ts'

/** By its words alone nobody finds the dog. */
const PARAPHRASE = 'Any dog?'
const NOTHING = 'Nothing in this Mind answers that.'

describe('ask with an embedding model', () => {
  let llm: LlmStandIn
  let test: TestService
  let meaning: Meaning
  let ada: MemoryCaller
  beforeAll(async () => {
    llm = await startLlm()
    test = await openTestService('sqlite', embeddingEnv(llm))
  })
  beforeEach(async () => {
    llm.behave('good')
    meaning = meaningOf(test.service)
    ada = (await makeMemoryCaller(test.service)).through({ memoryEngine: meaning.engine })
    await ada.call('remember', { content: 'Ada: The boat is called Nautilus.' })
    await ada.call('remember', { content: 'Ada: Unser Hund heißt Rex.' })
    await ada.call('remember', { content: 'Ada: My sister lives in Oslo.' })
  })
  afterAll(async () => {
    await expectCreditsToAddUp(test.service.database.read)
    await test.close()
    await llm.close()
  })

  const keyOf = async ({ customerId }: MemoryCaller): Promise<number> => {
    const mind = await test.service.database.read
      .selectFrom('mind')
      .where('customerId', '=', customerId)
      .select('key')
      .executeTakeFirstOrThrow()
    return mind.key
  }
  const callsOf = async (caller: MemoryCaller): Promise<number> => {
    const usages = await usageOf(test.service.database.read, await keyOf(caller))
    return usages.find(({ purpose }) => purpose === 'ask')?.calls ?? 0
  }
  const requestsOf = async (work: () => Promise<unknown>) => {
    const before = llm.requests.length
    await work()
    return llm.requests.slice(before)
  }

  it('compares the beginning of a long question, which every model can read', async () => {
    await meaning.fill()
    const question = `${PARAPHRASE} ${'um '.repeat(1_000)}`
    const asked = await requestsOf(async () =>
      expect(await ada.call('ask', { question })).toMatchObject({ degraded: false })
    )
    const [read] = [asked[0]?.body.input].flat()
    expect(asked).toHaveLength(1)
    expect(String(read).startsWith(PARAPHRASE)).toBe(true)
    expect(String(read).length).toBeLessThan(2_000)
  })

  it('finds what is said in other words, another language even', async () => {
    expect(await ada.call('ask', { question: PARAPHRASE })).toMatchObject({
      answer: NOTHING,
      degraded: false
    })
    await meaning.fill()
    expect(await ada.call('ask', { question: PARAPHRASE })).toMatchObject({
      answer: expect.stringContaining('Hund'),
      model: null,
      degraded: false,
      credits: 1
    })
  })

  it('finds the memories themselves by meaning, for nothing, and counts what the model took', async () => {
    const search = () => ada.call('search', { query: PARAPHRASE })
    expect(await search()).toMatchObject({ memories: [], degraded: false })
    await meaning.fill()
    const [before, taken] = [await balanceOf(test.service, ada.partnerId), await callsOf(ada)]
    expect(await search()).toMatchObject({
      memories: [{ content: 'Ada: Unser Hund heißt Rex.', author: 'Ada' }],
      degraded: false
    })
    expect(await callsOf(ada)).toBe(taken + 1)
    expect(await balanceOf(test.service, ada.partnerId)).toBe(before)
    llm.behave('overloaded')
    expect(await search()).toMatchObject({ memories: [], degraded: true })
  })

  it('still says that nothing is known where nothing is near', async () => {
    await meaning.fill()
    expect(await ada.call('ask', { question: 'Quel volcan?' })).toMatchObject({
      answer: NOTHING,
      degraded: false
    })
  })

  it('says so as well where what is nearest isn’t near enough', async () => {
    const ben = (await makeMemoryCaller(test.service)).through({ memoryEngine: meaning.engine })
    await ben.call('remember', { content: 'Ben: So much was said about this and that, a hound.' })
    await meaning.fill()
    const { hits } = await meaning
      .openSearcher(test.service.database.read, await keyOf(ben))
      .search(PARAPHRASE, 5)
    expect(hits).toHaveLength(1)
    expect(await ben.call('ask', { question: PARAPHRASE })).toMatchObject({
      answer: NOTHING,
      degraded: false
    })
  })

  it('asks the gateway once for an answer, and counts what it took', async () => {
    await meaning.fill()
    const asked = await requestsOf(() =>
      ada.call('ask', { question: 'Where is the Nautilus?', reasoningLevel: 'deep' })
    )
    expect(asked.map(({ path }) => path)).toEqual(['/v1/embeddings'])
    const key = await keyOf(ada)
    const usages = await usageOf(test.service.database.read, key)
    expect(usages.find(({ purpose }) => purpose === 'ask')).toMatchObject({ calls: 1 })
  })

  it('is whole, and asks no gateway, while a Mind’s vectors are yet to come', async () => {
    llm.behave('overloaded')
    const asked = await requestsOf(async () =>
      expect(await ada.call('ask', { question: 'Where is the Nautilus?' })).toMatchObject({
        degraded: false,
        credits: 1
      })
    )
    expect(asked).toEqual([])
  })

  it('compares nothing with vectors of another model', async () => {
    await meaning.fill()
    const changed = ada.through({
      memoryEngine: meaningOf(test.service, { embeddingModel: 'meaning-2' }).engine
    })
    const asked = await requestsOf(async () =>
      expect(await changed.call('ask', { question: PARAPHRASE })).toMatchObject({
        answer: NOTHING,
        degraded: false
      })
    )
    expect(asked).toEqual([])
  })

  it('remembers and recalls without the gateway', async () => {
    await meaning.fill()
    const asked = await requestsOf(async () => {
      await ada.call('remember', { content: 'Ada: The garage code is 4711.' })
      await ada.call('recall')
    })
    expect(asked).toEqual([])
  })

  describe.each<LlmBehaviour>([
    'hangs-up',
    'silent',
    'drips',
    'limits',
    'overloaded',
    'nonsense',
    'not-json',
    'rejects'
  ])('where the gateway %s', (behaviour) => {
    it('finds by words, says so, and charges nothing', async () => {
      await meaning.fill()
      const question = 'What is the boat called?'
      const { answer, sources } = await makePlain(question)
      const balance = await balanceOf(test.service, ada.partnerId)
      const hurried = ada.through({ memoryEngine: meaningOf(test.service, { isPatient: false }).engine })
      llm.behave(behaviour)
      expect(await hurried.call('ask', { question })).toMatchObject({
        answer,
        sources,
        degraded: true,
        credits: 0
      })
      expect(await balanceOf(test.service, ada.partnerId)).toBe(balance)
    })
  })
  /** What the service would answer without a gateway. */
  const makePlain = async (question: string) => {
    const key = await keyOf(ada)
    const signal = new AbortController().signal
    const mind = { key, partnerId: ada.partnerId, customerId: ada.customerId }
    return embeddedEngine.ask(test.service.database.read, mind, { text: question, level: 'standard' }, signal)
  }

  it('charges nothing for what a model writes where meaning can’t be had', async () => {
    const env = { ...embeddingEnv(llm), LLM_MODEL: 'wise-1' }
    const written = await openTestService('sqlite', env)
    const ben = await makeMemoryCaller(written.service)
    await ben.call('remember', { content: 'Ben: The boat is called Nautilus.' })
    await meaningOf(written.service).fill()
    llm.on('memory_answer', answerCiting('It is called Nautilus', 'Nautilus'))
    // The question's own vector is asked for first.
    llm.behave('nonsense', 1)
    expect(await ben.call('ask', { question: 'What is the boat called?' })).toMatchObject({
      model: 'wise-1',
      degraded: true,
      credits: 0
    })
    expect(await balanceOf(written.service, ben.partnerId)).toBe(999)
    await written.close()
  })

  it('leaves a gateway alone that failed again and again, and answers at once', async () => {
    await meaning.fill()
    llm.behave('overloaded')
    const ask = () => ada.call('ask', { question: 'What is the boat called?' })
    const failing = await requestsOf(async () => {
      for (let turn = 0; turn < 3; turn += 1) await ask()
    })
    expect(failing.length).toBeGreaterThanOrEqual(3)
    const afterwards = await requestsOf(async () =>
      expect(await ask()).toMatchObject({ degraded: true, credits: 0 })
    )
    expect(afterwards).toEqual([])
  })

  it('ends with its deadline while the gateway keeps it waiting', async () => {
    await meaning.fill()
    llm.behave('silent')
    const hurried = ada.through({ config: { ...test.service.config, memoryDeadlineMs: 200 } })
    expect(await hurried.refusal('ask', { question: PARAPHRASE })).toMatchObject({
      code: 'memory_unavailable'
    })
  })
})
