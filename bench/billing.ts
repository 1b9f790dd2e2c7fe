// `npm run bench:billing`: what a million calls cost whoever lists customers, and a long statement whoever streams it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { SCOPES } from '../schemas/api-key.ts'
import { OnboardCustomer } from '../schemas/customer.ts'
import { type Line, postLines } from '../src/billing/ledger.ts'
import { now } from '../src/clock.ts'
import { loadConfig } from '../src/config.ts'
import { pageOfCustomers } from '../src/customers/listing.ts'
import { addCustomer, toNewCustomer } from '../src/customers/new-customer.ts'
import { listCustomersOperation } from '../src/customers/operations.ts'
import type { Tables } from '../src/database/tables.ts'
import { execute } from '../src/execute.ts'
import { newId } from '../src/ids.ts'
import { createLog } from '../src/log.ts'
import { insertPartner } from '../src/partners/store.ts'
import { openService } from '../src/service.ts'
import { findStatement, linesAfter } from '../src/statements/store.ts'

const HELP = `npm run bench:billing -- [options]

  --lines <n>      lines in all, each of a call (1000000)
  --customers <n>  customers that they are of, at least 40 (1000)
  --json           answer with one line of JSON
`
const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000000' },
    customers: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}

const LONG = 50_000
const SHORT = 500
const BATCH = 2_000
const ROUNDS = 41
const LISTS = 100

const folder = mkdtempSync(join(tmpdir(), 'mindgate-bench-'))
const service = await openService(loadConfig({ DATA_DIR: folder }), createLog('silent'))
try {
  const name = newId('bench')
  const { partnerId, customers } = await service.database.transaction(async (tx) => {
    const partner = await insertPartner(tx, { name, email: `${name}@bench.example` }, 0)
    const made: string[] = []
    for (let i = 0; i < Number(values.customers); i += 1) {
      const intake = OnboardCustomer.parse({ basic: { email: `owner-${i}@clinic.example` } })
      made.push((await addCustomer(tx, partner.partnerId, toNewCustomer(intake))).id)
    }
    return { partnerId: partner.partnerId, customers: made }
  })
  const [long = '', short = '', ...others] = customers
  const each = Math.ceil((Number(values.lines) - LONG - SHORT) / others.length)
  for (const customerId of others) await fill(partnerId, customerId, each)
  await fill(partnerId, long, LONG)
  await fill(partnerId, short, SHORT)
  report({
    lines: each * others.length + LONG + SHORT,
    ...(await ratioOfLists(partnerId)),
    longStatementPeakMb: await peakMb(partnerId, long),
    shortStatementPeakMb: await peakMb(partnerId, short)
  })
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
}

async function fill(partnerId: string, customerId: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, count - done) }, (): Line => {
      const reference = newId('cal')
      const description = 'Front desk'
      return {
        kind: 'call',
        amountMicros: 180_001,
        reference,
        description,
        occurredAt: now(),
        durationMs: 61_000
      }
    })
    await service.database.transaction((tx) => postLines(tx, { partnerId, customerId }, lines))
  }
}

/**
 * The list's own statement, with what is owed and without it, in turns on the same connection; and what the difference is
 * to the whole operation, which also counts, checks and shapes.
 */
async function ratioOfLists(partnerId: string) {
  const file = new Sqlite(join(folder, 'mindgate.db'), { readonly: true })
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: file }),
    log({ query }) {
      asked.push(query)
    }
  })
  await pageOfCustomers(db, partnerId, { page: 1, limit: 20, isOnTrial: false })
  const [query] = asked
  if (!query) throw new Error('The list asked nothing.')
  const withoutSql = query.sql.replace(/coalesce\(\(select "billingAccount".*?"unbilledMicros", /, '')
  if (withoutSql === query.sql) throw new Error('The list has no unbilledMicros.')
  const [owed, without] = [file.prepare(query.sql), file.prepare(withoutSql)]
  const timeOf = (statement: typeof owed) => {
    const startedAt = performance.now()
    for (let i = 0; i < LISTS; i += 1) statement.all(...query.parameters)
    return performance.now() - startedAt
  }
  const caller = { partnerId, actor: 'bench', scopes: new Set(SCOPES) }
  const operation = async () => {
    const startedAt = performance.now()
    for (let i = 0; i < LISTS; i += 1)
      await execute(listCustomersOperation, service, { caller, requestId: '' }, {})
    return performance.now() - startedAt
  }
  const statements: number[] = []
  const operations: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const [withIt, withoutIt, whole] = [timeOf(owed), timeOf(without), await operation()]
    statements.push(withIt / withoutIt)
    operations.push(whole / (whole - (withIt - withoutIt)))
  }
  file.close()
  return { statementRatio: median(statements), listRatio: median(operations) }
}

function median(ratios: readonly number[]): number {
  return ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN
}

/** The most that was held at once while every page of its statement was read, beyond what there was before. */
async function peakMb(partnerId: string, customerId: string): Promise<number> {
  const { read } = service.database
  const { id } = await read
    .selectFrom('statement')
    .where('customerId', '=', customerId)
    .select('id')
    .executeTakeFirstOrThrow()
  const statement = await findStatement(read, partnerId, id)
  const before = heldBytes()
  let peak = 0
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await linesAfter(read, statement, cursor ?? undefined)
    peak = Math.max(peak, heldBytes() - before)
    cursor = page.nextCursor
  }
  return peak / 2 ** 20
}

/** Once nothing is left that could be collected. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function report(figures: Record<string, number>): void {
  if (values.json) process.stdout.write(`${JSON.stringify(figures)}\n`)
  else
    for (const [figure, value] of Object.entries(figures))
      process.stdout.write(`${figure.padEnd(22)} ${Number(value.toFixed(2))}\n`)
}
