// Whether the books of a partner say what an independent count says, to the millionth: call by call, day by day, and in
// every sum there is.
import type { Service } from '../../src/service.ts'
import { type Count, type CountedCall, sumsBy } from './independent-count.ts'

/** What differs between the books and the count; nothing, if all is well. */
export async function differences(
  { database: { read } }: Pick<Service, 'database'>,
  partnerId: string,
  counted: readonly CountedCall[],
  timeZone: string
): Promise<string[]> {
  const calls = await read.selectFrom('call').where('partnerId', '=', partnerId).selectAll().execute()
  const days = await read.selectFrom('callDay').where('partnerId', '=', partnerId).selectAll().execute()
  const accounts = await read
    .selectFrom('billingAccount')
    .where('partnerId', '=', partnerId)
    .selectAll()
    .execute()
  const entries = await read
    .selectFrom('billingEntry')
    .where('partnerId', '=', partnerId)
    .selectAll()
    .execute()
  const statements = await read
    .selectFrom('statement')
    .where('partnerId', '=', partnerId)
    .selectAll()
    .execute()

  const zone = new Intl.DateTimeFormat('sv-SE', { timeZone })
  const byCustomer = sumsBy(counted, ({ customerId }) => customerId)
  const byDay = sumsBy(counted, ({ customerId, endedAt }) =>
    customerId === null ? null : `${customerId} ${zone.format(endedAt)}`
  )
  const charges = new Map([...byCustomer].map(([id, { chargeMicros }]) => [id, String(chargeMicros)]))
  const sumOf = <Row extends { customerId: string | null }>(
    rows: readonly Row[],
    amount: (row: Row) => number | null
  ) => {
    const sums = new Map<string, bigint>()
    for (const row of rows)
      if (row.customerId !== null)
        sums.set(row.customerId, (sums.get(row.customerId) ?? 0n) + BigInt(amount(row) ?? 0))
    return new Map([...sums].map(([id, sum]) => [id, String(sum)]))
  }
  return [
    ...compared(
      'call',
      new Map(counted.map((call) => [`${call.provider} ${call.callId}`, shownCall(call)])),
      calls.map((call): [string, string] => [`${call.provider} ${call.callId}`, shownCall(call)])
    ),
    ...compared(
      'day',
      new Map([...byDay].map(([key, sum]) => [key, shownSum(sum)])),
      days.filter(({ calls }) => calls !== 0).map((day) => [`${day.customerId} ${day.day}`, shownSum(day)])
    ),
    ...compared(
      'account',
      charges,
      accounts.map((row) => [row.customerId, String(row.balanceMicros)])
    ),
    ...compared(
      'lines',
      charges,
      sumOf(entries, (row) => row.amountMicros)
    ),
    ...compared(
      'statements',
      charges,
      sumOf(statements, (row) => row.totalMicros)
    ),
    ...compared(
      'charges of calls',
      charges,
      sumOf(calls, (row) => row.chargeMicros)
    ),
    ...compared(
      'charges of days',
      charges,
      sumOf(days, (row) => row.chargeMicros)
    )
  ]
}

/** What nothing is owed for needs no row. */
const isNothing = (shown: string): boolean => shown === '0'

function compared(
  of: string,
  expected: ReadonlyMap<string, string>,
  found: Iterable<readonly [string, string]>
): string[] {
  const left = new Map(expected)
  const wrong: string[] = []
  const seen = new Set<string>()
  for (const [key, shown] of found) {
    const wanted = left.get(key)
    if (seen.has(key)) wrong.push(`${of} ${key} is there twice`)
    else if (wanted !== shown && !(wanted === undefined && isNothing(shown)))
      wrong.push(`${of} ${key} is ${shown}, not ${wanted}`)
    seen.add(key)
    left.delete(key)
  }
  for (const [key, wanted] of left) if (!isNothing(wanted)) wrong.push(`${of} ${key} is missing: ${wanted}`)
  return wrong
}

type Shown<Columns extends string> = { [Column in Columns]: string | number | bigint | null }

const shownCall = ({
  customerId,
  durationMs,
  costMicros,
  chargeMicros,
  endedAt
}: Shown<'customerId' | 'durationMs' | 'costMicros' | 'chargeMicros'> & {
  endedAt: string | number
}): string =>
  `${customerId}'s, ended at ${new Date(endedAt).toISOString()} after ${durationMs} ms, cost ${costMicros}, charge ${chargeMicros}`

const shownSum = ({ calls, durationMs, costMicros, chargeMicros }: Shown<keyof Count>): string =>
  `${calls} calls, ${durationMs} ms, cost ${costMicros}, charge ${chargeMicros}`
