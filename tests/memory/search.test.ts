// Memories listed and searched without an answer: order, pages, filters, and whose they are.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FoundMemories, FoundMemories as Page } from '../../schemas/mind.ts'
import { importMemories } from '../../src/memory/import.ts'
import { databases } from '../support/databases.ts'
import { stringAt } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from './caller.ts'

describe.each(databases)('memories are found on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
  })

  const search = async (input: Record<string, unknown> = {}, caller = ada) =>
    Page.parse(await caller.call('search', input))
  const tell = (content: string, occurredAt: string, more: Record<string, unknown> = {}) =>
    ada.call('remember', { content, occurredAt, ...more })
  const contentsOf = ({ memories }: FoundMemories) => memories.map(({ content }) => content)
  const found = async (input: Record<string, unknown>) => contentsOf(await search(input))
  /** Every page to the end; `between` is done after each. */
  const pages = async (input: Record<string, unknown>, between = async () => {}) => {
    const all: FoundMemories['memories'] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await search({ ...input, ...(cursor === undefined ? {} : { cursor }) })
      all.push(...page.memories)
      cursor = page.nextCursor
      await between()
    }
    return all
  }
  const importAll = (contents: readonly string[], timeOf: (index: number) => string) =>
    importMemories(
      test.service,
      { owner: ada, mindId: undefined },
      contents.map((content, index) => ({ content, occurredAt: timeOf(index) })),
      () => undefined
    )

  describe('the newest first', () => {
    it('by when they happened, of one moment what was told last', async () => {
      await tell('The second.', '2026-02-02T10:00:00Z')
      await tell('The first.', '2026-01-01T10:00:00Z')
      await tell('Ada: The third.', '2026-03-03T10:00:00Z')
      await tell('With the third.', '2026-03-03T10:00:00Z')
      const page = await search()
      expect(contentsOf(page)).toEqual(['With the third.', 'Ada: The third.', 'The second.', 'The first.'])
      expect(page).toEqual({ memories: expect.anything(), nextCursor: null, degraded: false })
      expect(page.memories[1]).toEqual({
        id: expect.stringMatching(/^mem_/),
        content: 'Ada: The third.',
        author: 'Ada',
        occurredAt: '2026-03-03T10:00:00.000Z',
        createdAt: expect.stringMatching(/Z$/)
      })
      expect(page.memories[0]?.author).toBeNull()
    })

    it('costs nothing, and makes nothing of a customer who has no Mind yet', async () => {
      const before = await balanceOf(test.service, ada.partnerId)
      expect(await search({ query: 'tea' })).toEqual({ memories: [], nextCursor: null, degraded: false })
      await tell('Ada drinks tea.', '2026-01-01T10:00:00Z')
      const charged = await balanceOf(test.service, ada.partnerId)
      expect(charged).toBeLessThan(before)
      for (const input of [{}, { query: 'tea' }, { about: 'tea' }]) expect(await found(input)).toHaveLength(1)
      expect(await balanceOf(test.service, ada.partnerId)).toBe(charged)
    })

    it('page by page to the end of a thousand while new ones come in: none twice, none lost', async () => {
      const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + ((index * 7) % 90))).toISOString()
      const told = Array.from({ length: 1_000 }, (_, index) => `Number ${index}.`)
      await importAll(told, dayOf)
      let late = 0
      const all = await pages({ limit: 50 }, async () => {
        late += 1
        await tell(`Late ${late}, and newest.`, '2026-06-01T10:00:00Z')
        await tell(`Late ${late}, about long ago.`, dayOf(late))
      })
      const ids = all.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(all.map(({ content }) => content)).toEqual(expect.arrayContaining(told))
      const times = all.map(({ occurredAt }) => occurredAt)
      expect(times).toEqual(times.toSorted().reverse())
      expect(late).toBeGreaterThanOrEqual(20)
    })

    it('ends with its last page, also where that is full', async () => {
      await importAll(['One.', 'Two.', 'Three.', 'Four.'], (index) => `2026-01-0${index + 1}T00:00:00Z`)
      const first = await search({ limit: 2 })
      expect(contentsOf(first)).toEqual(['Four.', 'Three.'])
      const second = await search({ limit: 2, cursor: first.nextCursor })
      expect([contentsOf(second), second.nextCursor]).toEqual([['Two.', 'One.'], null])
    })

    it('shows no more than a page has room for, and says what was cut', async () => {
      const long = 'The harbour is closed today, and tomorrow as well. '.repeat(240).trim()
      await importAll(
        Array.from({ length: 12 }, (_, index) => `${index}: ${long}`),
        (index) => `2026-01-01T00:00:${String(index).padStart(2, '0')}Z`
      )
      const { memories } = await search({ limit: 30 })
      expect(memories).toHaveLength(12)
      for (const { content } of memories) expect(content).toMatch(/… \[cut\]$/)
      expect(memories.map(({ content }) => content).join('').length).toBeLessThan(60_000)
    })

    it('shows a forgotten memory no more', async () => {
      await tell('Ada drinks tea.', '2026-01-01T10:00:00Z')
      await tell('Ada drinks coffee.', '2026-01-02T10:00:00Z')
      const [coffee] = (await search()).memories
      await ada.call('forget', { memoryId: coffee?.id })
      for (const input of [{}, { query: 'What does Ada drink?' }, { about: 'Ada' }])
        expect(await found(input)).toEqual(['Ada drinks tea.'])
    })
  })

  describe('with filters', () => {
    beforeEach(async () => {
      await tell('Ada: I was in Zürich with José Núñez.', '2026-01-01T23:59:59.999Z')
      await tell('José Núñez: I moved to Porto.', '2026-01-02T00:00:00Z')
      await tell('Martine called about the invoice.', '2026-01-02T12:00:00Z')
      await tell('Martin will call Núñez, not José, from Zürich.', '2026-01-03T00:00:00Z')
      await tell('ADA: 田中さんは東京にいます。', '2026-01-04T00:00:00Z')
    })

    it.each([
      [{ since: '2026-01-02' }, ['田中', 'Martin will', 'Martine', 'moved to Porto']],
      [{ until: '2026-01-02' }, ['Martine', 'moved to Porto', 'Zürich with']],
      [{ since: '2026-01-02', until: '2026-01-02' }, ['Martine', 'moved to Porto']],
      [{ since: '2026-01-02T00:00:00.001Z', until: '2026-01-03T01:00:00+01:00' }, ['Martine']],
      [{ author: 'ada' }, ['田中', 'Zürich with']],
      [{ author: ' Jose NUNEZ ' }, ['moved to Porto']],
      [{ author: 'Jose' }, []],
      [{ about: 'jose nunez' }, ['Martin will', 'moved to Porto', 'Zürich with']],
      [{ about: 'MARTIN' }, ['Martin will']],
      [{ about: 'will' }, ['Martin will']],
      [{ about: '田中' }, ['田中']],
      [{ about: '!!!' }, []],
      [{ about: 'zurich', author: 'ada' }, ['Zürich with']],
      [{ about: 'zurich', since: '2026-01-02', author: 'ada' }, []],
      [{ query: 'Who is in Zurich?', about: 'jose', since: '2026-01-02' }, ['Martin will']],
      [{ query: 'Porto', author: 'José Núñez' }, ['moved to Porto']],
      [{ query: 'Porto', author: 'Martin' }, []],
      [{ query: 'Porto', until: '2026-01-01' }, []]
    ])('%j lets through what fits all of them', async (input, wanted) => {
      const contents = await found(input)
      expect(contents).toHaveLength(wanted.length)
      for (const [index, part] of wanted.entries()) expect(contents[index]).toContain(part)
    })

    it('finds the few that fit among many, page by page', async () => {
      const many = Array.from({ length: 700 }, (_, i) => (i % 70 === 0 ? `Bob: It is ${i}.` : `Eve: ${i}.`))
      await importAll(many, (index) => new Date(Date.UTC(2026, 3, 1, 0, index)).toISOString())
      const bobs = await pages({ author: 'Bob', limit: 3 })
      expect(bobs.map(({ content }) => content)).toEqual(many.filter((_, i) => i % 70 === 0).reverse())
    })
  })

  describe('for a query', () => {
    it('the best come first', async () => {
      await tell('Ada prefers tea from Ceylon.', '2026-01-01T10:00:00Z')
      await tell('The parking is behind the house.', '2026-01-02T10:00:00Z')
      await tell('The house has tea rooms.', '2026-01-03T10:00:00Z')
      expect((await found({ query: 'tea from Ceylon' }))[0]).toBe('Ada prefers tea from Ceylon.')
      expect(await found({ query: 'volcano' })).toEqual([])
    })

    it('page after page has none twice, up to two hundred, though new ones come in', async () => {
      await importAll(
        Array.from({ length: 300 }, (_, index) => `Order ${index} is for lamps.`),
        (index) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString()
      )
      let late = 0
      const all = await pages({ query: 'lamps', limit: 50 }, async () => {
        late += 1
        await tell(`Late order ${late} is for lamps.`, '2026-06-01T10:00:00Z')
      })
      expect(all).toHaveLength(200)
      expect(new Set(all.map(({ id }) => id)).size).toBe(200)
    })

    it('a filter finds what is far from the best of the whole Mind', async () => {
      const lamps = Array.from({ length: 600 }, (_, index) => `Lamps, lamps and lamps, ${index}.`)
      await importAll(
        [
          ...lamps.slice(0, 300),
          'Of all things, and beside much else that day, Bob saw one lamp.',
          ...lamps.slice(300)
        ],
        (index) => new Date(Date.UTC(2020, 0, 1 + index)).toISOString()
      )
      expect(await found({ query: 'lamps', about: 'Bob' })).toEqual([
        'Of all things, and beside much else that day, Bob saw one lamp.'
      ])
    })
  })

  describe('is refused', () => {
    it.each([
      [{ since: '2026-01-02', until: '2026-01-01' }, 'since'],
      [{ since: '2026-01-01T10:00:00Z', until: '2026-01-01T10:00:00Z' }, 'since'],
      [{ since: 'yesterday' }, 'since'],
      [{ until: '2026-02-30' }, 'until'],
      [{ cursor: '' }, 'cursor'],
      [{ cursor: 'forged' }, 'cursor'],
      [{ cursor: "x' or 1=1" }, 'cursor'],
      [{ cursor: cursorOf({ given: [1] }) }, 'cursor'],
      [{ cursor: cursorOf({ seq: 1, occurredAt: 'x' }) }, 'cursor'],
      [{ cursor: cursorOf({ seq: 2 ** 40, occurredAt: '2026-01-01T00:00:00.000Z' }) }, 'cursor'],
      [{ query: 'tea', cursor: cursorOf({ seq: 1, occurredAt: '2026-01-01T00:00:00.000Z' }) }, 'cursor'],
      [{ query: 'x'.repeat(4_097) }, 'query'],
      [{ query: '\0' }, 'query'],
      [{ author: ' ' }, 'author'],
      [{ about: 'x'.repeat(201) }, 'about'],
      [{ limit: 51 }, 'limit'],
      [{ limit: 0 }, 'limit'],
      [{ page: 1 }, 'page']
    ])('%j, by the field', async (input, field) => {
      expect(await ada.refusal('search', input)).toMatchObject({ code: 'invalid_input', field })
    })

    it('with memory off, or for a Mind that isn’t the customer’s', async () => {
      await tell('Ada drinks tea.', '2026-01-01T10:00:00Z')
      const neighbour = await makeMemoryCaller(test.service, { partnerId: ada.partnerId })
      const stranger = await makeMemoryCaller(test.service)
      const mindId = stringAt(await ada.call('recall'), 'mindId')
      for (const other of [neighbour, stranger]) {
        for (const input of [{}, { query: 'tea' }, { about: 'Ada' }])
          expect((await other.refusal('search', { ...input, mindId })).code).toBe('mind_not_found')
      }
      const theirs = { customerId: ada.customerId, mindId }
      expect((await stranger.refusal('search', theirs)).code).toBe('customer_not_found')
      const off = await makeMemoryCaller(test.service, { enableAiMemory: 0 })
      expect((await off.refusal('search')).code).toBe('memory_not_enabled')
    })
  })

  it('takes the longest query, and a cursor from anywhere that reads no other Mind', async () => {
    await tell('Ada drinks tea.', '2026-01-01T10:00:00Z')
    const longest = 'tea and 田中 Ünï '.repeat(300).slice(0, 4_096)
    expect(await found({ query: longest })).toEqual(['Ada drinks tea.'])
    const bob = await makeMemoryCaller(test.service, { partnerId: ada.partnerId })
    await bob.call('remember', { content: 'Bob drinks cocoa.' })
    const cursor = cursorOf({ seq: 2 ** 31 - 1, occurredAt: '9999-12-31T23:59:59.999Z' })
    expect(contentsOf(await search({ cursor }, bob))).toEqual(['Bob drinks cocoa.'])
    expect(await found({ cursor })).toEqual(['Ada drinks tea.'])
  })
})

const cursorOf = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url')
