// Lists read their page, whatever else a partner has. On SQLite the plan says it; on PostgreSQL the rows that it reads are
// counted, whichever plan it takes.
import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { growTo, NEEDLE } from '../../bench/growth-rows.ts'
import { ALL_SCOPES } from '../../schemas/api-key.ts'
import type { Tables } from '../../src/database/tables.ts'
import { execute } from '../../src/execute.ts'
import { operations } from '../../src/operations.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'

const CUSTOMERS = 1_600
const LAST = CUSTOMERS / 20

const readsOf = (customerId: string): Record<string, [operation: string, input: object]> => ({
  dashboard: ['dashboard_get', {}],
  customers: ['customer_list', {}],
  labels: ['customer_labels', {}],
  'the last customers': ['customer_list', { page: LAST }],
  'what changed': ['customer_list', { updatedSince: '2100-01-01T00:00:00Z' }],
  'who is called so': ['customer_list', { search: NEEDLE }],
  'who is called so and blocked': ['customer_list', { search: NEEDLE, credentialStatus: 'suspended' }],
  'who is blocked': ['customer_list', { credentialStatus: 'suspended' }],
  'who is on trial': ['customer_find', { isOnTrial: true }],
  'who is low on credits': ['customer_find', { need: 'credits', limit: 5 }],
  'whose invite lapsed': ['customer_find', { need: 'invite', limit: 5 }],
  'customers by name': ['customer_find', { sort: 'name' }],
  'customers by company, backwards': ['customer_find', { sort: '-companyName' }],
  'the oldest customers': ['customer_find', { sort: 'createdAt' }],
  'the blocked by name': ['customer_find', { sort: 'name', credentialStatus: 'suspended' }],
  'customers of a day': ['customer_find', { createdFrom: '2100-01-01', createdTo: '2100-01-01' }],
  'who has an address': ['customer_find', { emails: ['owner-7@clinic.example'] }],
  'customers for a file': ['customer_export', {}],
  'some customers for a file': ['customer_export', { search: NEEDLE, need: 'credits' }],
  acts: ['audit_list', {}],
  'the last acts': ['audit_list', { page: LAST }],
  'acts of a kind': ['audit_list', { action: 'customer_update' }],
  'acts on one': ['audit_list', { targetId: 'cus_x' }],
  mails: ['mail_list', {}],
  'the last mail that was sent': ['mail_list', { status: 'sent', limit: 1 }],
  'the last mails': ['mail_list', { page: LAST }],
  'mails that failed': ['mail_list', { status: 'failed' }],
  'mails by address': ['mail_list', { sort: 'recipient' }],
  'mails of a day': ['mail_list', { createdFrom: '2100-01-01', createdTo: '2100-01-01' }],
  'mails to somebody': ['mail_list', { search: NEEDLE }],
  'mails to an address': ['mail_list', { search: 'owner-7@', status: 'sent' }],
  'acts until a day': ['audit_list', { createdTo: '2100-01-01', page: LAST }],
  'the oldest acts': ['audit_list', { sort: 'createdAt' }],
  'acts of a kind on a day': [
    'audit_list',
    { action: 'customer_update', createdFrom: '2100-01-01', createdTo: '2100-01-01' }
  ],
  tokens: ['customer_token_list_all', {}],
  'the last tokens': ['customer_token_list_all', { page: LAST }],
  'tokens by name': ['customer_token_list_all', { sort: '-name' }],
  'tokens of somebody': ['customer_token_list_all', { search: NEEDLE }],
  agents: ['voice_agent_list', {}],
  'the last agents': ['voice_agent_list', { page: LAST }],
  'agents of one': ['voice_agent_list', { customerId }],
  servers: ['instance_list', {}],
  'the last servers': ['instance_list', { page: LAST }],
  'servers by name': ['instance_find', { sort: 'name' }],
  'servers of somebody': ['instance_find', { search: NEEDLE }],
  'servers that don’t answer': ['instance_find', { trouble: 'unreachableSince', limit: 5 }],
  'servers whose deploy failed': ['instance_find', { trouble: 'failedAt', limit: 5 }],
  statements: ['statement_list', {}],
  'the last statements': ['statement_list', { page: LAST }],
  'open statements': ['statement_list', { status: 'draft' }]
})

/** Reads a table from its beginning to its end, or all that a partner has there. */
const OF_EACH =
  /: SCAN (?:customer|audit|mail|held|customerToken|instance|voiceAgent|statement|creditAccount|lowCredit|rowCount)\b(?! VIRTUAL)|\(partnerId=\?\)/

/** Ends with the few that are shown, which come first. */
const IN_ORDER =
  /lowCreditLowest|instanceUnreachable|instanceFailed|customerByName|customerByCompany|the oldest .*(?:customer|audit)Newest|(?:mails|tokens|servers) by .*(?:ByRecipient|ByName)/

/** Days of a year, and then some: a deep page is found by adding up so many counts. */
const MOST_ROWS = 400

interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** What each read asks of the database. */
async function statementsOf(
  { service }: TestService,
  partnerId: string,
  dialect: SqliteDialect | PostgresDialect
): Promise<Record<string, Statement[]>> {
  let asked: Statement[] = []
  const read = new Kysely<Tables>({ dialect, log: ({ query }) => void asked.push(query) })
  const caller = { partnerId, actor: 'key_test', scopes: new Set(ALL_SCOPES) }
  const watched = { ...service, database: { ...service.database, read } }
  const found: Record<string, Statement[]> = {}
  const customers = service.database.read.selectFrom('customer').where('partnerId', '=', partnerId)
  const { id } = await customers.select('id').executeTakeFirstOrThrow()
  for (const [name, [operation, input]] of Object.entries(readsOf(id))) {
    asked = []
    const known = operations.find((candidate) => candidate.name === operation)
    if (!known) throw new Error(`There is no operation ${operation}`)
    await execute(known, watched, { caller, requestId: 'req_test' }, input)
    found[name] = asked
  }
  await read.destroy()
  return found
}

describe('what lists read', () => {
  let test: TestService
  let partnerId: string
  const fill = async (kind: DatabaseKind) => {
    test = await openTestService(kind)
    ;({ partnerId } = await growTo(test.service, CUSTOMERS))
  }

  describe('on sqlite', () => {
    beforeAll(() => fill('sqlite'))
    afterAll(() => test.close())

    it('is found by an index in the order of the list, down to the rows of the page', async () => {
      const file = () => new Sqlite(test.service.config.databaseLocation)
      const asked = await statementsOf(test, partnerId, new SqliteDialect({ database: file() }))
      const db = file()
      const plans = Object.entries(asked).map(([name, statements]) => {
        const steps = statements.flatMap(({ sql, parameters }) =>
          db.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(...parameters)
        )
        return [name, steps.map(({ detail }) => detail)] as const
      })
      db.close()
      const reads = plans.flatMap(([name, steps]) => steps.map((step) => `${name}: ${step}`))
      expect(reads.filter((step) => OF_EACH.test(step) && !IN_ORDER.test(step))).toEqual([])
    })
  })

  describe('on postgres', () => {
    beforeAll(() => fill('postgres'))
    afterAll(() => test.close())

    it('is no more than a page, however the database finds it', async () => {
      const types = {
        getTypeParser: (oid: number, format?: 'text' | 'binary') =>
          oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
            ? Number
            : pg.types.getTypeParser(oid, format)
      }
      const connectionString = test.service.config.databaseLocation
      const pool = new pg.Pool({ connectionString, types: types as pg.CustomTypesConfig })
      await pool.query('analyze')
      const asked = await statementsOf(test, partnerId, new PostgresDialect({ pool }))
      const client = new pg.Client({ connectionString })
      await client.connect()
      // A table of so few rows is read as a whole otherwise.
      await client.query('set enable_seqscan = off')
      const most: Record<string, number> = {}
      for (const [name, statements] of Object.entries(asked))
        for (const { sql, parameters } of statements) {
          const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [...parameters])
          const read = rowsRead(rows[0]['QUERY PLAN'][0].Plan)
          most[name] = Math.max(most[name] ?? 0, read)
        }
      await client.end()
      expect(Object.entries(most).filter(([, read]) => read > MOST_ROWS)).toEqual([])
      expect(most).toMatchObject({ acts: expect.any(Number), mails: 20 })
    })
  })
})

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** Of tables: what was looked at, also where it was found not to fit. */
function rowsRead(plan: Plan): number {
  const below = (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), 0)
  if (plan['Relation Name'] === undefined) return below
  const each =
    plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  return below + each * plan['Actual Loops']
}
