import { expect } from 'vitest'
import type { Service } from '../../src/service.ts'
import type { OwedModel } from './owed-model.ts'

/** Every row of a partner's books, in the order in which it came about. */
export async function readBooks({ database: { read } }: Service, partnerId: string) {
  const [accounts, statements, entries, calls, days] = await Promise.all([
    read.selectFrom('billingAccount').where('partnerId', '=', partnerId).selectAll().execute(),
    read.selectFrom('statement').where('partnerId', '=', partnerId).selectAll().orderBy('startsAt').execute(),
    read
      .selectFrom('billingEntry')
      .where('partnerId', '=', partnerId)
      .selectAll()
      .orderBy('customerId')
      .orderBy('seq')
      .execute(),
    read.selectFrom('call').where('partnerId', '=', partnerId).selectAll().orderBy('id').execute(),
    read.selectFrom('callDay').where('partnerId', '=', partnerId).selectAll().orderBy('day').execute()
  ])
  return { accounts, statements, entries, calls, days }
}

type Books = Awaited<ReturnType<typeof readBooks>>

/**
 * What holds at any time: no sum differs from its parts, no periods meet, and nothing closed changes. `closed` has what
 * stood on each statement when it was seen closed first.
 */
export function expectInOrder(
  { accounts, statements, entries, calls, days }: Books,
  closed: Map<string, unknown>
): void {
  for (const { customerId, balanceMicros, entryCount } of accounts) {
    const own = entries.filter((entry) => entry.customerId === customerId)
    expect([sum(own), own.length]).toEqual([balanceMicros, entryCount])
    expect(own.map(({ seq }) => seq)).toEqual(own.map((_, index) => index + 1))
    const periods = statements.filter((statement) => statement.customerId === customerId)
    for (const [index, { startsAt, endsAt }] of periods.entries()) {
      expect(startsAt < endsAt).toBe(true)
      expect(endsAt <= (periods[index + 1]?.startsAt ?? endsAt)).toBe(true)
    }
  }
  for (const { id, status, totalMicros, entryCount, number } of statements) {
    const own = entries.filter(
      (entry) => entry.statementId === id && !['billed', 'void'].includes(entry.kind)
    )
    expect([sum(own), own.length]).toEqual([totalMicros, entryCount])
    if (status === 'draft') continue
    if (!closed.has(id)) closed.set(id, { own, totalMicros, number })
    expect({ own, totalMicros, number }).toEqual(closed.get(id))
  }
  for (const { id, customerId, chargeMicros } of calls) {
    const lines = entries.filter(({ reference }) => reference.startsWith(`${id}:`))
    for (const each of new Set([customerId, ...lines.map((line) => line.customerId)]))
      if (each !== null)
        expect(sum(lines.filter((line) => line.customerId === each))).toBe(
          each === customerId ? (chargeMicros ?? 0) : 0
        )
  }
  const counted = new Map<string, [number, number, number, number]>()
  for (const call of calls) {
    if (call.customerId === null) continue
    const key = `${call.customerId} ${call.day}`
    const [count, durationMs, cost, charge] = counted.get(key) ?? [0, 0, 0, 0]
    counted.set(key, [
      count + 1,
      durationMs + call.durationMs,
      cost + (call.costMicros ?? 0),
      charge + (call.chargeMicros ?? 0)
    ])
  }
  const kept = days.map((day) => [
    `${day.customerId} ${day.day}`,
    [day.calls, day.durationMs, day.costMicros, day.chargeMicros]
  ])
  expect(kept.filter(([, sums]) => String(sums) !== '0,0,0,0').toSorted()).toEqual([...counted].toSorted())
}

const sum = (lines: readonly { amountMicros: number }[]): number =>
  lines.reduce((total, { amountMicros }) => total + amountMicros, 0)

/** Calls, days and balances are what the model comes to. */
export function expectAsModelled(
  { accounts, statements, calls, days }: Books,
  model: OwedModel,
  customers: readonly string[]
): void {
  const known = calls.map(({ callId, customerId, chargeMicros }) => ({ callId, customerId, chargeMicros }))
  expect(known.toSorted(byCallId)).toEqual(model.calls().toSorted(byCallId))
  for (const customerId of customers) {
    const billed = statements.filter((one) => one.customerId === customerId && one.status === 'billed')
    const owed = model.owed(customerId) - billed.reduce((total, one) => total + BigInt(one.totalMicros), 0n)
    const balance = accounts.find((account) => account.customerId === customerId)?.balanceMicros ?? 0
    expect(BigInt(balance)).toBe(owed)
    const own = days.filter((day) => day.customerId === customerId && day.calls > 0)
    expect(
      new Map(
        own.map((day) => [day.day, [day.calls, day.durationMs, day.costMicros, day.chargeMicros].map(BigInt)])
      )
    ).toEqual(model.days(customerId))
  }
}

const byCallId = (a: { callId: string }, b: { callId: string }): number => (a.callId < b.callId ? -1 : 1)
