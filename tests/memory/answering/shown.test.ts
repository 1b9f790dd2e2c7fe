// What a model is shown for a question: which memories, and which facts, in what order.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { type AnsweringFixture, openAnswering } from './fixture.ts'

let test: AnsweringFixture
beforeAll(async () => {
  test = await openAnswering('sqlite')
})
afterAll(() => test.close())

type Telling = readonly [content: string, occurredAt: string]

async function tellAll(caller: MemoryCaller, tellings: readonly Telling[]): Promise<void> {
  for (const [content, occurredAt] of tellings) await caller.call('remember', { content, occurredAt })
}

/** The lines of memories and of facts that the model was shown for the question. */
async function shownFor(of: AnsweringFixture, tellings: readonly Telling[], question: string) {
  const caller = await makeMemoryCaller(of.service)
  await tellAll(caller, tellings)
  of.llm.requests.length = 0
  await caller.call('ask', { question })
  const lines = of.llm.requests[0]?.user.split('\n') ?? []
  const linesWith = (label: string) =>
    lines.filter((line) => line.startsWith(`[${label}`)).map((line) => line.replace(/^\[\w+\] /, ''))
  return { memories: linesWith('m'), facts: linesWith('f') }
}

it('what was corrected is shown as that, with what corrected it', async () => {
  const caller = await makeMemoryCaller(test.service)
  const tell = (content: string, more: object = {}) =>
    caller.call('remember', { content, occurredAt: '2026-05-01T10:00:00Z', ...more })
  const { memoryId } = await tell('Dana: My parking space is number 12.')
  await tell('Make that 17, I misread it.', { supersedes: memoryId })
  test.llm.requests.length = 0
  await caller.call('ask', { question: 'Which parking space does Dana have?' })
  const shown = test.llm.requests[0]?.user ?? ''
  expect(shown).toContain('(corrected later, holds no more): Dana: My parking space is number 12.')
  expect(shown).toContain('Friday 2026-05-01: Make that 17, I misread it.')
})

describe('of the facts a model is shown', () => {
  it('one that is told again since it was first told, and not replaced by itself', async () => {
    const told: Telling[] = [
      ['Dana: I live in Porto.', '2026-05-01T10:00:00Z'],
      ['Dana: I moved to Lisbon.', '2026-06-01T10:00:00Z'],
      ['Dana: I live in Lisbon.', '2026-06-10T10:00:00Z']
    ]
    const { facts } = await shownFor(test, told, 'Where does Dana live?')
    expect(facts.filter((line) => line.includes('place'))).toEqual([
      'Friday 2026-05-01 until Monday 2026-06-01, replaced by “Lisbon”: known of Dana, place: Porto',
      'Monday 2026-06-01, since then: known of Dana, place: Lisbon'
    ])
  })

  it('one as ended by what means it, and by no retraction of another', async () => {
    const told: Telling[] = [
      ['Dana: I work at Northwind.', '2026-05-01T10:00:00Z'],
      ['Dana: I no longer work at Contoso.', '2026-05-02T10:00:00Z']
    ]
    const question = 'Where does Dana work?'
    const holding = 'Friday 2026-05-01, since then: known of Dana, company: Northwind'
    expect((await shownFor(test, told, question)).facts).toEqual([holding])
    const ended: Telling[] = [...told, ['Dana: I no longer work at Northwind.', '2026-05-03T10:00:00Z']]
    expect((await shownFor(test, ended, question)).facts).toEqual([
      'Friday 2026-05-01 until Sunday 2026-05-03: known of Dana, company: Northwind'
    ])
  })

  it('those that the question names, however many newer ones there are', async () => {
    const names = 'Abel Bram Cleo Dora Emil Fern Gwen Hugo Iris Jude Kurt Lena Milo Nora Omar Pia Quin Rosa'
    const told = names
      .split(' ')
      .map(
        (name, day): Telling => [
          `${name}: I live in Porto.`,
          `2026-05-${String(day + 1).padStart(2, '0')}T10:00:00Z`
        ]
      )
    const { facts } = await shownFor(test, told, 'Where does Abel live?')
    expect(facts).toHaveLength(16)
    expect(facts[0]).toContain('known of Abel, place: Porto')
  })
})

describe('of the memories a model is shown', () => {
  it('the turns around what is found, up to where their session ends', async () => {
    const told: Telling[] = [
      ['Ben: The lawn is mown.', '2026-05-01T10:00:00Z'],
      ['Ada: The kettle whistles.', '2026-05-02T10:00:00Z'],
      ['Ada: The boat is called Nautilus.', '2026-05-02T10:01:00Z'],
      ['Ada: Nice weather.', '2026-05-02T10:02:00Z'],
      ['Ben: Bread is dear.', '2026-05-03T10:00:00Z']
    ]
    const { memories } = await shownFor(test, told, 'What is the boat called?')
    expect(memories).toEqual([
      'Saturday 2026-05-02: Ada: The kettle whistles.',
      'Saturday 2026-05-02: Ada: The boat is called Nautilus.',
      'Saturday 2026-05-02: Ada: Nice weather.'
    ])
  })

  it('as many as ASK_TOKENS has room for, and all of them where it has more', async () => {
    const told = Array.from(
      { length: 12 },
      (_, day): Telling => [
        `Ada: Boat ${day} ${'sails the wide sea '.repeat(40)}`,
        `2026-05-${String(day + 1).padStart(2, '0')}T10:00:00Z`
      ]
    )
    const question = 'Which boat sails?'
    expect((await shownFor(test, told, question)).memories).toHaveLength(12)
    const frugal = await openAnswering('sqlite', { ASK_TOKENS: '500' })
    const { memories } = await shownFor(frugal, told, question)
    await frugal.close()
    expect(memories.length).toBeGreaterThan(0)
    expect(memories.length).toBeLessThan(6)
  })
})
