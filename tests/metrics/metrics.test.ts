import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromNow, now } from '../../src/clock.ts'
import { recordUsage } from '../../src/llm/usage.ts'
import { databases } from '../support/databases.ts'
import { makeFixture } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

const TOKEN = 'a-token-for-the-metrics'

describe.each(databases)('the metrics on %s', (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer(kind, { METRICS_TOKEN: TOKEN })
    await makeFixture(server.service, server.partner.partnerId)
  })
  afterAll(() => server.close())

  const scrape = async (): Promise<string> => {
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
    expect(answer.headers.get('content-type')).toContain('text/plain')
    return answer.text()
  }

  it('tell how long memories have waited, and how many', async () => {
    await server.service.database.transaction(async (tx) => {
      const { key: mindKey } = await tx.selectFrom('mind').select('key').executeTakeFirstOrThrow()
      const job = {
        mindKey,
        watermark: 0,
        waiting: 7,
        waitingSince: fromNow(-600_000),
        dueAt: fromNow(600_000)
      }
      const counts = { attempts: 3, refusals: 0, failures: 3, isUnsure: 0 as const }
      await tx
        .insertInto('mindJob')
        .values({ kind: 'consolidate', ...job, ...counts })
        .execute()
      const value = JSON.stringify({ startedAt: now(), doneAt: now(), mismatches: 2 })
      await tx
        .insertInto('setting')
        .values({ name: 'billingCheck', value })
        .onConflict((known) => known.column('name').doUpdateSet({ value }))
        .execute()
      await recordUsage(tx, mindKey, [
        { purpose: 'ask', calls: 2, inputTokens: 900, outputTokens: 40, costMicros: 2_500 }
      ])
    })
    const text = await scrape()
    expect(text).toContain('mindgate_memory_work_waiting{work="consolidate"} 7')
    expect(text).toContain('mindgate_memory_work_failures{work="consolidate"} 3')
    expect(text).toContain('mindgate_memory_work_put_aside{work="consolidate"} 0')
    const [, lag] = /work_lag_seconds\{work="consolidate"\} ([\d.]+)/.exec(text) ?? []
    expect(Number(lag)).toBeGreaterThanOrEqual(600)
    expect(Number(lag)).toBeLessThan(700)
    expect(text).toContain('mindgate_model_tokens{purpose="ask",direction="in"} 900')
    expect(text).toContain('mindgate_model_cost{purpose="ask"} 0.0025')
    expect(text).toContain('mindgate_billing_mismatches 2')
    expect(text).toContain('process_cpu_seconds_total')
  })

  it('tell nothing more of work whose Minds are all forgotten', async () => {
    expect(await scrape()).toContain('work="consolidate"')
    await server.service.database.transaction((tx) => tx.deleteFrom('mindJob').execute())
    expect(await scrape()).not.toContain('work="consolidate"')
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('are for whoever has the token', async () => {
    for (const authorization of [
      '',
      'Bearer ',
      `Bearer ${TOKEN}x`,
      `Basic ${TOKEN}`,
      `Bearer ${server.partner.key}`
    ]) {
      const answer = await fetch(`${server.url}/metrics`, { headers: authorization ? { authorization } : {} })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(await answer.text()).not.toContain('mindgate_')
    }
  })
})

describe('the metrics of a service without a token', () => {
  it('aren’t there', async () => {
    const server = await startTestServer('sqlite')
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: 'Bearer undefined' } })
    expect(answer.status).toBe(404)
    await server.close()
  })
})
