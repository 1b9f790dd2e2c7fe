import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { type AnsweringFixture, openAnswering } from './fixture.ts'

describe('a question whose model', () => {
  let test: AnsweringFixture
  let ada: MemoryCaller
  beforeAll(async () => {
    test = await openAnswering('sqlite')
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    test.llm.requests.length = 0
    ada = await makeMemoryCaller(test.service)
    await ada.call('remember', { content: 'Ada: The boat is called Nautilus.' })
  })

  const question = 'What is the boat called?'
  const degraded = {
    answer: expect.stringMatching(/^What this Mind holds on it.*The boat is called Nautilus/s),
    ...{ model: null, degraded: true, credits: 0 }
  }
  const citing = (citations: unknown, answer = 'It is called Nautilus') => ({
    isAnswered: true,
    answer,
    citations
  })
  it.each([
    ['cites what it has not read', citing(['m99', 'f3', 'mem_abcdefghijklmnopqrst'])],
    ['cites nothing', citing([])],
    ['answers with nothing', citing(['m1'], ' \u0000 ')],
    ['gives a link of its own', citing(['m1'], 'See https://evil.example/?q=Nautilus [m1]')],
    ['gives a mailbox of its own', citing(['m1'], 'Write to thief@evil.example [m1]')],
    ['answers in another shape', { text: 'Nautilus' }]
  ])('%s, even when told so, is answered by passages', async (_, reply) => {
    test.llm.on('memory_answer', () => reply)
    expect(await ada.call('ask', { question })).toMatchObject(degraded)
    expect(test.llm.requests).toHaveLength(2)
  })

  it('corrects what was wrong is believed', async () => {
    test.llm.on('memory_answer', (_, call) => (call === 1 ? citing(['m99']) : citing(['m1', 'm99'])))
    const { sources, credits } = await ada.call('ask', { question })
    expect({ sources: [sources].flat().length, credits }).toEqual({ sources: 1, credits: 1 })
  })

  it('answers in a long text with control characters gives a clean one', async () => {
    test.llm.on('memory_answer', () => citing(['m1'], `\u001b[mIt \u202eis\n${'x'.repeat(9_000)}`))
    const { answer } = await ada.call('ask', { question })
    expect(answer).toMatch(/^\[mIt {2}is\nx+…$/)
    expect(answer).toHaveLength(8_000)
  })

  it('takes labels apart has them numbered in the order of the sources', async () => {
    for (const name of ['Scylla', 'Charybdis'])
      await ada.call('remember', { content: `Ada: A boat is called ${name}.` })
    test.llm.on('memory_answer', () => citing(['m1', 'm2', 'm3'], 'Three [m3], [m2; m3] and one [m99] [m1].'))
    const { answer, sources } = await ada.call('ask', { question })
    expect(answer).toBe('Three [1], [2] [1] and one [3].')
    expect(sources).toHaveLength(3)
  })
})
