import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectCreditsToAddUp } from '../../credits/invariants.ts'
import { unique } from '../../support/fixture.ts'
import { HONCHO_KEY } from '../../support/honcho.ts'
import type { HonchoBehaviour } from '../../support/honcho-faults.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { type HonchoPlace, openHonchoPlace, PATIENT_MS, patienceWith } from './service.ts'

describe('an ask with Honcho', () => {
  let place: HonchoPlace
  let ada: MemoryCaller
  beforeAll(async () => {
    place = await openHonchoPlace('sqlite')
  })
  afterAll(async () => {
    await expectCreditsToAddUp(place.service.database.read)
    await place.close()
  })
  beforeEach(async () => {
    ada = await makeMemoryCaller(place.service)
    await ada.call('remember', { content: 'Ada: The garage code is 4711.' })
    await place.forward()
    place.honcho.requests.length = 0
  })
  afterEach(() => place.honcho.behave('good'))

  const question = 'What is the garage code?'

  it('answers as Honcho does, and cites nothing that Honcho didn’t', async () => {
    expect(await ada.call('ask', { question })).toEqual({
      answer: 'They said: Ada: The garage code is 4711.',
      sources: [],
      found: true,
      reasoningLevel: 'standard',
      model: 'honcho',
      degraded: false,
      credits: 1
    })
  })

  it.each([
    ['standard', 'low', 1],
    ['enhanced', 'high', 3],
    ['deep', 'max', 10]
  ])('hands %s on as %s, for %i credits', async (reasoningLevel, level, credits) => {
    expect(await ada.call('ask', { question, reasoningLevel })).toMatchObject({ credits })
    expect(place.honcho.requests).toMatchObject([
      { method: 'POST', body: { query: question, reasoning_level: level, stream: false } }
    ])
  })

  it('says that nothing answers where Honcho says nothing', async () => {
    expect(await ada.call('ask', { question: 'Elephants?' })).toMatchObject({
      answer: 'Nothing in this Mind answers that.',
      sources: [],
      found: false,
      credits: 0
    })
  })

  it('asks Honcho nothing about an empty Mind', async () => {
    const bob = await makeMemoryCaller(place.service)
    expect(await bob.call('ask', { question })).toMatchObject({
      answer: 'Nothing in this Mind answers that.'
    })
    expect(place.honcho.requests).toEqual([])
  })

  it.each<[HonchoBehaviour, string, number]>([
    ...(
      ['fails', 'overloaded', 'absent', 'rejects', 'refuses-key', 'forbids', 'not-json', 'silent'] as const
    ).map((how): [HonchoBehaviour, string, number] => [how, 'memory_unavailable', 5]),
    ...(['drips', 'cuts-off', 'hangs-up', 'too-large', 'redirects'] as const).map(
      (how): [HonchoBehaviour, string, number] => [how, 'memory_unavailable', 5]
    ),
    ['limits', 'memory_rate_limited', 17]
  ])(
    'is refused while Honcho %s, with %s, charged nothing and told nothing of why',
    async (how, code, after) => {
      const before = await balanceOf(place.service, ada.partnerId)
      const secret = unique('quill')
      place.honcho.behave(how)
      const hurried = ada.through({ memoryEngine: place.engine(patienceWith(how)) })
      const refused = await hurried.refusal('ask', { question: `What is ${secret}?` })
      expect(refused).toMatchObject({ code, retryAfterSeconds: after })
      for (const text of [refused.message, ...place.logs]) {
        expect(text).not.toContain(HONCHO_KEY.slice(0, 8))
        expect(text).not.toContain(secret)
      }
      expect(refused.message).not.toMatch(/honcho|http|status/i)
      expect(await balanceOf(place.service, ada.partnerId)).toBe(before)
    }
  )

  it('ends when the deadline of an Ask does', async () => {
    const hurried = ada.through({ config: { ...place.service.config, memoryDeadlineMs: 50 } })
    place.honcho.behave('silent')
    const startedAt = performance.now()
    expect((await hurried.refusal('ask', { question })).code).toBe('memory_unavailable')
    expect(performance.now() - startedAt).toBeLessThan(PATIENT_MS)
  })
})
