// Once a day every balance and every statement is held against its lines. What differs is told, and never put right here.
import { z } from 'zod'
import { fromNow, HOUR_MS, now } from '../clock.ts'
import type { Database, ReadHandle } from '../database/database.ts'
import { rowsWhere } from '../database/known.ts'
import type { Log } from '../log.ts'
import { nextTurn } from '../slices.ts'

const NAME = 'billingCheck'

const Check = z.object({ startedAt: z.string(), doneAt: z.string().nullable(), mismatches: z.int() })
type Check = z.output<typeof Check>

const NEVER: Check = { startedAt: '', doneAt: null, mismatches: 0 }

/** The last one of any process: how many customers' books did not add up. */
export async function lastCheck(db: ReadHandle): Promise<Check> {
  const row = await db.selectFrom('setting').where('name', '=', NAME).select('value').executeTakeFirst()
  return row ? Check.parse(JSON.parse(row.value)) : NEVER
}

interface Work {
  database: Database
  log: Log
}

/** Checks every customer's books, if no process did today (UTC); one that ended on the way is followed an hour later. */
export async function checkBooks({ database, log }: Work, stopping?: AbortSignal): Promise<void> {
  const before = await lastCheck(database.read)
  if (before.startedAt > (before.doneAt === null ? fromNow(-HOUR_MS) : now().slice(0, 10))) return
  const started = { ...before, startedAt: now(), doneAt: null }
  if (!(await write(database, before, started))) return
  let mismatches = 0
  for (let after = ''; !stopping?.aborted; ) {
    const account = await accountAfter(database.read, after)
    if (!account) {
      await write(database, started, { ...started, doneAt: now(), mismatches })
      return
    }
    after = account.customerId
    if (await addsUp(database.read, after)) continue
    mismatches += 1
    log.error('what a customer owes differs from its lines', account)
  }
}

/** False where another process was quicker. */
async function write({ transaction }: Database, before: Check, check: Check): Promise<boolean> {
  const [was, value] = [JSON.stringify(before), JSON.stringify(check)]
  const { numInsertedOrUpdatedRows } = await transaction((tx) =>
    tx
      .insertInto('setting')
      .values({ name: NAME, value })
      .onConflict((known) => known.column('name').doUpdateSet({ value }).where('setting.value', '=', was))
      .executeTakeFirst()
  )
  return numInsertedOrUpdatedRows === 1n
}

/** An erased customer's lines go before its account does. */
const accounts = (db: ReadHandle) =>
  db
    .selectFrom('billingAccount')
    .innerJoin('customer', 'customer.id', 'billingAccount.customerId')
    .select(['billingAccount.customerId', 'billingAccount.partnerId'])

const accountAfter = (db: ReadHandle, customerId: string) =>
  accounts(db)
    .where('billingAccount.customerId', '>', customerId)
    .orderBy('billingAccount.customerId')
    .limit(1)
    .executeTakeFirst()

const LINES = 2_000

/** Balance and totals are read at once, and of the lines, which are only ever added, those that there were then. */
async function addsUp(db: ReadHandle, customerId: string): Promise<boolean> {
  const own = accounts(db).where('billingAccount.customerId', '=', customerId)
  const statements = await own
    .leftJoin('statement', 'statement.customerId', 'customer.id')
    .select(['statement.id', 'totalMicros', 'balanceMicros', 'billingAccount.entryCount'])
    .execute()
  const { balanceMicros = 0, entryCount = 0 } = statements[0] ?? {}
  let balance = balanceMicros
  const totals = new Map(statements.map(({ id, totalMicros }) => [id, totalMicros ?? 0]))
  for (let seq = 0; seq < entryCount; seq += LINES) {
    await nextTurn()
    for (const { statementId, kind, micros } of await sumsBetween(db, customerId, seq, entryCount)) {
      balance -= micros
      if (kind !== 'billed' && kind !== 'void')
        totals.set(statementId, (totals.get(statementId) ?? 0) - micros)
    }
  }
  const isRight = [balance, ...totals.values()].every((left) => left === 0)
  // Erased meanwhile, it has none.
  return isRight || (await own.executeTakeFirst()) === undefined
}

const sumsBetween = (db: ReadHandle, customerId: string, after: number, upTo: number) =>
  rowsWhere(db, 'billingEntry', { customerId })
    .where('seq', '>', after)
    .where('seq', '<=', Math.min(after + LINES, upTo))
    .groupBy(['statementId', 'kind'])
    .select(({ fn }) => ['statementId', 'kind', fn.sum<number>('amountMicros').as('micros')])
    .execute()
