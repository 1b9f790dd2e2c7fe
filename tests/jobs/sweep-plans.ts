// How the database finds what a sweep is about.
import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from '../../src/database/tables.ts'
import { type Sweep, sweepsOf } from '../../src/jobs/sweeps.ts'
import type { TestService } from '../support/service.ts'

/** Runs one batch of every sweep and takes it back; the plan of each statement, as the database explains it. */
export async function plansOfSweeps({ service }: TestService): Promise<string[]> {
  const { databaseLocation, retention } = service.config
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const log = {
    log: ({ query }: { query: { sql: string; parameters: readonly unknown[] } }) =>
      void statements.push(query)
  }
  if (service.database.kind === 'sqlite') {
    const database = new Sqlite(databaseLocation)
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }), ...log })
    for (const sweep of sweepsOf(retention)) await tryOut(db, sweep)
    const plans = statements.filter(isPlanned).map(({ sql, parameters }) => {
      const steps = database.prepare(`explain query plan ${sql}`).all(parameters) as { detail: string }[]
      return [sql, ...steps.map(({ detail }) => detail)].join('\n')
    })
    await db.destroy()
    return plans
  }
  const pool = new pg.Pool({ connectionString: databaseLocation })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), ...log })
  for (const sweep of sweepsOf(retention)) await tryOut(db, sweep)
  const plans: string[] = []
  for (const { sql, parameters } of statements.filter(isPlanned)) {
    const { rows } = await pool.query(`explain ${sql}`, [...parameters])
    plans.push([sql, ...rows.map((row) => row['QUERY PLAN'])].join('\n'))
  }
  await db.destroy()
  return plans
}

const isPlanned = ({ sql }: { sql: string }): boolean => /^\s*(?:select|update|delete|with)/i.test(sql)

async function tryOut(db: Kysely<Tables>, sweep: Sweep): Promise<void> {
  const undone = new Error('Taken back')
  await db
    .transaction()
    .execute(async (tx) => {
      await sweep.run(tx, 25)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
}
