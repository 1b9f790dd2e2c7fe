// How a partner bills: its currency, its clocks, what a minute costs beside, and what its customers see.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postLines } from '../../src/billing/ledger.ts'
import { now } from '../../src/clock.ts'
import { gate, untilWaiting } from '../statements/gate.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, run, type TestPartner } from '../support/fixture.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('billing settings on %s', (kind) => {
  let test: TestService
  let partner: TestPartner
  beforeAll(async () => {
    test = await openTestService(kind)
    partner = await makePartner(test.service)
  })
  afterAll(() => test.close())

  const get = async (of = partner) =>
    at(await run(test.service, of.partnerId, 'billing_settings_get', {}), 'data')
  const set = (changes: Record<string, unknown>, of = partner) =>
    run(test.service, of.partnerId, 'billing_settings_set', changes)
  const setKey = (of: TestPartner) =>
    run(test.service, of.partnerId, 'provider_key_set', { provider: 'b', key: 'key-of-b' })

  it('begin with dollars, UTC, and nothing shown; each changes alone, and nobody else’s', async () => {
    const other = await makePartner(test.service)
    const before = await get(other)
    expect(before).toEqual({
      currency: 'USD',
      isCurrencyFixed: false,
      timeZone: 'UTC',
      showsCosts: false,
      showsRecordings: false,
      minutePrices: {}
    })
    await set({ currency: 'eur', timeZone: 'Europe/Lisbon', showsCosts: true })
    await set({ showsRecordings: true })
    await set({ showsCosts: false })
    expect(await get()).toMatchObject({
      currency: 'EUR',
      timeZone: 'Europe/Lisbon',
      showsCosts: false,
      showsRecordings: true
    })
    expect(await get(other)).toEqual(before)
  })

  it.each([
    ['currency', 'XXQ'],
    ['currency', '€'],
    ['timeZone', 'Europe/Nowhere'],
    ['timeZone', '+02:00'],
    ['timeZone', ''],
    ['minutePrices', { a: 0.0000001 }],
    ['minutePrices', { a: -1 }],
    ['minutePrices', { c: 1 }]
  ])('refuse the %s %j', async (field, value) => {
    await expect(set({ [field]: value, showsCosts: true })).rejects.toMatchObject({
      code: 'invalid_input',
      field: expect.stringContaining(field)
    })
    expect(await get()).toMatchObject({ showsCosts: false })
  })

  it('have a price per minute where there is a key, which another key keeps', async () => {
    const own = await makePartner(test.service)
    await expect(set({ minutePrices: { b: 0.05 } }, own)).rejects.toMatchObject({
      code: 'provider_key_not_found',
      field: 'minutePrices.b'
    })
    await setKey(own)
    expect(await get(own)).toMatchObject({ minutePrices: { b: null } })
    await set({ minutePrices: { b: 0.050001 } }, own)
    await setKey(own)
    expect(await get(own)).toMatchObject({ minutePrices: { b: 0.050001 } })
    await set({ minutePrices: { a: null, b: null } }, own)
    expect(await get(own)).toMatchObject({ minutePrices: { b: null } })
  })

  it('keep the currency once something was charged', async () => {
    const own = await makePartner(test.service)
    const { partnerId } = own
    const { id: customerId } = await makeCustomerRow(test.service, partnerId)
    const occurredAt = '2026-01-01T00:00:00.000Z'
    const line = { kind: 'call', amountMicros: 1, reference: 'cal_1:1', description: '', occurredAt } as const
    await test.service.database.transaction((tx) => postLines(tx, { partnerId, customerId }, [line]))
    await expect(set({ currency: 'EUR' }, own)).rejects.toThrow('currency stays USD')
    await set({ currency: 'USD', showsCosts: true }, own)
    expect(await get(own)).toMatchObject({ isCurrencyFixed: true, showsCosts: true })
  })

  it('keep the currency also while the first amount is just being written', async () => {
    const own = await makePartner(test.service)
    const { partnerId } = own
    const { id: customerId } = await makeCustomerRow(test.service, partnerId)
    const [written, asked] = [gate(), gate()]
    const line = { kind: 'pack', amountMicros: 1, reference: 'pur_1', description: '' } as const
    const first = test.service.database.transaction(async (tx) => {
      await postLines(tx, { partnerId, customerId }, [{ ...line, occurredAt: now() }])
      written.resolve()
      await asked.promise
    })
    await written.promise
    const change = expect(set({ currency: 'EUR' }, own)).rejects.toThrow('currency stays USD')
    await untilWaiting()
    asked.resolve()
    await Promise.all([first, change])
  })

  it('keep the currency once a plan has a price', async () => {
    const own = await makePartner(test.service)
    await test.service.database.transaction((tx) =>
      tx
        .insertInto('plan')
        .values({
          id: `pln_${kind}`,
          partnerId: own.partnerId,
          name: 'Pro',
          kind: 'subscription',
          features: '{}',
          priceMicros: 1,
          createdAt: '2026-01-01T00:00:00.000Z'
        })
        .execute()
    )
    await expect(set({ currency: 'EUR' }, own)).rejects.toThrow('currency stays USD')
  })
})
