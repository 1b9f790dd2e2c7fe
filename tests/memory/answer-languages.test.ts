import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerFromPassages } from '../../src/memory/embedded/answer.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { samples } from './languages/samples.ts'
import { tellMind } from './told-mind.ts'

describe('answers in many languages', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite')
  })
  afterAll(() => test.close())

  it.each(samples)('come in $name, and none is held back', async ({ memories, questions }) => {
    const { mindKey } = await tellMind(test.service, memories)
    const { signal } = new AbortController()
    for (const [question, answerHas] of questions) {
      const { answer } = await answerFromPassages(
        test.service.database.read,
        mindKey,
        question,
        'standard',
        signal
      )
      expect.soft(answer, question).toContain(answerHas)
    }
  })
})
