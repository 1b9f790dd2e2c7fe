// What customers owe, without calls: lines posted straight onto the ledger, and statements of months that are over.
import { monthOf } from '../../src/billing/calendar.ts'
import { billingTermsOf, type Debtor, type Line, postLines } from '../../src/billing/ledger.ts'
import type { Caller } from '../../src/caller.ts'
import { now } from '../../src/clock.ts'
import { execute } from '../../src/execute.ts'
import { newId } from '../../src/ids.ts'
import { operations } from '../../src/operations.ts'
import type { Service } from '../../src/service.ts'
import { closeDue } from '../../src/statements/life.ts'

/** A call's line as it is written now; what isn't given is made up. */
export const lineOf = (given: Partial<Line> = {}): Line => ({
  kind: 'call',
  amountMicros: 250_000,
  reference: newId('ref'),
  description: 'Front desk',
  occurredAt: now(),
  durationMs: 60_000,
  ...given
})

export const post = (service: Service, debtor: Debtor, ...lines: Line[]): Promise<void> =>
  service.database.transaction((tx) => postLines(tx, debtor, lines))

/** Runs an operation of the list by its name, at a clock that may stand still. */
export async function call(
  service: Service,
  caller: Caller,
  name: string,
  input: Record<string, unknown>
): Promise<Record<string, unknown>> {
  const operation = operations.find((candidate) => candidate.name === name)
  if (!operation) throw new Error(`There is no operation ${name}`)
  return (await execute(operation, service, { caller, requestId: 'req_test' }, input)).output
}

interface Month {
  lines?: Line[]
  /** `2020-01`: over for long. */
  month?: string
}

/** Those lines on a statement that can be closed. */
export async function makeOverdueStatement(
  service: Service,
  { partnerId, customerId }: Debtor,
  { lines = [lineOf()], month = '2020-01' }: Month = {}
): Promise<string> {
  const posted = lines.map((line) => ({ ...line, occurredAt: now() }))
  return service.database.transaction(async (tx) => {
    await postLines(tx, { partnerId, customerId }, posted)
    const { id } = await tx
      .selectFrom('statement')
      .where('customerId', '=', customerId)
      .orderBy('startsAt', 'desc')
      .select('id')
      .executeTakeFirstOrThrow()
    const { timeZone } = await billingTermsOf(tx, partnerId)
    await tx
      .updateTable('statement')
      .set(monthOf(`${month}-15T00:00:00.000Z`, timeZone))
      .where('id', '=', id)
      .execute()
    return id
  })
}

/** Those lines on a statement of a month that is over; it is closed, and has its number. */
export async function makeClosedStatement(service: Service, debtor: Debtor, month?: Month): Promise<string> {
  const statementId = await makeOverdueStatement(service, debtor, month)
  await service.database.transaction((tx) => closeDue(tx, 100, debtor.partnerId))
  return statementId
}
