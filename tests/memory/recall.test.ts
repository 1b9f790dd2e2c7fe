import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { at } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type MemoryCaller, makeMemoryCaller } from './caller.ts'
import { randomText, SCRIPTS } from './random-texts.ts'

/** More than recall shows of each of twenty. */
const LONG = 2_000
/** Clients cut off what is over it. */
const MAX_TOKENS = 25_000

describe.each(databases)('recall on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
  })

  const contents = async () =>
    Object(await ada.call('recall')).messages.map((one: unknown) => at(one, 'content'))

  it('answers an empty Mind with nothing in it', async () => {
    expect(await ada.call('recall')).toEqual({
      mindId: expect.stringMatching(/^mnd_/),
      profile: expect.any(String),
      snapshot: expect.any(String),
      messages: [],
      degraded: false
    })
  })

  it('shows the newest 20, the newest first, as they were told', async () => {
    for (let i = 1; i <= 23; i += 1) await ada.call('remember', { content: `Number ${i}` })
    expect(await contents()).toEqual(Array.from({ length: 20 }, (_, i) => `Number ${23 - i}`))
    expect(at(await ada.call('recall'), 'messages', 0)).toEqual({
      id: expect.stringMatching(/^mem_/),
      content: 'Number 23',
      occurredAt: expect.any(String),
      createdAt: expect.any(String)
    })
  })

  it('is free and changes nothing once the Mind is there', async () => {
    await ada.call('remember', { content: 'I like tea.' })
    const before = await everyRow(test.service)
    await ada.call('recall')
    expect(await everyRow(test.service)).toEqual(before)
  })

  it('shows a long memory by its beginning and marks the cut; short ones stay whole', async () => {
    await ada.call('remember', { content: `${'A long story. '.repeat(2_000)}The end.` })
    await ada.call('remember', { content: 'Short.' })
    const [short, long] = await contents()
    expect(short).toBe('Short.')
    expect(long).toMatch(/^A long story\. .* … \[cut\]$/)
    expect(long.length).toBeGreaterThan(4_000)
    expect(long.length).toBeLessThan(8_100)
  })
})

describe('recall of noise', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite')
  })
  afterAll(() => test.close())

  it.each(Object.keys(SCRIPTS))(
    'stays under 25,000 tokens with twenty long memories of %s',
    async (script) => {
      const ada = await makeMemoryCaller(test.service)
      for (let i = 0; i < 20; i += 1) {
        await ada.call('remember', { content: randomText(script, LONG, i) })
      }
      const recalled = await ada.call('recall')
      const shown = Object(recalled).messages
      expect(shown).toHaveLength(20)
      for (const { content } of shown) {
        expect(content.endsWith(' … [cut]')).toBe(true)
        expect(content.isWellFormed()).toBe(true)
        expect(content.length).toBeGreaterThan(200)
      }
      expect(encode(JSON.stringify(recalled)).length).toBeLessThan(MAX_TOKENS)
    }
  )
})
