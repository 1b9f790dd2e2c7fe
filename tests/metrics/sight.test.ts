// What a process counts of what is asked of it and of what it does in the background.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool } from '../mcp/tool-faces.ts'
import { databases } from '../support/databases.ts'
import { makeFixture, makeMemory, run, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { METRICS_TOKEN, scrape, seriesOf } from './scrape.ts'

const ALONE = { alone: 'each process counts for itself' }

describe.each(databases)('the metrics on %s', (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer(kind, { METRICS_TOKEN }, ALONE)
  })
  afterAll(() => server.close())

  /** By how much each series has grown with that work; other tests of this process count, too. */
  async function grown(work: () => Promise<unknown>, ...series: string[]): Promise<number[]> {
    const before = await scrape(server)
    await work()
    const after = await scrape(server)
    return series.map((one) => seriesOf(after, one) - seriesOf(before, one))
  }
  const get = (path: string) => server.api('GET', path, { key: server.partner.key })

  it('tell how long was waited for the database, and that nobody waits now', async () => {
    const [waits, seconds] = await grown(
      () =>
        Promise.all(Array.from({ length: 20 }, () => server.service.database.transaction(async () => null))),
      'mindgate_database_waits_total',
      'mindgate_database_wait_seconds_total'
    )
    expect(waits).toBeGreaterThanOrEqual(20)
    expect(seconds).toBeGreaterThan(0)
    expect(seriesOf(await scrape(server), 'mindgate_database_waiting')).toBe(0)
  })

  it('tell of the oldest row of a queue whether anybody has it in hand or not', async () => {
    const { customerId } = await makeFixture(server.service, server.partner.partnerId)
    const { database } = server.service
    await database.transaction(async (tx) => {
      const held = { leaseOwner: 'somebody', leaseExpiresAt: '2126-01-01T00:00:00.000Z' }
      await tx.updateTable('mail').set({ status: 'sent' }).where('status', '=', 'queued').execute()
      await tx
        .updateTable('mail')
        .set({ ...held, status: 'queued', nextAttemptAt: '2026-01-01T00:00:00.000Z' })
        .where('customerId', '=', customerId)
        .execute()
    })
    const text = await scrape(server)
    expect(seriesOf(text, 'mindgate_jobs_oldest_seconds{queue="mail"}')).toBeGreaterThan(86_400)
    expect(seriesOf(text, 'mindgate_jobs_lag_seconds{queue="mail"}')).toBe(0)
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('tell of requests by operation and channel, and of errors by code', async () => {
    const of = (operation: string, channel = 'rest') => `channel="${channel}",operation="${operation}"`
    const [listed, quick, all, missing, lost] = await grown(
      async () => {
        await get('/customers')
        await get('/customers')
        await get('/customers/C-NOBODY')
        await get('/nowhere')
      },
      `mindgate_request_seconds_count{${of('customer_list')}}`,
      `mindgate_request_seconds_bucket{${of('customer_list')},le="60"}`,
      `mindgate_request_seconds_bucket{${of('customer_list')},le="+Inf"}`,
      `mindgate_request_errors_total{${of('customer_get')},code="customer_not_found"}`,
      `mindgate_request_errors_total{${of('', 'other')},code="not_found"}`
    )
    expect([listed, quick, all, missing, lost]).toEqual([2, 2, 2, 1, 1])
  })

  it('tell of tools, whichever way they are called', async () => {
    const call = (face: Parameters<typeof callTool>[0]) =>
      callTool(face, {
        ...{ url: server.url, gateway: 'partner', key: server.partner.key },
        ...{ tool: 'customer_list', input: {} }
      })
    const series = (channel: string) =>
      `mindgate_request_seconds_count{channel="${channel}",operation="customer_list"}`
    const counts = await grown(
      async () => {
        await call('MCP 2025-11-25')
        await call('plain HTTP')
      },
      series('mcp'),
      series('tools')
    )
    expect(counts).toEqual([1, 1])
  })

  it('have no more series for what nobody has', async () => {
    const before = (await scrape(server)).split('\n').length
    for (let at = 0; at < 20; at += 1) {
      await get(`/customers/C-${at}`)
      await get(`/nowhere/${at}`)
      await fetch(`${server.url}/${at}`)
    }
    expect((await scrape(server)).split('\n').length - before).toBeLessThan(60)
  })

  it('tell of mails by their outcome', async () => {
    const sent = async () =>
      seriesOf(await scrape(server), 'mindgate_work_ended_total{work="mail",outcome="sent"}')
    const before = await sent()
    const invited = { basic: { email: uniqueEmail() }, allowPortalAccess: true }
    await run(server.service, server.partner.partnerId, 'customer_onboard', invited)
    await expect.poll(sent, { timeout: 30_000 }).toBeGreaterThan(before)
  })

  it('tell of credits that were taken, once what they were taken for is done', async () => {
    const { service, partner } = server
    const { customerId } = await makeFixture(service, partner.partnerId)
    const series = 'mindgate_credits_taken_total{account="partner"}'
    const [taken = 0] = await grown(() => makeMemory(service, partner.partnerId, customerId), series)
    expect(taken).toBeGreaterThan(0)
    const [none] = await grown(async () => {
      await run(service, partner.partnerId, 'customer_update', { customerId, aiCreditsEnabled: true })
      await expect(makeMemory(service, partner.partnerId, customerId)).rejects.toThrow('credits')
    }, series)
    expect(none).toBe(0)
  })
})

describe('the metrics of accounts', () => {
  it('tell how many are used up', async () => {
    const server = await startTestServer('sqlite', { METRICS_TOKEN }, ALONE)
    const { service } = server
    await service.database.transaction((tx) =>
      tx.updateTable('creditAccount').set({ balanceMicros: 0 }).execute()
    )
    expect(seriesOf(await scrape(server), 'mindgate_credit_accounts_empty{account="partner"}')).toBe(1)
    await server.close()
  })
})
