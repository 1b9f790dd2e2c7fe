import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processorTime } from '../../support/processor-time.ts'
import { makeMemoryCaller } from '../caller.ts'
import { type AnsweringFixture, labelOf, openAnswering } from './fixture.ts'

const MEMORIES = 12

describe('a question that finds many long memories', () => {
  let test: AnsweringFixture
  beforeAll(async () => {
    test = await openAnswering('sqlite')
  })
  afterAll(() => test.close())

  it('lets others have their turn while they are read', async () => {
    const ada = await makeMemoryCaller(test.service)
    for (let number = 1; number <= MEMORIES; number += 1) {
      await ada.call('remember', { content: `Boat ${number}: ${'last 漢字 note '.repeat(800)}` })
    }
    test.llm.on('memory_answer', (request) => {
      const citations = [...request.user.matchAll(/^\[(m\d+)\]/gm)].map(([, label]) => label)
      return { isAnswered: true, answer: `So. [${labelOf(request, 'Boat')}]`, citations }
    })
    let isAsking = true
    let longestMs = 0
    const watch = async () => {
      while (isAsking) {
        const worked = processorTime()
        await setImmediate()
        longestMs = Math.max(longestMs, worked())
      }
    }
    const watching = watch()
    const worked = processorTime()
    const answer = await ada.call('ask', { question: 'What is the last note of a boat?' })
    const tookMs = worked()
    isAsking = false
    await watching
    expect(answer).toMatchObject({ model: 'wise-1', degraded: false })
    expect(longestMs).toBeLessThan(tookMs / 4)
  })
})
