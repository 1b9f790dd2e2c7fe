// What holds of all credits in a database whenever nobody is paying, whatever happened before.
import type { Selectable } from 'kysely'
import { expect } from 'vitest'
import type { ReadHandle } from '../../src/database/database.ts'
import type { Tables as AllTables } from '../../src/database/tables.ts'

type Tables = { [Name in keyof AllTables]: Selectable<AllTables[Name]> }

/**
 * Every balance is the sum of its ledger and never was below zero, what was paid being a part of it; nothing was paid or refunded twice; what is held,
 * settled or refunded has just the entries and the answer that go with it.
 */
export async function expectCreditsToAddUp(db: ReadHandle): Promise<void> {
  const entries = await db.selectFrom('creditEntry').selectAll().orderBy('accountId').orderBy('seq').execute()
  const accounts = await db.selectFrom('creditAccount').selectAll().execute()
  const reservations = await db.selectFrom('creditReservation').selectAll().execute()

  const ledgers = grouped(entries, ({ accountId }) => accountId)
  expect(accounts.map(({ id }) => id)).toEqual(expect.arrayContaining([...ledgers.keys()]))
  for (const { id, balanceMicros, paidMicros, entryCount } of accounts) {
    const ledger = ledgers.get(id) ?? []
    expectUnbroken(ledger)
    expect([id, balanceMicros], 'balance and sum').toEqual([id, sumOf(ledger)])
    expect(paidMicros, `${id}: what was paid is a part of the balance`).toBeGreaterThanOrEqual(0)
    expect(paidMicros).toBeLessThanOrEqual(balanceMicros)
    expect([id, entryCount], 'number of entries').toEqual([id, ledger.length])
  }
  const references = grouped(entries, ({ reference }) => reference)
  for (const reservation of reservations) expectToFit(reservation, references.get(reservation.id) ?? [])
  expectNothingHeldBeside(entries, reservations)
}

function grouped<Row>(rows: readonly Row[], by: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(by(row))
    if (group) group.push(row)
    else groups.set(by(row), [row])
  }
  return groups
}

const sumOf = (ledger: readonly Tables['creditEntry'][]): number =>
  ledger.reduce((sum, { amountMicros }) => sum + amountMicros, 0)

/** Numbered without a gap, each balance following from the one before. */
function expectUnbroken(ledger: readonly Tables['creditEntry'][]): void {
  let balance = 0
  const paid = new Set<string>()
  for (const [index, entry] of ledger.entries()) {
    balance += entry.amountMicros
    expect(entry.seq).toBe(index + 1)
    expect(entry.balanceAfterMicros).toBe(balance)
    expect(balance).toBeGreaterThanOrEqual(0)
    expect(entry.amountMicros < 0, entry.kind).toBe(entry.kind === 'charge' || entry.kind === 'hold')
    const once = `${entry.kind} ${entry.reference}`
    expect(paid.has(once), `${once} twice`).toBe(false)
    paid.add(once)
  }
}

/** A reservation's own entries: what it took, and what came back. */
function expectToFit(
  reservation: Tables['creditReservation'],
  entries: readonly Tables['creditEntry'][]
): void {
  const { id, partnerId, customerId, partnerMicros, customerMicros, status, answer } = reservation
  expect(reservation.coveredMicros).toBeLessThanOrEqual(customerMicros)
  const taken = [
    [partnerId, 'hold', -partnerMicros],
    [customerId, 'hold', -customerMicros]
  ].filter(([, , micros]) => micros !== 0 && micros !== 0)
  const returned = taken.map(([account, , micros]) => [account, 'refund', -Number(micros)])
  const found = entries.map(({ accountId, kind, amountMicros }) => [accountId, kind, amountMicros])
  expect([id, sorted(found)]).toEqual([id, sorted(status === 'refunded' ? [...taken, ...returned] : taken)])
  expect([id, answer !== null || reservation.answerErasedAt !== null]).toEqual([id, status === 'settled'])
  expect([id, reservation.settledAt !== null]).toEqual([id, status === 'settled'])
}

const sorted = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

function expectNothingHeldBeside(
  entries: readonly Tables['creditEntry'][],
  reservations: readonly Tables['creditReservation'][]
): void {
  const known = new Set(reservations.map(({ id }) => id))
  const stray = entries.filter(
    ({ kind, reference }) => (kind === 'hold' || kind === 'refund') && !known.has(reference)
  )
  expect(stray).toEqual([])
}
