// How the databases carry out what the engine asks of them: never by reading a whole table.
import Sqlite from 'better-sqlite3'
import { type CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../src/clock.ts'
import type { Tables } from '../../src/database/tables.ts'
import { newId } from '../../src/ids.ts'
import { embeddedEngine } from '../../src/memory/embedded/engine.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { crowd } from './crowd.ts'
import { smallQuestions, smallTalk } from './small-talk.ts'
import { tellMind } from './told-mind.ts'

const ENGINE_TABLES = ['memory', 'posting', 'mindStat', 'mindAuthor', 'fact', 'mind']

describe.each(databases)('the engine’s statements on %s', (kind) => {
  let test: TestService
  let statements: CompiledQuery[]
  beforeAll(async () => {
    test = await openTestService(kind)
    const texts = smallTalk.map(({ content }) => content)
    // Small tables are read whole with good reason.
    await crowd(test.service, texts, { minds: 400, each: 50 })
    await crowd(test.service, texts, { minds: 5, each: 2_000 })
    const { mindKey } = await tellMind(test.service, smallTalk)
    statements = await recorded(test, kind, (db) => useEverything(db, mindKey))
  }, 120_000)
  afterAll(() => test.close())

  it('are all there', () => {
    const text = statements.map(({ sql }) => sql).join('\n')
    for (const table of ['memory', 'posting', 'mindStat', 'mindAuthor', 'fact']) {
      expect(text).toContain(`insert into "${table}"`)
      expect(text).toContain(`from "${table}"`)
      expect(text).toContain(`delete from "${table}"`)
    }
  })

  it('read no table from end to end', async () => {
    const plans = await plansOf(test, kind, statements)
    expect(plans.length).toBeGreaterThan(20)
    const scan = new RegExp(
      kind === 'sqlite'
        ? `SCAN (?:${ENGINE_TABLES.join('|')})\\b`
        : `Seq Scan on "?(?:${ENGINE_TABLES.join('|')})\\b`
    )
    expect(plans.filter(({ plan }) => scan.test(plan))).toEqual([])
  })

  it('would be caught if they did', async () => {
    const careless = { sql: 'select "id" from "memory" where "content" = \'x\'', parameters: [] }
    const [{ plan } = { plan: '' }] = await plansOf(test, kind, [careless])
    expect(plan).toMatch(kind === 'sqlite' ? /SCAN memory/ : /Seq Scan on memory/)
  })
})

/** Tells, finds, recalls and forgets, as the service does. */
async function useEverything(db: Kysely<Tables>, mindKey: number): Promise<void> {
  const told = {
    content: 'Ada: My name is Ada Quill, I work at Harbour Clinic and I love tea.',
    occurredAt: now()
  }
  await db.transaction().execute(async (tx) => {
    for (const seq of [1_001, 1_002, 1_003]) {
      const place = { mindKey, seq, id: newId('mem'), contentHash: `${seq}`, createdAt: now() }
      await embeddedEngine.prepare(told)(tx, place)
    }
  })
  const { signal } = new AbortController()
  for (const text of smallQuestions) {
    for (const level of ['standard', 'deep'] as const)
      await embeddedEngine.ask(db, mindKey, { text, level }, signal)
  }
  await embeddedEngine.recall(db, mindKey, now())
  await db.transaction().execute(async (tx) => {
    await embeddedEngine.forget(tx, mindKey, 1_002)
    await embeddedEngine.forgetMind(tx, mindKey)
  })
}

/** What `work` has the database do, each statement once. */
async function recorded(
  { service, env }: TestService,
  kind: DatabaseKind,
  work: (db: Kysely<Tables>) => Promise<void>
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
    await work(db)
  } finally {
    await db.destroy()
  }
  return [...statements.values()]
}

async function plansOf(
  { service, env }: TestService,
  kind: DatabaseKind,
  statements: readonly Pick<CompiledQuery, 'sql' | 'parameters'>[]
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
  await client.query('analyze')
  const plans: { sql: string; plan: string }[] = []
  for (const { sql, parameters } of statements) {
    const { rows } = await client.query(`explain ${sql}`, [...parameters])
    plans.push({ sql, plan: rows.map((row) => row['QUERY PLAN']).join('\n') })
  }
  await client.end()
  return plans
}
