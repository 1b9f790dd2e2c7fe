// How the databases carry out what the engine asks of them: never by reading a whole table.
import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { plansOf, statementsOf } from './engine-statements.ts'
import { smallTalk } from './small-talk.ts'
import { tellMind } from './told-mind.ts'

const TABLES = 'memory|posting|mindStat|mindAuthor|fact|mind'
/**
 * A table from end to end, or an index where neither the Mind nor one row of it is looked up. Asked for no plan that it
 * can do without, PostgreSQL reads a table whole only where no index serves; by itself it does so with a small one.
 */
const WHOLE = {
  sqlite: new RegExp(`SCAN (?:${TABLES})\\b`),
  postgres: new RegExp(
    `Seq Scan on "?(?:${TABLES})\\b|Index (?:Only )?Scan(?! using "mindContentForgotten")(?![^\\n]*\\n\\s*Index Cond: .*\\b(?:mindKey|mindId|key|id)\\b)`
  )
}
const WITHOUT_CHOICE = 'set enable_seqscan = off'

describe.each(databases)('the engine’s statements on %s', (kind) => {
  let test: TestService
  let statements: CompiledQuery[]
  beforeAll(async () => {
    test = await openTestService(kind)
    const { mindKey } = await tellMind(test.service, smallTalk.slice(0, 20))
    statements = await statementsOf(test, kind, mindKey)
  })
  afterAll(() => test.close())

  const plans = (given: Parameters<typeof plansOf>[2]) => plansOf(test, kind, given, WITHOUT_CHOICE)

  it('are all there', () => {
    const text = statements.map(({ sql }) => sql).join('\n')
    for (const table of ['memory', 'posting', 'mindStat', 'mindAuthor', 'fact']) {
      expect(text).toContain(`insert into "${table}"`)
      expect(text).toContain(`from "${table}"`)
      expect(text).toContain(`delete from "${table}"`)
    }
  })

  it('read no table from end to end', async () => {
    const all = await plans(statements)
    expect(all.length).toBeGreaterThan(20)
    expect(all.filter(({ plan }) => WHOLE[kind].test(plan))).toEqual([])
  })

  it.each([
    `select "id" from "memory" where "content" = 'x'`,
    `select "seq" from "posting" where "term" = 'x'`,
    `select "mindKey" from "mindStat" order by "mindKey"`
  ])('would be caught if they did: %s', async (sql) => {
    const [careless] = await plans([{ sql, parameters: [] }])
    expect(careless?.plan).toMatch(WHOLE[kind])
  })
})
