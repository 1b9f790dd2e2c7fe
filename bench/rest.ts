// `npm run bench:rest`: the partner API against the same SQL behind a bare Hono.
import Sqlite from 'better-sqlite3'
import { type CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { pageOfCustomers } from '../src/customers/listing.ts'
import type { Tables } from '../src/database/tables.ts'
import type { BaselineSettings } from './baseline.ts'
import { isPostgresUrl } from './baseline-database.ts'
import { runBench } from './bench.ts'
import type { Side } from './compare.ts'
import type { Fixture } from './fixture.ts'

await runBench('bench:rest', {
  async baselineOf(fixture) {
    return { databaseLocation: fixture.databaseLocation, list: await listStatements(fixture), texts: {} }
  },
  comparisonsOf({ key, customerId }, ours, baseline) {
    const headers = { authorization: `Bearer ${key}` }
    const getOne: Side = {
      server: ours,
      shot: { method: 'GET', path: `/api/v1/mcp/customers/${customerId}`, headers },
      proof: `"success":true,"data":{"id":"${customerId}"`
    }
    return [
      {
        name: 'GET one customer, key checked',
        against: 'raw Hono + prepared get',
        goal: 0.6,
        ours: getOne,
        baseline: {
          server: baseline,
          shot: { method: 'GET', path: `/customers/${customerId}`, headers: {} },
          proof: `"id":"${customerId}"`
        }
      },
      {
        name: 'GET one customer, key checked',
        against: 'the same work by hand',
        goal: 0.85,
        same: (answer: string): unknown => JSON.parse(answer),
        ours: getOne,
        baseline: {
          server: baseline,
          shot: { method: 'GET', path: `/handwritten/customers/${customerId}`, headers },
          proof: `"id":"${customerId}"`
        }
      },
      {
        name: 'GET a list, 20 of 1,000, key checked',
        against: 'raw Hono + the same SQL',
        goal: 0.85,
        ours: {
          server: ours,
          shot: { method: 'GET', path: '/api/v1/mcp/customers', headers },
          proof: '"totalCount":1000'
        },
        baseline: {
          server: baseline,
          shot: { method: 'GET', path: '/customers', headers: {} },
          proof: '"count":1000'
        }
      }
    ]
  }
})

/** The SQL that the service runs for the first page, as it was compiled. */
async function listStatements({ databaseLocation, partnerId }: Fixture): Promise<BaselineSettings['list']> {
  const queries: CompiledQuery[] = []
  const db = new Kysely<Tables>({
    dialect: isPostgresUrl(databaseLocation)
      ? new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseLocation, max: 1 }) })
      : new SqliteDialect({ database: new Sqlite(databaseLocation, { readonly: true }) }),
    log({ query }) {
      queries.push(query)
    }
  })
  await pageOfCustomers(db, partnerId, { page: 1, limit: 20 })
  await db.destroy()
  return queries.map(({ sql, parameters }) => ({ sql, parameters: parameters.map(plainValue) }))
}

function plainValue(parameter: unknown): string | number {
  if (typeof parameter === 'string' || typeof parameter === 'number') return parameter
  throw new Error('The list has a parameter that JSON can’t carry')
}
