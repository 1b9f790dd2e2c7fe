// Undoing a forgetting: as it was, once, for a while, by who forgot it, and for nothing.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE_MS } from '../../src/clock.ts'
import { createEmbeddedEngine } from '../../src/memory/embedded-engine.ts'
import { databases } from '../support/databases.ts'
import { at, stringAt, unique } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from './caller.ts'
import { tablesWith } from './every-table.ts'

describe.each(databases)('undoing a forgetting on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  let mindId: string
  let memoryId: string
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
    await tell('Ada: I live in Porto.')
    const remembered = await tell('Dana: My dentist is Dr. Quill.', { occurredAt: '2026-01-14T17:30:00Z' })
    await tell('Ada: I like tea.')
    mindId = stringAt(remembered, 'mindId')
    memoryId = stringAt(remembered, 'memoryId')
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const tell = (content: string, more: object = {}) => ada.call('remember', { content, ...more })
  const forget = async (id = memoryId, of = ada) =>
    stringAt(await of.call('forget_with_undo', { mindId, memoryId: id }), 'undo')
  const undo = (sealed: string, of = ada) => of.call('forget_undo', { mindId, undo: sealed })
  const exported = async () => at(await ada.call('export', { mindId }), 'memories')
  const ENDED = { code: 'invalid_input', message: 'This can’t be undone any more.' }
  const isRefused = async (sealed: string, of = ada, mind = mindId) => {
    const before = await everyRow(test.service)
    expect(await of.refusal('forget_undo', { mindId: mind, undo: sealed })).toMatchObject(ENDED)
    expect(await everyRow(test.service)).toEqual(before)
  }

  it('brings everything back as it was, in its place', async () => {
    const [before, known] = [await exported(), await ada.call('recall')]
    const found = await ada.call('search', { query: 'Who is the dentist of Dana?' })
    const sealed = await forget()
    expect(await exported()).toHaveLength(2)
    expect(await undo(sealed)).toEqual({ memoryId })
    expect(await exported()).toEqual(before)
    expect(await ada.call('recall')).toEqual(known)
    expect(await ada.call('search', { query: 'Who is the dentist of Dana?' })).toEqual(found)
    expect(at(await ada.call('list_minds'), 'minds', 0, 'memoryCount')).toBe(3)
    await tell('Ada: One more.')
    expect(await exported()).toHaveLength(4)
  })

  it('costs nothing', async () => {
    const before = await balanceOf(test.service, ada.partnerId)
    await undo(await forget())
    expect(await balanceOf(test.service, ada.partnerId)).toBe(before)
  })

  it('keeps nothing of the memory here meanwhile', async () => {
    const planted = unique('quill')
    const { memoryId: id } = await tell(`Ada: My company is called ${planted}.`)
    await forget(String(id))
    expect(await tablesWith(test, planted)).toEqual([])
  })

  it('is done once', async () => {
    const sealed = await forget()
    await undo(sealed)
    await isRefused(sealed)
    expect(await exported()).toHaveLength(3)
  })

  it('is done once where it is asked for many times at once', async () => {
    const sealed = await forget()
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => undo(sealed)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await exported()).toHaveLength(3)
  })

  it('is of the last forgetting alone: a memory that was deleted for good since stays so', async () => {
    const first = await forget()
    await undo(first)
    const second = await forget()
    await isRefused(first)
    await undo(second)
    await ada.call('forget', { memoryId })
    for (const sealed of [first, second]) await isRefused(sealed)
  })

  it('ends after five minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const sealed = await forget()
    vi.setSystemTime(Date.now() + 5 * MINUTE_MS)
    await isRefused(sealed)
    vi.setSystemTime(Date.now() - 1)
    expect(await undo(sealed)).toEqual({ memoryId })
  })

  it('is refused to everybody else, in another Mind, and where it was made up', async () => {
    const sealed = await forget()
    const { mindId: other } = await ada.call('create_mind', { name: 'Other' })
    await isRefused(sealed, ada, String(other))
    const neighbour = await makeMemoryCaller(test.service, { partnerId: ada.partnerId })
    const stranger = await makeMemoryCaller(test.service)
    for (const caller of [neighbour, stranger]) await isRefused(sealed, caller)
    await isRefused(sealed, ada.as('key_of_somebody_else'))
    await isRefused(`${sealed.slice(0, -2)}AA`)
    await isRefused('nothing')
    expect(await undo(sealed)).toEqual({ memoryId })
  })

  it('has a correction correct again, and what was corrected be so', async () => {
    const old = stringAt(await tell('Dana: I work at Acme.'), 'memoryId')
    const fresh = stringAt(await tell('Dana: I work at Globex.', { supersedes: old }), 'memoryId')
    await tell('Dana: I work at Initech.', { supersedes: fresh })
    const [before, known] = [await exported(), await ada.call('recall')]
    for (const id of [fresh, old]) await undo(await forget(id))
    expect(await exported()).toEqual(before)
    expect(await ada.call('recall')).toEqual(known)
  })

  it('leaves alone what was corrected otherwise since', async () => {
    const old = stringAt(await tell('Dana: I work at Acme.'), 'memoryId')
    const fresh = stringAt(await tell('Dana: I work at Globex.', { supersedes: old }), 'memoryId')
    const sealed = await forget(fresh)
    const { memoryId: by } = await tell('Dana: I work at Initech.', { supersedes: old })
    await undo(sealed)
    expect(await exported()).toContainEqual(expect.objectContaining({ id: old, supersededBy: by }))
  })

  it('is a new memory where work behind the Mind has passed its place', async () => {
    const works = [{ kind: 'embed', dueAfter: 1, maxAgeMs: 0 } as const]
    const working = ada.through({ memoryEngine: createEmbeddedEngine({ queues: works }) })
    await working.call('remember', { content: 'Ada: I read maps.' })
    const { memoryId: id } = await undo(await forget(memoryId, working), working)
    expect(id).not.toBe(memoryId)
    const [newest] = Object(await ada.call('recall')).messages
    expect(newest).toMatchObject({ id, occurredAt: '2026-01-14T17:30:00.000Z' })
    const jobs = test.service.database.read.selectFrom('mindJob').innerJoin('mind', 'mind.key', 'mindKey')
    expect(await jobs.where('mind.id', '=', mindId).select('waiting').execute()).toEqual([{ waiting: 2 }])
  })

  it('is refused once the Mind is gone, or memory is off', async () => {
    const sealed = await forget()
    await test.service.database.transaction((tx) =>
      tx.updateTable('customer').set({ enableAiMemory: 0 }).where('id', '=', ada.customerId).execute()
    )
    expect(await ada.refusal('forget_undo', { mindId, undo: sealed })).toMatchObject({
      code: 'memory_not_enabled'
    })
    await test.service.database.transaction((tx) =>
      tx.updateTable('customer').set({ enableAiMemory: 1 }).where('id', '=', ada.customerId).execute()
    )
    await ada.call('forget_mind', { mindId })
    expect(await ada.refusal('forget_undo', { mindId, undo: sealed })).toMatchObject({
      code: 'mind_not_found'
    })
  })

  it('counts as a call of the customer’s memory', async () => {
    const busy = ada.through({
      limitMemory: async () => {
        throw new Error('counted')
      }
    })
    const sealed = await forget()
    await expect(undo(sealed, busy)).rejects.toThrow('counted')
  })

  it('forgets nobody else’s memory', async () => {
    const neighbour = await makeMemoryCaller(test.service, { partnerId: ada.partnerId })
    for (const input of [
      { mindId, memoryId },
      { mindId: 'mnd_none', memoryId: 'mem_none' }
    ])
      expect((await neighbour.refusal('forget_with_undo', input)).code).toBe('mind_not_found')
    expect(await exported()).toHaveLength(3)
  })
})
