// One Mind in tables that are full of other people's: what plans.test.ts and ranking-isolation.test.ts prove, at size.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { crowd } from './crowd.ts'
import { plansOf, statementsOf } from './engine-statements.ts'
import { rankings } from './rankings.ts'
import { smallQuestions, smallTalk } from './small-talk.ts'
import { tellMind } from './told-mind.ts'

describe.each(databases)('a Mind beside 50,000 memories of others on %s', (kind) => {
  let test: TestService
  let mindKey: number
  let alone: string
  beforeAll(async () => {
    test = await openTestService(kind)
    mindKey = (await tellMind(test.service, smallTalk)).mindKey
    alone = await rankings(test.service, mindKey, smallQuestions)
    const texts = smallTalk.map(({ content }) => content)
    await crowd(test.service, texts, { minds: 25, each: 2_000 })
  }, 300_000)
  afterAll(() => test.close())

  it('is ranked as if it were alone', async () => {
    expect(await rankings(test.service, mindKey, smallQuestions)).toBe(alone)
  })

  it('is used without reading a large table from end to end, though the planner may choose to', async () => {
    const statements = await statementsOf(test, kind, mindKey)
    const plans = await plansOf(test, kind, statements, 'analyze')
    expect(plans.length).toBeGreaterThan(20)
    const scan =
      kind === 'sqlite' ? /SCAN (?:memory|posting|fact)\b/ : /Seq Scan on "?(?:memory|posting|fact)\b/
    expect(plans.filter(({ plan }) => scan.test(plan))).toEqual([])
  })
})
