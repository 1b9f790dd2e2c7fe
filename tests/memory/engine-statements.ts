// What the engine asks of a database, and how that carries it out.
import Sqlite from 'better-sqlite3'
import { type CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { now } from '../../src/clock.ts'
import type { Tables } from '../../src/database/tables.ts'
import { newId } from '../../src/ids.ts'
import { embeddedEngine } from '../../src/memory/embedded-engine.ts'
import { deleteBatch } from '../../src/memory/forgotten-minds.ts'
import type { DatabaseKind } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { smallQuestions } from './small-talk.ts'
import { stateOf } from './told-mind.ts'

/** Tells, finds, recalls and forgets in the Mind, as the service does; each statement once. */
export async function statementsOf(
  { service, env }: TestService,
  kind: DatabaseKind,
  mindKey: number
): Promise<CompiledQuery[]> {
  const statements = new Map<string, CompiledQuery>()
  const db = new Kysely<Tables>({
    dialect:
      kind === 'sqlite'
        ? new SqliteDialect({ database: new Sqlite(service.config.databaseLocation) })
        : new PostgresDialect({ pool: new pg.Pool({ connectionString: env.DATABASE_URL }) }),
    log: ({ query }) => {
      if (!/^(?:begin|commit|rollback)/.test(query.sql)) statements.set(query.sql, query)
    }
  })
  try {
    await useEverything(db, mindKey)
  } finally {
    await db.destroy()
  }
  return [...statements.values()]
}

async function useEverything(db: Kysely<Tables>, mindKey: number): Promise<void> {
  const told = {
    content: 'Ada: My name is Ada Quill, I work at Harbour Clinic and I love tea.',
    occurredAt: now()
  }
  await db.transaction().execute(async (tx) => {
    for (const seq of [1_001, 1_002, 1_003]) {
      const place = { mindKey, seq, id: newId('mem'), contentHash: `${seq}`, createdAt: now() }
      await (await embeddedEngine.prepare(told, 'ptn_test'))(tx, place)
    }
  })
  const { signal } = new AbortController()
  for (const text of smallQuestions) {
    for (const level of ['standard', 'deep'] as const)
      await embeddedEngine.ask(db, { key: mindKey, partnerId: '', customerId: '' }, { text, level }, signal)
  }
  await stateOf(db, mindKey, now())
  const mind = { key: mindKey, partnerId: '', customerId: '' }
  for (const query of [undefined, ...smallQuestions.slice(0, 1)]) {
    const since = { since: '2000-01-01T00:00:00.000Z', about: 'tea', query }
    for (const filters of [{ query }, since, { ...since, author: 'Ada' }])
      await embeddedEngine.search(db, mind, { ...filters, limit: 20 }, signal)
  }
  await db.transaction().execute(async (tx) => {
    await embeddedEngine.forget(tx, mindKey, 1_002)
    await tx.deleteFrom('mind').where('key', '=', mindKey).execute()
    while (!(await deleteBatch(tx)));
  })
}

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** @param prepare what PostgreSQL's planner is told before */
export async function plansOf(
  { service, env }: TestService,
  kind: DatabaseKind,
  statements: readonly Statement[],
  prepare: string
): Promise<{ sql: string; plan: string }[]> {
  if (kind === 'sqlite') {
    const db = new Sqlite(service.config.databaseLocation, { readonly: true })
    const plans = statements.map(({ sql, parameters }) => {
      const steps = db.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(...parameters)
      return { sql, plan: steps.map(({ detail }) => detail).join('\n') }
    })
    db.close()
    return plans
  }
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  await client.query(prepare)
  const plans: { sql: string; plan: string }[] = []
  for (const { sql, parameters } of statements) {
    const { rows } = await client.query(`explain ${sql}`, [...parameters])
    plans.push({ sql, plan: rows.map((row) => row['QUERY PLAN']).join('\n') })
  }
  await client.end()
  return plans
}
