// What goes by its age, and what stays.
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { sweepAll } from '../support/sweep.ts'
import { type Crowd, crowdsOf, fill } from './crowded-tables.ts'
import { plansOfSweeps } from './sweep-plans.ts'

/** More than two batches. */
const ROWS = 60

describe.each(databases)('what has grown old, on %s,', (kind) => {
  let test: TestService | undefined
  afterEach(() => test?.close())

  const fillBoth = async ({ service }: TestService, crowd: Crowd) => {
    await service.database.transaction(async (tx) => {
      await fill(tx, crowd, { ...crowd.columns, ...crowd.stay }, { first: 1, count: ROWS })
      await fill(tx, crowd, { ...crowd.columns, ...crowd.due }, { first: ROWS + 1, count: ROWS })
    })
  }
  const count = async ({ service }: TestService, { table }: Crowd, condition = 'true') => {
    const { rows } = await service.database.transaction((tx) =>
      sql<{
        count: number
      }>`select count(*) as "count" from ${sql.table(table)} where ${sql.raw(condition)}`.execute(tx)
    )
    return rows[0]?.count
  }

  it('leaves the database, and what is new or still needed stays', async () => {
    const opened = await openTestService(kind)
    test = opened
    for (const crowd of await crowdsOf(opened)) {
      await fillBoth(opened, crowd)
      await sweepAll(opened.service)
      const stays = Object.entries(crowd.stay).map(([name, value]) =>
        value === null
          ? `"${name}" is null`
          : /\bi\b/.test(`${value}`)
            ? `"${name}" is not null`
            : `"${name}" = ${value}`
      )
      expect([crowd.table, await count(opened, crowd, stays.join(' and '))]).toEqual([crowd.table, ROWS])
      expect([crowd.table, await count(opened, crowd)]).toEqual([
        crowd.table,
        crowd.isChanged ? 2 * ROWS : ROWS
      ])
      await opened.service.database.transaction((tx) =>
        sql`delete from ${sql.table(crowd.table)}`.execute(tx)
      )
    }
  })

  it('stays for ever where the operator says so', async () => {
    const opened = await openTestService(kind, {
      AUDIT_DAYS: '0',
      MAIL_DAYS: '0',
      DEPLOY_DAYS: '0',
      CHAT_DAYS: '0',
      AI_USAGE_DAYS: '0'
    })
    test = opened
    const kept = new Set(['audit', 'mail', 'deploy', 'aiUsage'])
    const crowds = (await crowdsOf(opened)).filter(({ table }) => kept.has(table))
    expect(crowds).toHaveLength(kept.size)
    for (const crowd of crowds) {
      await fillBoth(opened, crowd)
      await sweepAll(opened.service)
      expect([crowd.table, await count(opened, crowd)]).toEqual([crowd.table, 2 * ROWS])
    }
  })
})

describe('every sweep', () => {
  let test: TestService
  beforeEach(async () => {
    test = await openTestService('sqlite')
  })
  afterEach(() => test.close())

  it('finds its rows by an index, in its order', async () => {
    for (const [place, crowd] of (await crowdsOf(test)).entries()) {
      await test.service.database.transaction((tx) =>
        fill(tx, crowd, { ...crowd.columns, ...crowd.due }, { first: 100 * place + 1, count: 3 })
      )
    }
    const plans = await plansOfSweeps(test)
    expect(plans.length).toBeGreaterThan(13)
    expect(plans.filter((plan) => /\bSCAN\b|TEMP B-TREE/.test(plan))).toEqual([])
  })
})
