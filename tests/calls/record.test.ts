// Calls as providers tell them, again and differently: each is charged once, to the micro-unit.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordCalls } from '../../src/calls/record.ts'
import type { ProviderCall } from '../../src/voice-agents/providers/port.ts'
import { databases } from '../support/databases.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { booksOf, call, period } from './calls.ts'

describe.each(databases)('calls on %s', (kind) => {
  let test: TestService
  let partnerId: string
  let ada: string
  let bob: string
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime('2026-07-10T12:00:00.000Z')
    partnerId = (await makePartnerRow(test.service, { timeZone: 'Pacific/Kiritimati' })).id
    ada = (await makeCustomerRow(test.service, partnerId)).id
    bob = (await makeCustomerRow(test.service, partnerId)).id
    await mapped({ customerId: ada, multiplierMicros: 1_500_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const mapped = (given: Parameters<typeof period>[2]) => period(test.service, partnerId, given)
  const record = (...calls: ProviderCall[]) =>
    test.service.database.transaction((tx) => recordCalls(tx, { partnerId, provider: 'a' }, calls))
  const books = (customerId: string) => booksOf(test.service, customerId)
  const callRow = (callId: string) =>
    test.service.database.read
      .selectFrom('call')
      .where('partnerId', '=', partnerId)
      .where('callId', '=', callId)
      .selectAll()
      .executeTakeFirst()

  it('charges a call once, however often it is told', async () => {
    await record(call('x', { costMicros: 1_000_001 }))
    const first = await callRow('x')
    vi.setSystemTime('2026-07-10T13:00:00.000Z')
    await record(call('x', { costMicros: 1_000_001 }), call('x', { costMicros: 1_000_001 }))
    expect(await callRow('x')).toEqual(first)
    expect(first).toMatchObject({ customerId: ada, chargeMicros: 1_500_002, revision: 1 })
    expect(await books(ada)).toEqual({
      balanceMicros: 1_500_002,
      lines: [{ kind: 'call', amountMicros: 1_500_002, reference: `${first?.id}:1`, durationMs: 60_000 }],
      days: [
        { day: '2026-07-10', calls: 1, durationMs: 60_000, costMicros: 1_000_001, chargeMicros: 1_500_002 }
      ]
    })
  })

  it('counts it on the day on which it ended where the partner is, also once the partner moves', async () => {
    await record(
      call('x', { endedAt: '2026-07-09T09:59:59.999Z' }),
      call('y', { endedAt: '2026-07-09T10:00:00.000Z' })
    )
    expect((await books(ada)).days.map(({ day }) => day)).toEqual(['2026-07-09', '2026-07-10'])
    await test.service.database.transaction((tx) =>
      tx.updateTable('partner').set({ timeZone: 'Pacific/Niue' }).where('id', '=', partnerId).execute()
    )
    await record(call('y', { endedAt: '2026-07-09T10:00:00.000Z', costMicros: 7_000_000 }))
    expect((await books(ada)).days.map(({ day, costMicros }) => [day, costMicros])).toEqual([
      ['2026-07-09', 1_000_000],
      ['2026-07-10', 7_000_000]
    ])
  })

  it('waits for a cost, follows it up and down, and never loses it', async () => {
    await record(call('x', { costMicros: null }))
    expect(await callRow('x')).toMatchObject({
      costMicros: null,
      chargeMicros: null,
      customerId: ada,
      revision: 0
    })
    expect(await books(ada)).toMatchObject({
      balanceMicros: 0,
      lines: [],
      days: [{ calls: 1, costMicros: 0 }]
    })
    for (const costMicros of [2_000_000, 3_000_000, null, 1_000_000, 0, null])
      await record(call('x', { costMicros }))
    const { balanceMicros, lines, days } = await books(ada)
    expect(lines.map(({ amountMicros }) => amountMicros)).toEqual([
      3_000_000, 1_500_000, -3_000_000, -1_500_000
    ])
    expect([balanceMicros, days[0]?.chargeMicros]).toEqual([0, 0])
    expect(await callRow('x')).toMatchObject({ costMicros: 0, chargeMicros: 0, revision: 4 })
  })

  it('keeps what was told of cost and recording where nothing is told in its place', async () => {
    const recordingUrl = 'https://recordings.example/x.wav'
    await record(call('x', { recordingUrl, cost: { total: 1 } }))
    await record(call('x', { costMicros: null, cost: {}, durationMs: 90_000 }))
    expect(await callRow('x')).toMatchObject({
      recordingUrl,
      cost: '{"total":1}',
      durationMs: 90_000,
      revision: 1
    })
    expect((await books(ada)).days).toMatchObject([{ calls: 1, durationMs: 90_000 }])
  })

  it('adds the minutes that the provider doesn’t charge, at the price as it was first', async () => {
    const price = (minutePriceMicros: number) =>
      test.service.database.transaction((tx) =>
        tx
          .insertInto('providerKey')
          .values({ partnerId, provider: 'a', sealedKey: '', minutePriceMicros, updatedAt: '' })
          .onConflict((known) => known.columns(['partnerId', 'provider']).doUpdateSet({ minutePriceMicros }))
          .execute()
      )
    await price(30_000)
    await record(call('x', { durationMs: 90_000, costMicros: null }))
    await price(90_000)
    await record(call('x', { durationMs: 90_000, costMicros: 10 }))
    expect(await callRow('x')).toMatchObject({
      minutePriceMicros: 30_000,
      costMicros: 45_010,
      chargeMicros: 67_515
    })
  })

  it('keeps calls of agents that are nobody’s or unknown, and of none at all, without a charge', async () => {
    await record(call('x', { agentId: 'stranger' }), call('y', { agentId: null }))
    await record(call('z', { endedAt: '2026-06-30T23:59:59.999Z' }))
    for (const callId of ['x', 'y', 'z'])
      expect(await callRow(callId)).toMatchObject({
        customerId: null,
        chargeMicros: null,
        costMicros: 1_000_000
      })
    const agents = test.service.database.read.selectFrom('voiceAgent').where('partnerId', '=', partnerId)
    expect(await agents.where('agentId', '=', 'stranger').select(['name', 'customerId']).execute()).toEqual([
      { name: 'stranger', customerId: null }
    ])
  })

  it('goes by the period that holds the end of the call, to the millisecond', async () => {
    await mapped({
      agentId: 'two',
      customerId: ada,
      startsAt: '2026-07-01T00:00:00.000Z',
      endsAt: '2026-07-05T00:00:00.000Z'
    })
    await mapped({
      agentId: 'two',
      customerId: bob,
      startsAt: '2026-07-05T00:00:00.000Z',
      multiplierMicros: 2_000_000
    })
    await record(
      call('x', { agentId: 'two', endedAt: '2026-07-04T23:59:59.999Z' }),
      call('y', { agentId: 'two', endedAt: '2026-07-05T00:00:00.000Z' })
    )
    expect([(await books(ada)).balanceMicros, (await books(bob)).balanceMicros]).toEqual([
      1_000_000, 2_000_000
    ])
  })

  it('takes a call back from the one and puts it to the other where it moves', async () => {
    await mapped({ agentId: 'two', customerId: ada, endsAt: '2026-07-05T00:00:00.000Z' })
    await mapped({ agentId: 'two', customerId: bob, startsAt: '2026-07-05T00:00:00.000Z' })
    await record(call('x', { agentId: 'two', endedAt: '2026-07-04T23:00:00.000Z' }))
    await record(call('x', { agentId: 'two', endedAt: '2026-07-05T01:00:00.000Z', costMicros: 3_000_000 }))
    expect(await books(ada)).toMatchObject({
      balanceMicros: 0,
      lines: [{ amountMicros: 1_000_000 }, { amountMicros: -1_000_000 }],
      days: [{ calls: 0, durationMs: 0, costMicros: 0, chargeMicros: 0 }]
    })
    expect(await books(bob)).toMatchObject({ balanceMicros: 3_000_000, lines: [{ amountMicros: 3_000_000 }] })
  })

  it('moves the whole charge to the month in which the call turns out to have ended', async () => {
    await record(call('x', { endedAt: '2026-07-31T09:00:00.000Z', durationMs: 1 }))
    vi.setSystemTime('2026-07-31T12:00:00.000Z')
    await record(call('x', { endedAt: '2026-07-31T09:00:00.000Z' }))
    await record(call('x', { endedAt: '2026-07-31T11:00:00.000Z', costMicros: 2_000_000 }))
    const statements = test.service.database.read.selectFrom('statement').where('customerId', '=', ada)
    expect(await statements.select('totalMicros').orderBy('startsAt').execute()).toEqual([
      { totalMicros: 0 },
      { totalMicros: 3_000_000 }
    ])
  })

  it('keeps no call of a customer that was erased', async () => {
    await record(call('x'), call('y', { agentId: 'two' }))
    const erased = { agentId: 'two', customerId: null }
    await mapped({ ...erased })
    await record(call('y', { agentId: 'two' }), call('z', { agentId: 'two' }))
    expect([await callRow('y'), await callRow('z')]).toEqual([undefined, undefined])
    expect(await callRow('x')).toBeDefined()
  })

  it('passes over what is told to have ended days from now', async () => {
    await record(
      call('x', { endedAt: '2026-07-11T12:00:00.001Z' }),
      call('y', { endedAt: '2026-07-11T12:00:00.000Z' })
    )
    expect([await callRow('x'), (await callRow('y'))?.callId]).toEqual([undefined, 'y'])
  })

  it('keeps partners and providers apart where their calls have the same id', async () => {
    const { id: other } = await makePartnerRow(test.service)
    await test.service.database.transaction((tx) =>
      recordCalls(tx, { partnerId: other, provider: 'a' }, [call('x', { costMicros: 9 })])
    )
    await test.service.database.transaction((tx) =>
      recordCalls(tx, { partnerId, provider: 'b' }, [call('x', { costMicros: 8 })])
    )
    await record(call('x'))
    const calls = test.service.database.read.selectFrom('call').where('callId', '=', 'x')
    expect(
      (await calls.where('partnerId', 'in', [other, partnerId]).select('costMicros').execute()).length
    ).toBe(3)
    expect((await books(ada)).balanceMicros).toBe(1_500_000)
  })

  it('charges each once where two record the same pages beside each other', async () => {
    const page = Array.from({ length: 20 }, (_, index) =>
      call(`c${index}`, { agentId: `agent-${index % 3}` })
    )
    for (const agentId of ['agent-0', 'agent-1', 'agent-2'])
      await mapped({ agentId, customerId: agentId === 'agent-1' ? bob : ada })
    await Promise.allSettled([record(...page), record(...page.toReversed()), record(...page)])
    await record(...page)
    expect((await books(ada)).balanceMicros + (await books(bob)).balanceMicros).toBe(20_000_000)
  })
})
