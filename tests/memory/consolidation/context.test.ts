// How much a model is told beside the memories: little where few of them come.
import { encode } from 'gpt-tokenizer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MindWorker } from '../../../src/memory/jobs/worker.ts'
import { byRules, type ConsolidatedMind, type ConsolidationFixture, openFixture, shownIn } from './fixture.ts'

/** None begins another. */
const THINGS = Array.from(
  { length: 70 },
  (_, index) => `gadget${String.fromCharCode(97 + (index % 26))}${index}x`
)

describe('what a model is told', () => {
  let fixture: ConsolidationFixture
  let worker: MindWorker
  let mind: ConsolidatedMind
  beforeAll(async () => {
    fixture = await openFixture('sqlite')
    worker = fixture.startWorker()
    const rules = THINGS.map((thing) => {
      const known = { op: 'ADD' as const, quote: thing, kind: 'event', value: `owns ${thing}` }
      return [` ${thing} `, [{ ...known, subject: 'customer', topic: thing }]] as const
    })
    fixture.llm.on('consolidation', byRules(Object.fromEntries(rules)))
    mind = await fixture.newMind()
    for (const thing of THINGS) await mind.tell(`There is a ${thing} in the house.`)
    await worker.drain()
    fixture.llm.on('consolidation', byRules({}))
  })
  afterAll(() => fixture.close())

  async function toldOf(texts: readonly string[], on = mind) {
    for (const text of texts) await on.tell(text, '2026-05-09')
    const before = fixture.llm.requests.length
    await worker.drain()
    expect(fixture.llm.requests).toHaveLength(before + 1)
    const { system, user } = fixture.llm.requests.at(-1) ?? { system: '', user: '' }
    return { system, ...shownIn({ user }), tokens: encode(`${system}\n${user}`).length }
  }

  it('of a lone memory is what is known in its words first, and not much more', async () => {
    const thing = THINGS[20] ?? ''
    const { facts } = await toldOf([`Sold what they call ${thing} today.`])
    expect(facts).toHaveLength(4)
    expect(facts[0]?.value).toBe(`owns ${thing}`)
  })

  it('grows with what comes, and costs a lone memory no more than five times its share', async () => {
    const weather = (index: number) => `On day ${index} the weather was fine and we walked along the river.`
    const alone = await toldOf([weather(0)])
    const many = await toldOf(Array.from({ length: 20 }, (_, index) => weather(index + 1)))
    expect(many.facts).toHaveLength(60)
    expect(alone.tokens / (many.tokens / 20)).toBeLessThan(5)
  })

  it('has nothing of comparing where nothing is known, nor of conversations where nobody can answer', async () => {
    const blank = await fixture.newMind()
    const { system } = await toldOf(['The weather was fine.'], blank)
    expect(system).not.toContain('SUPERSEDE')
    expect(system).not.toContain('short answer')
    expect((await toldOf(['Milo: Cold?\nDana: Yes.'], blank)).system).toContain('short answer')
    expect((await toldOf(['Milo: Cold?', 'Dana: Yes.'], blank)).system).toContain('short answer')
    expect((await toldOf(['The weather was fine again.'])).system).toContain('SUPERSEDE')
  })
})
