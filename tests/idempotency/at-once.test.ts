// The same Idempotency-Key many times at once, over both channels and through several servers on one database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { databases } from '../support/databases.ts'
import { at, unique, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type ChannelAnswer, callTool, type KeyedRequest, postRest } from './channels.ts'

const rest = (request: KeyedRequest) => postRest('/customers/onboard', request)
const mcp = (request: KeyedRequest) => callTool('customer_onboard', request)

describe.each(databases)('twenty onboardings at once with one Idempotency-Key on %s', (kind) => {
  let server: TestServer
  let beside: RunningServer
  beforeAll(async () => {
    // On SQLite two servers of one process wait in place for each other, which two processes wouldn't.
    server = await startTestServer(kind, { BUSY_DEADLINE_MS: '60000' })
    beside = await startServer(loadConfig(server.env), createLog('silent'))
  })
  afterAll(async () => {
    await beside.stop()
    await server.close()
  })

  const requestFor = (email: string): KeyedRequest => ({
    url: server.url,
    apiKey: server.partner.key,
    idempotencyKey: unique('key'),
    body: { basic: { email, firstName: 'Ada' }, allowPortalAccess: true }
  })

  /** What was committed for that address. */
  const madeFor = async (email: string) => {
    const db = server.service.database.read
    const customers = await db.selectFrom('customer').where('email', '=', email).select('id').execute()
    const mails = await db.selectFrom('mail').where('recipient', '=', email).select('id').execute()
    const ids = customers.map(({ id }) => id)
    const acts = await db.selectFrom('audit').where('targetId', 'in', ids).select('id').execute()
    return { ids, mails: mails.length, acts: acts.length }
  }

  const expectOne = async (email: string, answers: readonly ChannelAnswer[], asked: ChannelAnswer) => {
    const answered = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(answers).toHaveLength(20)
    expect(answered.filter(({ isReplay }) => !isReplay)).toHaveLength(1)
    for (const { status, code, retryAfter } of refused) {
      expect([status, code]).toEqual([409, 'idempotency_in_progress'])
      expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    expect(asked).toMatchObject({ status: 200, isReplay: true })
    for (const { output } of answered) expect(output).toEqual(asked.output)
    const made = await madeFor(email)
    expect(made).toEqual({ ids: [at(asked.output, 'data', 'id')], mails: 1, acts: 1 })
  }

  it.each([
    ['over REST', rest, rest],
    ['over MCP', mcp, mcp],
    ['over both channels', rest, mcp]
  ])('make one customer and answer all alike, %s', async (_, one, other) => {
    const email = uniqueEmail()
    const request = requestFor(email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => (nth % 2 ? one(request) : other(request)))
    )
    await expectOne(email, answers, await one(request))
    await expectOne(email, answers, await other(request))
  })

  it('make one customer through two servers on one database', async () => {
    const email = uniqueEmail()
    const request = requestFor(email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => rest(nth % 2 ? request : { ...request, url: beside.url }))
    )
    await expectOne(email, answers, await rest({ ...request, url: beside.url }))
  })

  it('make one customer when ten of them want another one, who are refused', async () => {
    const emails = [uniqueEmail(), uniqueEmail()]
    const { idempotencyKey } = requestFor('')
    const requests = emails.map((email) => ({ ...requestFor(email), idempotencyKey }))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => requests.map((request) => rest(request))).flat()
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, code }) => [status, code])).toEqual(
      Array(10).fill([409, 'idempotency_conflict'])
    )
    const made = await Promise.all(
      emails.map((email) =>
        server.service.database.read.selectFrom('customer').where('email', '=', email).select('id').execute()
      )
    )
    expect(made.flat()).toHaveLength(1)
  })
})
