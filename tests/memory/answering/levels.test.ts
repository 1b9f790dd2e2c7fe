import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stringAt } from '../../support/fixture.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { type AnsweringFixture, answerCiting, NO_ANSWER, openAnswering } from './fixture.ts'

const NOTHING = 'Nothing in this Mind answers that.'

describe('an answer of a model', () => {
  let test: AnsweringFixture
  let ada: MemoryCaller
  let boatId: string
  beforeAll(async () => {
    test = await openAnswering('sqlite')
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    const { llm } = test
    llm.requests.length = 0
    llm.behave('good')
    llm.on('memory_searches', () => ({ searches: ['sister city'] }))
    for (const name of ['memory_answer', 'memory_step']) {
      llm.on(name, answerCiting('The boat is called Nautilus', 'Nautilus'))
    }
    ada = await makeMemoryCaller(test.service)
    const tell = (content: string, day: string) =>
      ada.call('remember', { content, occurredAt: `2026-05-${day}T10:00:00Z` })
    boatId = stringAt(
      await tell('Ada: The boat is called Nautilus. I bought it last Friday.', '06'),
      'memoryId'
    )
    await tell('Ada: My sister Ida lives in Oslo.', '07')
    await tell('Ada: Ida works at Northwind.', '08')
  })

  const question = 'What is the boat called?'
  const names = () => test.llm.requests.map(({ answerName }) => answerName)

  it('names its sources, numbered as in its text, and its model, and costs what the level costs', async () => {
    expect(await ada.call('ask', { question })).toEqual({
      answer: 'The boat is called Nautilus [1]',
      sources: [
        {
          memoryId: boatId,
          excerpt: 'Ada: The boat is called Nautilus. I bought it last Friday (Fri 1 May 2026).',
          occurredAt: '2026-05-06T10:00:00.000Z'
        }
      ],
      ...{ found: true, reasoningLevel: 'standard', model: 'wise-1', degraded: false, credits: 1 }
    })
    expect(await ada.call('ask', { question, reasoningLevel: 'enhanced' })).toMatchObject({ credits: 3 })
    // Answered at once, from what the standard level reads.
    expect(await ada.call('ask', { question, reasoningLevel: 'deep' })).toMatchObject({
      ...{ reasoningLevel: 'standard', credits: 1 }
    })
    expect(await balanceOf(test.service, ada.partnerId)).toBe(1_000 - 3 - 1 - 3 - 1)
  })

  it('is made of the turns around what is found, too, in the order of time, and of what held before', async () => {
    const bob = await makeMemoryCaller(test.service)
    const tell = (content: string, occurredAt: string) => bob.call('remember', { content, occurredAt })
    await tell('Dana: I live in Porto.', '2026-05-01T10:00:00Z')
    await tell('Dana: I moved to Lisbon.', '2026-06-01T10:00:00Z')
    await tell('Dana: The kettle whistles.', '2026-06-01T10:01:00Z')
    await bob.call('ask', { question: 'Where did Dana live when she moved to Lisbon?' })
    const lines = test.llm.requests[0]?.user.split('\n').filter((line) => /^\[[mf]/.test(line)) ?? []
    expect(lines.filter((line) => line.startsWith('[m'))).toEqual([
      '[m1] Friday 2026-05-01: Dana: I live in Porto.',
      '[m2] Monday 2026-06-01: Dana: I moved to Lisbon.',
      '[m3] Monday 2026-06-01: Dana: The kettle whistles.'
    ])
    expect(lines.join('\n')).toContain(
      'Friday 2026-05-01 until Monday 2026-06-01, replaced by “Lisbon”: known of Dana, place: Porto'
    )
  })

  it('takes one call at the standard level', async () => {
    await ada.call('ask', { question })
    expect(names()).toEqual(['memory_answer'])
  })

  it('takes one more at the enhanced level, which says what else to search for', async () => {
    test.llm.on('memory_searches', () => ({ searches: ['Oslo', 'Northwind', 'Nautilus', 'never searched'] }))
    await ada.call('ask', { question, reasoningLevel: 'enhanced' })
    expect(names()).toEqual(['memory_searches', 'memory_answer'])
    const [rewriting, answering] = test.llm.requests
    expect(rewriting?.user).not.toContain('Nautilus')
    expect(answering?.user).toContain('lives in Oslo')
    expect(answering?.user).toContain('Northwind')
  })

  it('looks on at the deep level for what the first items name', async () => {
    test.llm.on('memory_step', (request, call) =>
      call === 1
        ? { ...NO_ANSWER, searches: ['Ida works'] }
        : answerCiting('She works at Northwind', 'Northwind')(request)
    )
    const asked = { question: 'Who is my sister in Oslo?', reasoningLevel: 'deep' }
    const { answer, sources, credits } = await ada.call('ask', asked)
    expect({ answer, credits }).toEqual({ answer: 'She works at Northwind [1]', credits: 10 })
    expect(sources).toHaveLength(1)
    expect(names()).toEqual(['memory_step', 'memory_step'])
    expect(test.llm.requests[1]?.user).toContain('Looked for until now: ["Ida works"]')
    expect(test.llm.requests[1]?.user).toContain('lives in Oslo')
  })

  it('has to be given after four steps at the deep level', async () => {
    test.llm.on('memory_step', (_, call) => ({ ...NO_ANSWER, searches: [`boat ${call}`, `sister ${call}`] }))
    const { answer } = await ada.call('ask', { question, reasoningLevel: 'deep' })
    expect(answer).toBe('The boat is called Nautilus [1]')
    expect(names()).toEqual(['memory_step', 'memory_step', 'memory_step', 'memory_answer'])
  })

  it('is given at once when the deep level would search for the same again', async () => {
    test.llm.on('memory_step', () => ({ ...NO_ANSWER, searches: ['boat'] }))
    await ada.call('ask', { question, reasoningLevel: 'deep' })
    expect(names()).toEqual(['memory_step', 'memory_step', 'memory_answer'])
  })

  it.each(['standard', 'enhanced', 'deep'])(
    'says so at the %s level when nothing answers',
    async (reasoningLevel) => {
      test.llm.on('memory_answer', () => NO_ANSWER)
      test.llm.on('memory_step', () => NO_ANSWER)
      expect(await ada.call('ask', { question, reasoningLevel })).toMatchObject({
        ...{ answer: NOTHING, sources: [], model: 'wise-1', degraded: false }
      })
    }
  )

  it.each(['standard', 'enhanced', 'deep'])(
    'takes no call at the %s level in an empty Mind',
    async (reasoningLevel) => {
      const bob = await makeMemoryCaller(test.service)
      expect(await bob.call('ask', { question, reasoningLevel })).toMatchObject({
        ...{ answer: NOTHING, sources: [], model: null, degraded: false }
      })
      expect(test.llm.requests).toEqual([])
    }
  )

  it('takes no call where nothing is found and nothing known', async () => {
    const bob = await makeMemoryCaller(test.service)
    await bob.call('remember', { content: 'The kettle whistles.' })
    expect(await bob.call('ask', { question: 'Quetzalcoatlus?' })).toMatchObject({
      answer: NOTHING,
      model: null
    })
    expect(test.llm.requests).toEqual([])
  })

  it('is made of the profile where no word of the question stands in a memory', async () => {
    const bob = await makeMemoryCaller(test.service)
    await bob.call('remember', { content: 'Customer: I work as a CFO at Northwind.' })
    test.llm.on('memory_answer', ({ user }) => {
      const label = /^\[(f\d+)\][^\n]*CFO/m.exec(user)?.[1] ?? ''
      return { isAnswered: true, answer: `A CFO [${label}].`, citations: [label] }
    })
    expect(await bob.call('ask', { question: 'Whom are we talking to?' })).toMatchObject({
      answer: 'A CFO [1].'
    })
  })

  it('can name real dates: each item has its weekday, and what its words mean from there', async () => {
    test.llm.on('memory_answer', (request) => {
      const day = /last Friday \(([\w ]+)\)/.exec(request.user)?.[1]
      return answerCiting(`On ${day}`, 'Nautilus')(request)
    })
    const { answer } = await ada.call('ask', { question: 'When was the boat bought?' })
    expect(answer).toBe('On Fri 1 May 2026 [1]')
    expect(test.llm.requests[0]?.user).toMatch(/^Today is \w+day \d{4}-\d\d-\d\d\.\nThe question: When was/)
    expect(test.llm.requests[0]?.user).toMatch(/\[m1\] Wednesday 2026-05-06: /)
  })

  it('knows the facts of the profile, and cites the memory that each stands on', async () => {
    const cfo = await ada.call('remember', { content: 'Customer: I work as a CFO at Northwind.' })
    test.llm.on('memory_answer', ({ user }) => {
      const label = /^\[(f\d+)\][^\n]*CFO/m.exec(user)?.[1] ?? ''
      return { isAnswered: true, answer: `A CFO [${label}].`, citations: [label] }
    })
    const { answer, sources } = await ada.call('ask', { question: 'What is the boat called?' })
    expect(answer).toBe('A CFO [1].')
    expect(sources).toMatchObject([
      { memoryId: cfo.memoryId, excerpt: 'Customer: I work as a CFO at Northwind.' }
    ])
  })

  it('is recorded with what it took, by the Mind', async () => {
    const { mindId } = await ada.call('recall')
    await ada.call('ask', { question })
    await ada.call('ask', { question, reasoningLevel: 'enhanced' })
    const rows = await test.service.database.read
      .selectFrom('modelUsage')
      .innerJoin('mind', 'mind.key', 'modelUsage.mindKey')
      .where('mind.id', '=', String(mindId))
      .select(['purpose', 'calls', 'inputTokens', 'outputTokens', 'costMicros'])
      .execute()
    expect(rows).toEqual([
      { purpose: 'ask', calls: 3, inputTokens: 33, outputTokens: 21, costMicros: 33 * 2 + 21 * 10 }
    ])
  })

  it('is the same under the same key, and asks the model once', async () => {
    const more = { idempotencyKey: 'once' }
    const first = await ada.call('ask', { question }, more)
    expect(await ada.call('ask', { question }, more)).toEqual(first)
    expect(test.llm.requests).toHaveLength(1)
  })

  it('is made of the customer’s own Mind alone', async () => {
    const bob = await makeMemoryCaller(test.service, { partnerId: ada.partnerId })
    await bob.call('remember', { content: 'Bob: The boat is called Scylla.' })
    const { mindId } = await ada.call('create_mind', { name: 'Other' })
    await ada.call('remember', { content: 'Ada: The boat is called Charybdis.', mindId })
    for (const reasoningLevel of ['standard', 'enhanced', 'deep']) {
      await ada.call('ask', { question, reasoningLevel })
    }
    expect(test.llm.requests.length).toBeGreaterThan(3)
    expect(JSON.stringify(test.llm.requests)).not.toMatch(/Scylla|Charybdis|Bob/)
    expect(JSON.stringify(test.llm.requests)).toContain('Nautilus')
  })

  it('fits the smallest model, whatever the question', async () => {
    const small = await openAnswering('sqlite', { LLM_INPUT_TOKENS: '4000' })
    const eve = await makeMemoryCaller(small.service)
    for (let i = 0; i < 30; i += 1)
      await eve.call('remember', { content: `Boat ${i}: ${'the sea is wide '.repeat(400)}` })
    small.llm.on('memory_step', (_, call) => ({
      ...NO_ANSWER,
      searches: [`boat ${call} ${'🚤'.repeat(300)}`]
    }))
    small.llm.on('memory_answer', (request) => answerCiting('Wide', 'sea')(request))
    const { degraded } = await eve.call('ask', {
      question: `boat ${'🚤'.repeat(2_000)}`,
      reasoningLevel: 'deep'
    })
    expect(degraded).toBe(false)
    expect(await eve.call('ask', { question: 'How is the sea by boat?' })).toMatchObject({
      answer: 'Wide [1]'
    })
    await small.close()
  })
})
