// A month that was billed, one that is closed, and one that still takes lines.
import type { Debtor, Line } from '../../../src/billing/ledger.ts'
import type { Service } from '../../../src/service.ts'
import { billStatement } from '../../../src/statements/life.ts'
import { lineOf, makeClosedStatement, post } from '../../support/statements.ts'

export async function seedStatements(service: Service, debtor: Debtor): Promise<string> {
  const billed = await makeClosedStatement(service, debtor, { lines: monthOf(40), month: '2026-01' })
  await service.database.transaction((tx) => billStatement(tx, debtor.partnerId, billed))
  const closed = await makeClosedStatement(service, debtor, { lines: monthOf(24), month: '2026-02' })
  await post(service, debtor, ...monthOf(3))
  return closed
}

const monthOf = (calls: number): Line[] => [
  lineOf({ kind: 'subscription', amountMicros: 49_000_000, description: 'Growth', durationMs: null }),
  ...Array.from({ length: calls }, (_, i) =>
    lineOf({
      amountMicros: 180_000 + i * 7_350,
      durationMs: 61_000 + i * 4_000,
      description: i % 3 === 0 ? 'After hours' : 'Front desk'
    })
  ),
  lineOf({
    kind: 'adjustment',
    amountMicros: -5_000_000,
    description: 'Credit for the outage',
    durationMs: null
  })
]
