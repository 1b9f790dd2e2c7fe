// Sweeps of tables with a million rows: how long each transaction holds the write lock.
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { sweepSome, sweepsOf } from '../../src/jobs/sweeps.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { crowdsOf, fill } from './crowded-tables.ts'
import { plansOfSweeps } from './sweep-plans.ts'

/** Due rows, and as many that stay; on PostgreSQL, where writing them takes long, enough for the plans of a million. */
const ROWS = { sqlite: 500_000, postgres: 100_000 }
const HOLD_MS = 50
/** Enough transactions to meet every kind of page; a whole million would take minutes. */
const SWEEP_MS = 4_000

/**
 * The database, and how long each of its transactions held its locks, from its beginning to its commit: by the clock,
 * and at work. The files are in memory, so that nothing is waited for but a processor, beside whatever loads the machine.
 */
function timed(database: Database): { database: Database; holds: { wallMs: number; workMs: number }[] } {
  const holds: { wallMs: number; workMs: number }[] = []
  return {
    holds,
    database: {
      ...database,
      async transaction(work) {
        let began = { wallMs: 0, workMs: 0 }
        const result = await database.transaction((tx) => {
          began = { wallMs: performance.now(), workMs: workedMs() }
          return work(tx)
        })
        holds.push({ wallMs: performance.now() - began.wallMs, workMs: workedMs() - began.workMs })
        return result
      }
    }
  }
}

/** How long this thread was at work since its beginning. */
const workedMs = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6

const longest = (holds: { wallMs: number; workMs: number }[]) => ({
  transactions: holds.length,
  wallMs: Math.round(Math.max(...holds.map(({ wallMs }) => wallMs))),
  workMs: Math.round(Math.max(...holds.map(({ workMs }) => workMs)))
})

describe.each(databases)('sweeps on %s', (kind) => {
  let test: TestService
  beforeEach(async () => {
    test = await openTestService(kind)
  })
  afterEach(() => test.close())

  const crowds = 14
  it.each(Array.from({ length: crowds }, (_, place) => place))(
    'hold the write lock for a moment, in a crowded table (%i)',
    async (place) => {
      const { service } = test
      const all = await crowdsOf(test)
      expect(all).toHaveLength(crowds)
      const crowd = all[place]
      if (!crowd) throw new Error('There is no such crowd')
      const write = service.database.transaction
      const sweeps = sweepsOf(service.config.retention)
      await write((tx) =>
        fill(tx, crowd, { ...crowd.columns, ...crowd.stay }, { first: 1, count: ROWS[kind] })
      )
      if (kind === 'postgres') await write((tx) => sql`analyze`.execute(tx))
      const idle = timed(service.database)
      for (const sweep of sweeps) await sweepSome(idle.database, sweep)
      await write((tx) =>
        fill(tx, crowd, { ...crowd.columns, ...crowd.due }, { first: ROWS[kind] + 1, count: ROWS[kind] })
      )
      if (kind === 'postgres') await write((tx) => sql`analyze`.execute(tx))
      if (kind === 'postgres') {
        // There a sweep holds the rows that it deletes, and no lock that anybody else waits for. What a table of a few
        // rows is found by says nothing, and it is rightly read as a whole.
        const plans = await plansOfSweeps(test)
        expect(plans.filter((plan) => plan.includes(`Seq Scan on "${crowd.table}"`))).toEqual([])
        return
      }
      const busy = timed(service.database)
      const deadline = performance.now() + SWEEP_MS
      let isMore = true
      while (isMore && performance.now() < deadline) {
        isMore = false
        for (const sweep of sweeps) isMore = (await sweepSome(busy.database, sweep)) || isMore
      }
      const figures = { idle: longest(idle.holds), busy: longest(busy.holds) }
      process.stdout.write(`${JSON.stringify({ kind, table: crowd.table, ...figures })}\n`)
      expect(isMore).toBe(true)
      expect(figures.idle.workMs).toBeLessThan(HOLD_MS)
      expect(figures.busy.workMs).toBeLessThan(HOLD_MS)
    },
    300_000
  )
})
