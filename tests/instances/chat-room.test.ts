// How much a chat holds: what comes makes the oldest go.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../src/clock.ts'
import { newId } from '../../src/ids.ts'
import { claimExchange, finishExchange } from '../../src/instances/chat/store.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import { databases } from '../support/databases.ts'
import { makeInstance } from '../support/instances.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('a chat on %s', (kind) => {
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
  }
  const within = <T>(work: Parameters<typeof opened.service.database.transaction<T>>[0]) =>
    opened.service.database.transaction(work)
  const claim = (message: string, key?: string) =>
    within((tx) => claimExchange(tx, instance, { key, message, model: 'auto', timeoutMs: 60_000 }))
  /** A message and its reply. */
  const exchange = async (message: string, reply: string) => {
    const { exchange: row } = await claim(message)
    const answered = { state: 'answered', model: 'auto', hasStarted: true, reply, sessionId: '' } as const
    await within((tx) => finishExchange(tx, row, answered))
  }

  /** Exchanges that were, straight into the table. */
  const fillThread = (count: number, message: string, reply: string) =>
    within(async (tx) => {
      const { instanceId, partnerId, conversationId, seq } = (
        await claimExchange(tx, instance, { key: 'first', message: 'x', model: 'auto', timeoutMs: 1 })
      ).exchange
      const columns = {
        instanceId,
        partnerId,
        conversationId,
        message,
        reply,
        model: 'auto',
        createdAt: now(),
        deadlineAt: now()
      }
      for (let i = 1; i <= count; i += 1) {
        const own = {
          id: newId('chx'),
          key: newId('key'),
          seq: seq + i,
          state: 'answered',
          hasStarted: 1
        } as const
        await tx
          .insertInto('chatExchange')
          .values({ ...columns, ...own, files: '[]' })
          .execute()
      }
      await tx
        .updateTable('chatThread')
        .set({ lastSeq: seq + count })
        .where('instanceId', '=', instanceId)
        .execute()
    })
  const held = async () => {
    const rows = await opened.service.database.read
      .selectFrom('chatExchange')
      .where('instanceId', '=', instance.id)
      .select(['key', 'seq', 'message', 'reply'])
      .orderBy('seq')
      .execute()
    const bytes = rows.reduce(
      (sum, { message, reply }) => sum + Buffer.byteLength(message + (reply ?? '')),
      0
    )
    return { rows, bytes }
  }

  it('holds 2,000 messages, of which the oldest go when new ones come', async () => {
    await newInstance()
    await fillThread(1_997, 'ü', 'ä')
    for (const message of ['a', 'b', 'c', 'd', 'e']) await exchange(message, 'ok')
    const { rows } = await held()
    expect(rows).toHaveLength(2_000)
    // The first one still waits: nobody loses what is worked on.
    expect(rows.slice(0, 2).map(({ seq }) => seq)).toEqual([1, 5])
    expect(rows.at(-1)?.message).toBe('e')
    expect(await claim('e', rows.at(-1)?.key)).toMatchObject({ isMine: false })
  })

  it('holds 20 MB, and comes down to it step by step where it held more', async () => {
    await newInstance()
    await fillThread(40, 'ü'.repeat(16_000), 'ä'.repeat(400_000))
    const before = (await held()).bytes
    expect(before).toBeGreaterThan(33_000_000)
    await claim('one')
    const after = (await held()).bytes
    expect(before - after).toBeGreaterThan(1_500_000)
    expect(before - after).toBeLessThan(3_500_000)
    for (let i = 0; i < 30; i += 1) await exchange('m'.repeat(32_768), 'x'.repeat(1_000_000))
    expect((await held()).bytes).toBeLessThan(20_000_000 + 1_100_000)
    await claim('the last')
    expect((await held()).bytes).toBeLessThanOrEqual(20_000_100)
  })
})
