import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { at, stringAt } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type MemoryCaller, makeMemoryCaller } from './caller.ts'

describe.each(databases)('Minds on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
  })

  it('are listed with all that is known of them', async () => {
    expect(await ada.call('list_minds')).toEqual({ minds: [] })
    const created = await ada.call('create_mind', { name: 'Contracts', description: 'What was signed' })
    expect(created).toEqual({
      mindId: expect.stringMatching(/^mnd_[0-9a-z]{20}$/),
      name: 'Contracts',
      description: 'What was signed',
      isPrimary: false,
      memoryCount: 0,
      createdAt: created.updatedAt,
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/)
    })
    expect(await ada.call('list_minds')).toEqual({ minds: [created] })
  })

  it.each([
    ['remember', { content: 'I moved.' }],
    ['recall', {}],
    ['ask', { question: 'Who moved?' }]
  ])('have a primary one once %s was used', async (name, input) => {
    await ada.call('create_mind', { name: 'Contracts' })
    await ada.call(name, input)
    await ada.call(name, input)
    const { minds } = await ada.call('list_minds')
    expect(minds).toEqual([
      expect.objectContaining({ name: 'Primary', isPrimary: true }),
      expect.objectContaining({ name: 'Contracts', isPrimary: false })
    ])
    expect(at(await ada.call('recall'), 'mindId')).toBe(at(minds, 0, 'mindId'))
  })

  it('stay one where many first calls come at once', async () => {
    const calls = Array.from({ length: 20 }, (_, i) => [
      ada.call('remember', { content: `Memory ${i}` }),
      ada.call('recall')
    ])
    const used = new Set((await Promise.all(calls.flat())).map(({ mindId }) => mindId))
    expect(used.size).toBe(1)
    expect(at(await ada.call('list_minds'), 'minds')).toHaveLength(1)
    expect(at(await ada.call('recall'), 'messages')).toHaveLength(20)
  })

  it('keep their memories apart', async () => {
    const { mindId } = await ada.call('create_mind', { name: 'Contracts' })
    await ada.call('remember', { content: 'I like tea.' })
    await ada.call('remember', { content: 'The lease ends in May.', mindId })
    const contentsOf = async (input: Record<string, unknown>) =>
      Object(await ada.call('recall', input)).messages.map((message: unknown) => at(message, 'content'))
    expect(await contentsOf({})).toEqual(['I like tea.'])
    expect(await contentsOf({ mindId })).toEqual(['The lease ends in May.'])
    expect(JSON.stringify(await ada.call('ask', { question: 'When does the lease end?' }))).not.toContain(
      'May'
    )
  })

  it('of another customer, even of the same partner, are as if they weren’t there', async () => {
    const bob = await makeMemoryCaller(test.service, { partnerId: ada.partnerId })
    const mindId = stringAt(await bob.call('remember', { content: 'I like tea.' }), 'mindId')
    const inputs = {
      remember: { content: 'x' },
      recall: {},
      ask: { question: 'Who likes tea?' },
      forget: { memoryId: 'mem_1' },
      forget_mind: {},
      export: {}
    }
    for (const [name, input] of Object.entries(inputs)) {
      const foreign = await ada.refusal(name, { ...input, mindId })
      const unknown = await ada.refusal(name, { ...input, mindId: 'mnd_none' })
      expect([name, foreign.code, foreign.message]).toEqual([name, 'mind_not_found', unknown.message])
    }
    expect(await ada.call('list_minds')).toEqual({ minds: [] })
  })

  it('are at most a thousand of one customer', async () => {
    const at = new Date().toISOString()
    const { partnerId, customerId } = ada
    const rows = Array.from({ length: 999 }, (_, i) => ({
      id: `mnd_${customerId}_${i}`,
      partnerId,
      customerId,
      name: `Mind ${i}`,
      description: null,
      isPrimary: 0 as const,
      memoryCount: 0,
      nextSeq: 1,
      createdAt: at,
      updatedAt: at
    }))
    await test.service.database.transaction((tx) => tx.insertInto('mind').values(rows).execute())
    const outcomes = await Promise.allSettled(
      ['one', 'two', 'three'].map((name) => ada.call('create_mind', { name }))
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await ada.refusal('create_mind', { name: 'more' })).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('1000')
    })
  })
})
