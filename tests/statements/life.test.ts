// A statement is closed by itself, billed and taken back, and what a customer owes is the sum of its lines all the way.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { type Debtor, lockAccount, postLines } from '../../src/billing/ledger.ts'
import { fromMicros } from '../../src/money.ts'
import { closeDue } from '../../src/statements/life.ts'
import { databases } from '../support/databases.ts'
import { at } from '../support/fixture.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { call, lineOf, post } from '../support/statements.ts'
import { sweepAll } from '../support/sweep.ts'
import { gate, untilWaiting } from './gate.ts'

describe.each(databases)('a statement on %s', (kind) => {
  let test: TestService
  let debtor: Debtor
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime('2026-06-10T12:00:00.000Z')
    const { id: partnerId } = await makePartnerRow(test.service)
    debtor = { partnerId, customerId: (await makeCustomerRow(test.service, partnerId)).id }
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const act = (name: string, input: Record<string, unknown> = {}) =>
    call(
      test.service,
      { partnerId: debtor.partnerId, actor: 'key_test', scopes: new Set(SCOPES) },
      name,
      input
    )
  const sweep = () => sweepAll(test.service)
  const owe = (...amounts: number[]) =>
    post(test.service, debtor, ...amounts.map((amountMicros) => lineOf({ amountMicros })))
  const listed = async () => {
    const { data } = await act('statement_list', { customerId: debtor.customerId })
    return Array.isArray(data) ? data : []
  }
  const states = async () =>
    (await listed()).map(({ number, status, total }) => [number, status, total]).toReversed()
  const idOf = async (place: number): Promise<string> =>
    String(at((await listed()).toReversed(), place, 'statementId'))
  const entries = () =>
    test.service.database.read
      .selectFrom('billingEntry')
      .where('customerId', '=', debtor.customerId)
      .select(['kind', 'amountMicros', 'description', 'statementId'])
      .orderBy('seq')
      .execute()
  /** What is owed, which must be the sum of all lines. */
  const owed = async () => {
    const account = await test.service.database.read
      .selectFrom('billingAccount')
      .where('customerId', '=', debtor.customerId)
      .select('balanceMicros')
      .executeTakeFirstOrThrow()
    const lines = await entries()
    expect(lines.reduce((sum, { amountMicros }) => sum + amountMicros, 0)).toBe(account.balanceMicros)
    return fromMicros(account.balanceMicros)
  }
  const GRACE_OVER = '2026-07-04T00:00:00.000Z'
  const closedJune = async () => {
    await owe(3_000_000, 4_500_000)
    vi.setSystemTime(GRACE_OVER)
    await sweep()
    return idOf(0)
  }

  it('takes lines until three days after its month, and is closed by itself then', async () => {
    await owe(3_000_000)
    vi.setSystemTime('2026-07-03T23:59:59.999Z')
    await sweep()
    await post(
      test.service,
      debtor,
      lineOf({ amountMicros: 1_000_000, occurredAt: '2026-06-30T23:00:00.000Z' })
    )
    expect(await states()).toEqual([[null, 'draft', 4]])
    vi.setSystemTime(GRACE_OVER)
    await sweep()
    expect(await states()).toEqual([[1, 'closed', 4]])
    expect(await owed()).toBe(4)
  })

  it('takes no line once it is closed: a late call is an adjustment on the open one', async () => {
    await closedJune()
    await post(
      test.service,
      debtor,
      lineOf({ amountMicros: 500_000, occurredAt: '2026-06-30T23:00:00.000Z' })
    )
    expect(await states()).toEqual([
      [1, 'closed', 7.5],
      [null, 'draft', 0.5]
    ])
    expect((await entries()).at(-1)).toMatchObject({ kind: 'adjustment', amountMicros: 500_000 })
  })

  it('gets the next number of its partner, in the order in which months end', async () => {
    await owe(1)
    const other = { ...debtor, customerId: (await makeCustomerRow(test.service, debtor.partnerId)).id }
    vi.setSystemTime('2026-07-10T00:00:00.000Z')
    await post(test.service, other, lineOf())
    vi.setSystemTime('2026-08-10T00:00:00.000Z')
    await sweep()
    const { data } = await act('statement_list')
    expect(data).toMatchObject([
      { number: 2, customerId: other.customerId },
      { number: 1, customerId: debtor.customerId }
    ])
  })

  it('is closed before its grace is over by nobody, and once', async () => {
    await owe(1)
    vi.setSystemTime('2026-07-03T23:59:59.999Z')
    expect(await act('statement_close')).toMatchObject({ data: { closed: 0, hasMore: false } })
    vi.setSystemTime(GRACE_OVER)
    expect(await act('statement_close')).toMatchObject({ data: { closed: 1 } })
    expect(await act('statement_close')).toMatchObject({ data: { closed: 0 } })
  })

  it('that is billed is off what the customer owes, once', async () => {
    const statementId = await closedJune()
    expect(await act('statement_mark_billed', { statementId })).toMatchObject({
      message: 'Statement 1 was marked as billed.',
      data: { status: 'billed', total: 7.5, billedAt: expect.any(String) }
    })
    expect(await owed()).toBe(0)
    await expect(act('statement_mark_billed', { statementId })).rejects.toMatchObject({
      code: 'wrong_statement_status',
      message: 'Statement 1 can’t be marked as billed: it is billed already.'
    })
    expect(await owed()).toBe(0)
  })

  it('that is a draft can be neither billed nor taken back', async () => {
    await owe(1)
    const statementId = await idOf(0)
    for (const name of ['statement_mark_billed', 'statement_void'])
      await expect(act(name, { statementId })).rejects.toMatchObject({
        code: 'wrong_statement_status',
        message: expect.stringContaining('still takes lines')
      })
  })

  it.each([
    ['closed', ['void', 'adjustment']],
    ['billed', ['billed', 'adjustment']]
  ])('that was %s and is taken back is owed on the open one, and nothing twice', async (state, kinds) => {
    const statementId = await closedJune()
    if (state === 'billed') await act('statement_mark_billed', { statementId })
    const { data } = await act('statement_void', { statementId })
    expect(data).toMatchObject({ status: 'void', number: 1, total: 7.5, voidedAt: expect.any(String) })
    expect(await states()).toEqual([
      [1, 'void', 7.5],
      [null, 'draft', 7.5]
    ])
    expect(await owed()).toBe(7.5)
    const settled = (await entries()).slice(2)
    expect(settled.map((entry) => entry.kind)).toEqual(kinds)
    expect(settled.at(-1)).toMatchObject({
      description: 'From statement 1, which was taken back',
      statementId: await idOf(1)
    })
    await expect(act('statement_void', { statementId })).rejects.toMatchObject({
      code: 'wrong_statement_status',
      message: 'Statement 1 can’t be taken back: it was taken back.'
    })
    expect(await owed()).toBe(7.5)
  })

  it('of nothing, or of a credit, lives as any other', async () => {
    await owe(2_000_000, -2_000_000)
    vi.setSystemTime(GRACE_OVER)
    await owe(-3_000_000)
    vi.setSystemTime('2026-08-04T00:00:00.000Z')
    await sweep()
    await act('statement_mark_billed', { statementId: await idOf(0) })
    await act('statement_void', { statementId: await idOf(0) })
    await act('statement_mark_billed', { statementId: await idOf(1) })
    expect(await states()).toEqual([
      [1, 'void', 0],
      [2, 'billed', -3]
    ])
    expect(await owed()).toBe(0)
  })

  it('is closed once by two processes, without a gap in the numbers', async () => {
    const customers = [debtor.customerId]
    for (let count = 1; count < 12; count += 1)
      customers.push((await makeCustomerRow(test.service, debtor.partnerId)).id)
    for (const customerId of customers) await post(test.service, { ...debtor, customerId }, lineOf())
    vi.setSystemTime(GRACE_OVER)
    const some = () => test.service.database.transaction((tx) => closeDue(tx, 5, debtor.partnerId))
    const closed = await Promise.all(Array.from({ length: 8 }, some))
    expect(new Set(closed.flat()).size).toBe(closed.flat().length)
    await sweep()
    const { data } = await act('statement_list', { limit: 100 })
    const numbers = Array.isArray(data) ? data.map(({ number }) => number) : []
    expect(numbers.toSorted((a, b) => a - b)).toEqual(customers.map((_, index) => index + 1))
  })

  it('has every line that was posted before it was closed, however they race', async () => {
    await owe(1)
    vi.setSystemTime(GRACE_OVER)
    const late = () =>
      post(test.service, debtor, lineOf({ amountMicros: 1, occurredAt: '2026-06-30T00:00:00.000Z' }))
    await Promise.all([
      ...Array.from({ length: 10 }, late),
      test.service.database.transaction((tx) => closeDue(tx, 5, debtor.partnerId)),
      ...Array.from({ length: 10 }, late)
    ])
    const ofStatement = async (statementId: string) =>
      (await entries()).filter((entry) => entry.statementId === statementId).length
    let lines = 0
    for (const { statementId, lineCount, total } of await listed()) {
      expect([lineCount, total]).toEqual([await ofStatement(statementId), fromMicros(lineCount)])
      lines += lineCount
    }
    expect(lines).toBe(21)
    expect(await owed()).toBe(fromMicros(21))
    const june = (await listed()).at(-1)
    expect(june).toMatchObject({ status: 'closed', number: 1 })
    await late()
    expect((await listed()).at(-1)).toEqual(june)
  })

  it('that a line is being posted to is closed behind it', async () => {
    await owe(1)
    vi.setSystemTime(GRACE_OVER)
    const locked = gate()
    const released = gate()
    const posting = test.service.database.transaction(async (tx) => {
      await lockAccount(tx, debtor.customerId)
      locked.resolve()
      await released.promise
      await postLines(tx, debtor, [lineOf({ amountMicros: 2, occurredAt: '2026-06-30T00:00:00.000Z' })])
    })
    await locked.promise
    const closing = test.service.database.transaction((tx) => closeDue(tx, 5, debtor.partnerId))
    expect(await Promise.race([closing, untilWaiting()])).toBe('waits')
    released.resolve()
    await posting
    expect(await closing).toHaveLength(1)
    expect(await listed()).toMatchObject([{ status: 'closed', lineCount: 2, total: 0.000003 }])
  })

  it('answers its lines behind any number, and refuses what the tables know for none', async () => {
    await owe(1, 2)
    const linesAfter = (cursor: string) =>
      idOf(0).then((statementId) => act('statement_lines', { statementId, cursor }))
    expect(await linesAfter('1')).toMatchObject({ lines: [{ number: 2 }] })
    expect(await linesAfter('9'.repeat(15))).toEqual({ lines: [], nextCursor: null })
    await expect(linesAfter('9'.repeat(20))).rejects.toMatchObject({ code: 'invalid_input', field: 'cursor' })
  })

  it('leaves a trace of each step in the audit log', async () => {
    const statementId = await closedJune()
    await act('statement_mark_billed', { statementId })
    await act('statement_void', { statementId })
    const { data } = await act('audit_list', { targetId: statementId })
    const acts = Array.isArray(data) ? data.map(({ action }) => action) : []
    expect(acts.toSorted()).toEqual(['statement_mark_billed', 'statement_void'])
  })
})
