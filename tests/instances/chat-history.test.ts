// What is kept of a chat: one row a message, in the order of their coming, whatever becomes of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../src/clock.ts'
import { readHistory } from '../../src/instances/chat/history.ts'
import type { ChatResult } from '../../src/instances/chat/result.ts'
import { claimExchange, finishExchange, requestCancel } from '../../src/instances/chat/store.ts'
import { deleteInstance, type InstanceRow } from '../../src/instances/store.ts'
import { databases } from '../support/databases.ts'
import { makeInstance } from '../support/instances.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('the history of a chat on %s', (kind) => {
  let opened: TestService
  let instance: InstanceRow
  beforeAll(async () => {
    opened = await openTestService(kind)
  })
  afterAll(() => opened.close())

  const newInstance = async () => {
    const { id: partnerId } = await makePartnerRow(opened.service)
    const { id: customerId } = await makeCustomerRow(opened.service, partnerId)
    instance = await makeInstance(opened.service, partnerId, customerId)
    return instance
  }
  const within = <T>(work: Parameters<typeof opened.service.database.transaction<T>>[0]) =>
    opened.service.database.transaction(work)
  const claim = (message: string, key?: string) =>
    within((tx) => claimExchange(tx, instance, { key, message, model: 'auto', timeoutMs: 60_000 }))
  const finish = (exchange: Awaited<ReturnType<typeof claim>>['exchange'], result: ChatResult) =>
    within((tx) => finishExchange(tx, exchange, result))
  const answered = (reply: string, sessionId = ''): ChatResult => ({
    ...{ state: 'answered', model: 'auto', hasStarted: true },
    ...{ reply, sessionId }
  })
  const history = (page: { limit: number; before?: number } = { limit: 50 }) =>
    readHistory(opened.service.database.read, instance, page)
  const NEVER_BEGUN = { state: 'failed', code: 'ssh_unavailable', hasStarted: false } as const

  it('has a message while it waits, and then what became of it', async () => {
    await newInstance()
    const { exchange } = await claim('hello', 'key-1')
    expect(await history()).toEqual({
      conversation: instance.id,
      next: null,
      exchanges: [
        {
          id: expect.stringMatching(/^chx_/),
          key: 'key-1',
          message: 'hello',
          reply: null,
          state: 'waiting',
          code: null,
          reason: null,
          progress: null,
          hasStarted: null,
          files: [],
          sessionId: null,
          model: 'auto',
          createdAt: exchange.createdAt,
          answeredAt: null
        }
      ]
    })
    await finish(exchange, answered('good morning', 'session-1'))
    expect((await history()).exchanges).toMatchObject([
      {
        state: 'answered',
        hasStarted: true,
        reply: 'good morning',
        sessionId: 'session-1',
        answeredAt: expect.any(String)
      }
    ])
  })

  it('goes on in the thread that the agent last named, and in one of the exchange’s name before', async () => {
    await newInstance()
    const { exchange: first } = await claim('one')
    expect(await finish(first, answered('1'))).toMatchObject({ sessionId: first.id })
    const { exchange: second } = await claim('two')
    expect(await finish(second, answered('2', 'session-7'))).toMatchObject({ sessionId: 'session-7' })
    const { exchange: third } = await claim('three')
    expect(await finish(third, answered('3'))).toMatchObject({ sessionId: 'session-7' })
  })

  it('keeps the order of messages that come at the same time, and pages through them', async () => {
    await newInstance()
    const messages = Array.from({ length: 25 }, (_, number) => `message ${number}`)
    for (const message of messages) await claim(message)
    const newest = await history({ limit: 10 })
    const before = await history({ limit: 10, before: Number(newest.next) })
    const oldest = await history({ limit: 10, before: Number(before.next) })
    expect(
      [...oldest.exchanges, ...before.exchanges, ...newest.exchanges].map(({ message }) => message)
    ).toEqual(messages)
    expect(oldest.next).toBeNull()
  })

  it('has shorter pages where replies are long', async () => {
    await newInstance()
    for (const message of ['one', 'two', 'three', 'four']) {
      await finish((await claim(message)).exchange, answered('x'.repeat(900_000)))
    }
    const newest = await history()
    expect(newest.exchanges.map(({ message }) => message)).toEqual(['three', 'four'])
    const older = await history({ limit: 50, before: Number(newest.next) })
    expect(older.exchanges.map(({ message }) => message)).toEqual(['one', 'two'])
    expect(older.next).toBeNull()
  })

  it('knows a key again, and refuses it for another message', async () => {
    await newInstance()
    const { exchange } = await claim('hello', 'key-1')
    expect(await claim('hello', 'key-1')).toMatchObject({ isMine: false, exchange: { id: exchange.id } })
    await expect(claim('goodbye', 'key-1')).rejects.toMatchObject({ code: 'idempotency_conflict' })
    const other = await newInstance()
    expect(await claim('goodbye', 'key-1')).toMatchObject({
      isMine: true,
      exchange: { instanceId: other.id }
    })
  })

  it('begins again only what surely never began, at the end of the thread', async () => {
    await newInstance()
    const { exchange } = await claim('first', 'key-1')
    await finish(exchange, NEVER_BEGUN)
    await claim('second', 'key-2')
    expect(await claim('first', 'key-1')).toMatchObject({ isMine: true, exchange: { id: exchange.id } })
    expect((await history()).exchanges.map(({ message, state }) => [message, state])).toEqual([
      ['second', 'waiting'],
      ['first', 'waiting']
    ])
    for (const result of [
      { ...NEVER_BEGUN, hasStarted: true },
      { state: 'cancelled', code: 'cancelled', hasStarted: false },
      answered('done')
    ] as const) {
      await finish(exchange, result)
      expect(await claim('first', 'key-1')).toMatchObject({ isMine: false })
    }
  })

  it('gives a key that comes twice at once to one of the two', async () => {
    await newInstance()
    const claimed = await Promise.all(Array.from({ length: 8 }, () => claim('hello', 'key-1')))
    expect(claimed.filter(({ isMine }) => isMine)).toHaveLength(1)
    expect((await history()).exchanges).toHaveLength(1)
  })

  it('cancels what waits, and nothing else', async () => {
    await newInstance()
    const { exchange } = await claim('hello', 'key-1')
    const cancel = (key: string, of = instance) => within((tx) => requestCancel(tx, of, key))
    expect(await cancel('key-2')).toBeUndefined()
    expect(await cancel('key-1', { ...instance, partnerId: 'prt_other' })).toBeUndefined()
    const asked = await cancel('key-1')
    expect(asked?.cancelRequestedAt).not.toBeNull()
    expect((await cancel('key-1'))?.cancelRequestedAt).toBe(asked?.cancelRequestedAt)
    await finish(exchange, answered('too late'))
    expect(await cancel('key-1')).toBeUndefined()
  })

  it('is nothing of another instance’s or partner’s, and ends with its instance', async () => {
    const mine = await newInstance()
    await claim('mine', 'key-1')
    const theirs = await newInstance()
    expect((await history()).exchanges).toEqual([])
    const { read } = opened.service.database
    const asStranger = readHistory(read, { ...mine, partnerId: theirs.partnerId }, { limit: 50 })
    await expect(asStranger).rejects.toMatchObject({ code: 'conversation_not_found' })
    await within((tx) => deleteInstance(tx, mine.partnerId, mine.id))
    const left = read.selectFrom('chatExchange').where('instanceId', '=', mine.id).selectAll()
    expect(await left.execute()).toEqual([])
  })

  it('ends with its customer', async () => {
    const { customerId, id } = await newInstance()
    await claim('hello')
    await within((tx) => tx.deleteFrom('customer').where('id', '=', customerId).execute())
    for (const table of ['chatExchange', 'chatConversation', 'chatThread'] as const) {
      const left = opened.service.database.read.selectFrom(table).where('instanceId', '=', id).selectAll()
      expect(await left.execute()).toEqual([])
    }
  })

  it('says when', async () => {
    await newInstance()
    const before = now()
    const { exchange } = await claim('hello')
    expect(exchange.createdAt >= before && exchange.createdAt <= now()).toBe(true)
    expect(exchange.deadlineAt > now()).toBe(true)
  })
})
