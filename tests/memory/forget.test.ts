import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteForgotten } from '../../src/memory/forgotten-minds.ts'
import { databases } from '../support/databases.ts'
import { at, stringAt, unique } from '../support/fixture.ts'
import { writeLogBack } from '../support/log-written-back.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type MemoryCaller, makeMemoryCaller } from './caller.ts'
import { tablesWith } from './every-table.ts'

describe.each(databases)('forget on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  let mindId: string
  let memoryId: string
  /** A word that stands nowhere else. */
  let planted: string
  let code: string
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
    planted = unique('quill')
    code = unique('4711')
    await ada.call('remember', { content: `Ada: The garage code is ${code}.` })
    const remembered = await tell()
    mindId = stringAt(remembered, 'mindId')
    memoryId = stringAt(remembered, 'memoryId')
  })

  const tell = () =>
    ada.call(
      'remember',
      { content: `Ada: My company is called ${planted} and I love ${planted}.` },
      { idempotencyKey: 'told' }
    )

  /** Lets answers that quote it be kept, for a key and for what was paid. */
  const askAbout = async (question: string) => {
    const answer = await ada.call(
      'ask',
      { question },
      { idempotencyKey: createHash('sha256').update(question).digest('hex') }
    )
    return JSON.stringify(answer)
  }
  const about = () => `What is ${planted}?`

  it('takes one memory from every table, and every answer that quoted it', async () => {
    expect(await askAbout(about())).toContain(planted)
    expect(await tablesWith(test, planted)).toEqual(
      expect.arrayContaining(['creditReservation', 'fact', 'idempotency', 'memory', 'posting'])
    )
    expect(await ada.call('forget', { memoryId })).toEqual({ message: 'The memory was forgotten.' })
    expect(await tablesWith(test, planted)).toEqual([])
    expect(JSON.stringify(await ada.call('recall'))).not.toContain(planted)
    expect(await askAbout(about())).not.toContain(`called ${planted}`)
  })

  it('leaves the other memories, and the answers that don’t quote it, as they were', async () => {
    const { mindId: other } = await ada.call('create_mind', { name: 'Other' })
    const remark = unique('remark')
    await ada.call('remember', { content: `Ada: The tenant left the remark ${remark}.`, mindId: other })
    const ask = () =>
      ada.call(
        'ask',
        { question: 'Which remark did the tenant leave?', mindId: other },
        { idempotencyKey: 'other' }
      )
    const before = await ask()
    await askAbout(about())
    await ada.call('forget', { memoryId, mindId })
    expect(await ask()).toEqual(before)
    expect(await tablesWith(test, remark)).toEqual(
      expect.arrayContaining(['creditReservation', 'idempotency', 'memory'])
    )
    expect(await tablesWith(test, code)).toContain('memory')
    expect(at(await ada.call('list_minds'), 'minds', 0, 'memoryCount')).toBe(1)
  })

  it('doesn’t bring a memory back when its call is repeated under its key', async () => {
    await ada.call('forget', { memoryId })
    expect(await tell()).toMatchObject({
      memoryId
    })
    expect(await tablesWith(test, planted)).toEqual([])
  })

  it('gives no number out twice', async () => {
    await ada.call('forget', { memoryId })
    await ada.call('remember', { content: 'Something else.' })
    const rows = await test.service.database.read
      .selectFrom('memory')
      .innerJoin('mind', 'mind.key', 'memory.mindKey')
      .where('mind.id', '=', mindId)
      .select(['seq', 'nextSeq', 'memoryCount'])
      .orderBy('seq')
      .execute()
    expect(rows).toEqual([
      { seq: 1, nextSeq: 4, memoryCount: 2 },
      { seq: 3, nextSeq: 4, memoryCount: 2 }
    ])
  })

  it('finds the memory in whichever of the customer’s Minds it is', async () => {
    const { mindId: other } = await ada.call('create_mind', { name: 'Other' })
    const { memoryId: there } = await ada.call('remember', { content: 'Over there.', mindId: other })
    expect((await ada.refusal('forget', { memoryId: there, mindId })).code).toBe('memory_not_found')
    await ada.call('forget', { memoryId: there })
    expect(at(await ada.call('recall', { mindId: other }), 'messages')).toEqual([])
  })

  it('answers for another customer’s memory as for none', async () => {
    const bob = await makeMemoryCaller(test.service, { partnerId: ada.partnerId })
    const foreign = await bob.refusal('forget', { memoryId })
    const unknown = await bob.refusal('forget', { memoryId: 'mem_none' })
    expect([foreign.code, foreign.message]).toEqual(['memory_not_found', unknown.message])
    expect(await ada.call('forget', { memoryId })).toBeDefined()
    expect((await ada.refusal('forget', { memoryId })).code).toBe('memory_not_found')
  })

  it('is done once where it is asked for many times at once', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => ada.call('forget', { memoryId }))
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(at(await ada.call('list_minds'), 'minds', 0, 'memoryCount')).toBe(1)
  })

  it('takes a whole Mind, and the primary one is new and empty on next use', async () => {
    await askAbout(about())
    expect(await ada.call('forget_mind', { mindId })).toEqual({
      message: 'The Mind was forgotten with its 2 memories.'
    })
    expect(await ada.call('list_minds')).toEqual({ minds: [] })
    await deleteForgotten(test.service.database)
    for (const text of [planted, code]) expect(await tablesWith(test, text)).toEqual([])
    // Of the remembering under a key, which names no text.
    expect(await tablesWith(test, mindId)).toEqual(['audit', 'creditReservation', 'idempotency'])
    const fresh = await ada.call('recall')
    expect(fresh).toMatchObject({ messages: [], mindId: expect.not.stringContaining(mindId) })
    expect((await ada.refusal('forget_mind', { mindId })).code).toBe('mind_not_found')
  })

  it('leaves the customer’s other Minds', async () => {
    const { mindId: other } = await ada.call('create_mind', { name: 'Other' })
    await ada.call('remember', { content: 'The lease ends in May.', mindId: other })
    await ada.call('forget_mind', { mindId })
    expect(await ada.call('ask', { mindId: other, question: 'When does the lease end?' })).toMatchObject({
      answer: expect.stringContaining('May')
    })
  })

  it('goes with the customer’s record', async () => {
    await askAbout(about())
    await test.service.database.transaction((tx) =>
      tx.deleteFrom('customer').where('id', '=', ada.customerId).execute()
    )
    await deleteForgotten(test.service.database)
    expect(await tablesWith(test, planted)).toEqual([])
  })

  it.runIf(kind === 'sqlite')('leaves nothing in the file either, once its log is written back', async () => {
    const { databaseLocation } = test.service.config
    const holdsIt = async () => {
      // Whoever copies the file as a backup does this first.
      await writeLogBack(databaseLocation)
      return readFileSync(databaseLocation).includes(planted)
    }
    expect(await holdsIt()).toBe(true)
    await ada.call('forget', { memoryId })
    expect(await holdsIt()).toBe(false)
  })
})
