// Once a day every balance and every statement is held against its lines. What differs is told, and never put right here.
import { z } from 'zod'
import { fromNow, HOUR_MS, now } from '../clock.ts'
import type { Database, ReadHandle } from '../database/database.ts'
import type { Log } from '../log.ts'
import { nextTurn } from '../slices.ts'

const NAME = 'billingCheck'

const Check = z.object({
  startedAt: z.string(),
  doneAt: z.string().nullable(),
  mismatches: z.int()
})
type Check = z.output<typeof Check>

const NEVER: Check = { startedAt: '', doneAt: null, mismatches: 0 }

/** The last one of any process: how many customers' books did not add up. */
export const lastCheck = async (db: ReadHandle): Promise<Check> => (await readCheck(db)).check

async function readCheck(db: ReadHandle) {
  const row = await db.selectFrom('setting').where('name', '=', NAME).select('value').executeTakeFirst()
  return { written: row?.value, check: row ? Check.parse(JSON.parse(row.value)) : NEVER }
}

interface Work {
  database: Database
  log: Log
}

/** Checks every customer's books, if no process did today (UTC); one that ended on the way is followed an hour later. */
export async function checkBooks({ database, log }: Work, stopping?: AbortSignal): Promise<void> {
  const { written, check } = await readCheck(database.read)
  const isOfToday = check.startedAt.slice(0, 10) === now().slice(0, 10)
  const isUnderWay = check.doneAt === null && check.startedAt > fromNow(-HOUR_MS)
  if (isUnderWay || (isOfToday && check.doneAt !== null)) return
  const started = { ...check, startedAt: now(), doneAt: null }
  const taken = await writeCheck(database, started, written)
  if (taken === undefined) return
  let mismatches = 0
  for (let after = ''; ; ) {
    const some = await accountsAfter(database.read, after)
    for (const { customerId, partnerId } of some) {
      if (stopping?.aborted) return
      if (await addsUp(database.read, customerId)) continue
      mismatches += 1
      log.error('what a customer owes differs from its lines', { customerId, partnerId })
    }
    const last = some.at(-1)
    if (!last) break
    after = last.customerId
  }
  await writeCheck(database, { ...started, doneAt: now(), mismatches }, taken)
}

/** The text that stands there now; undefined where another process was quicker. */
function writeCheck({ transaction }: Database, check: Check, before: string | undefined) {
  const value = JSON.stringify(check)
  return transaction(async (tx) => {
    const row = tx.insertInto('setting').values({ name: NAME, value })
    const written = await row
      .onConflict((known) =>
        known
          .column('name')
          .doUpdateSet({ value })
          .where('setting.value', '=', before ?? '')
      )
      .executeTakeFirst()
    return written.numInsertedOrUpdatedRows ? value : undefined
  })
}

const ACCOUNTS = 200
const LINES = 2_000

/** An erased customer's lines go before its account does. */
const accounts = (db: ReadHandle) =>
  db.selectFrom('billingAccount').innerJoin('customer', 'customer.id', 'billingAccount.customerId')

const accountsAfter = (db: ReadHandle, customerId: string) =>
  accounts(db)
    .where('customerId', '>', customerId)
    .select(['customerId', 'billingAccount.partnerId'])
    .orderBy('customerId')
    .limit(ACCOUNTS)
    .execute()

interface Sum {
  micros: number
  lines: number
}

/**
 * Lines are numbered and only ever added, so each sum is of a beginning that stays as it is: whatever is posted meanwhile
 * comes behind it. Statements are read first, and so have no line that the account doesn't count.
 */
async function addsUp(db: ReadHandle, customerId: string): Promise<boolean> {
  const statements = await db
    .selectFrom('statement')
    .where('customerId', '=', customerId)
    .select(['id', 'totalMicros', 'entryCount'])
    .execute()
  const own = accounts(db).where('customerId', '=', customerId)
  const account = await own.select(['balanceMicros', 'entryCount']).executeTakeFirst()
  if (!account) return true
  const left = new Map(
    statements.map(({ id, totalMicros, entryCount }) => [id, { micros: totalMicros, lines: entryCount }])
  )
  const balance: Sum = { micros: account.balanceMicros, lines: account.entryCount }
  for (let seq = 0; seq < account.entryCount; ) {
    await nextTurn()
    const lines = await linesBetween(db, customerId, seq, account.entryCount)
    for (const { statementId, kind, amountMicros } of lines) {
      take(balance, amountMicros)
      const total = left.get(statementId)
      if (total && total.lines > 0 && kind !== 'billed' && kind !== 'void') take(total, amountMicros)
    }
    const last = lines.at(-1)
    if (!last) break
    seq = last.seq
  }
  const isRight = [balance, ...left.values()].every(({ micros, lines }) => micros === 0 && lines === 0)
  // Erased meanwhile, it has none.
  return isRight || (await own.select('customerId').executeTakeFirst()) === undefined
}

function take(sum: Sum, micros: number): void {
  sum.micros -= micros
  sum.lines -= 1
}

const linesBetween = (db: ReadHandle, customerId: string, after: number, upTo: number) =>
  db
    .selectFrom('billingEntry')
    .where('customerId', '=', customerId)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .select(['seq', 'statementId', 'kind', 'amountMicros'])
    .orderBy('seq')
    .limit(LINES)
    .execute()
