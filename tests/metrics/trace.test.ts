// What a collector is sent of requests and jobs, and what a collector in trouble does to them.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tracer } from '../../src/trace.ts'
import { callTool } from '../mcp/tool-faces.ts'
import { databases } from '../support/databases.ts'
import { run, uniqueEmail } from '../support/fixture.ts'
import { logLinesOf, startTestServer, type TestServer } from '../support/http.ts'
import { startCollector, type TakenSpan } from './collector.ts'

const ALONE = { alone: 'each process counts for itself' }

const TRACE_ID = /^[\da-f]{32}$/
const SERVER = 2
const CLIENT = 3
const FAILED = 2

/** What came of that work, once the server has ended; a test has one server of its own, as the process has one tracer. */
async function traced(
  work: (server: TestServer) => Promise<void>,
  { kind = 'sqlite', ...overrides }: { kind?: (typeof databases)[number] } & Record<string, string> = {}
) {
  const collector = await startCollector()
  const server = await startTestServer(
    kind,
    { ...overrides, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    ALONE
  )
  try {
    await work(server)
  } finally {
    await server.close()
    await collector.close()
  }
  return { ...collector, ofTrace: (id: unknown) => collector.spans.filter(({ traceId }) => traceId === id) }
}

const onboard = (server: TestServer, email = uniqueEmail()) =>
  server.api('POST', '/customers/onboard', {
    key: server.partner.key,
    body: { basic: { email, firstName: 'Somebody', lastName: 'Special' }, allowPortalAccess: true }
  })

/** Each but the first has its parent among them. */
function expectOneTree(spans: readonly TakenSpan[], roots: number): void {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  expect(spans.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? ''))).toHaveLength(roots)
}

describe.each(databases)('the trace of a request on %s', (kind) => {
  it('has its operation and each statement, and its id is told beside that of the request', async () => {
    let told: string | null = null
    const { ofTrace, resources } = await traced(
      async (server) => {
        const { status, headers } = await onboard(server)
        expect(status).toBe(200)
        told = headers.get('x-trace-id')
        const [line] = logLinesOf(server.logs, headers.get('x-request-id') ?? '')
        expect(line?.traceId).toBe(told)
      },
      { kind }
    )
    expect(told).toMatch(TRACE_ID)
    const spans = ofTrace(told)
    expectOneTree(spans, 1)
    const [request] = spans.filter((span) => span.kind === SERVER)
    expect(request?.name).toBe('customer_onboard')
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/mcp/customers/onboard',
      'http.response.status_code': 200,
      'mindgate.channel': 'rest'
    })
    const names = spans.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['execute', 'insert', 'commit', 'wait for the database']))
    const statements = spans.filter(({ attributes }) => 'db.query.text' in attributes)
    expect(statements.some(({ name }) => name === 'insert')).toBe(true)
    expect(resources[0]).toMatchObject({ 'service.name': 'mindgate' })
  })

  it('has nothing of another that is answered meanwhile', async () => {
    const ids: (string | null)[] = []
    const { ofTrace } = await traced(
      async (server) => {
        // What is done but once is done.
        await onboard(server)
        const answers = await Promise.all(Array.from({ length: 12 }, () => onboard(server)))
        ids.push(...answers.map(({ headers }) => headers.get('x-trace-id')))
      },
      { kind }
    )
    const inserts = ids.map((id) => ofTrace(id).filter(({ name }) => name === 'insert').length)
    expect(new Set(ids).size).toBe(12)
    expect(inserts[0]).toBeGreaterThan(2)
    expect(new Set(inserts).size).toBe(1)
    for (const id of ids) expectOneTree(ofTrace(id), 1)
  })
})

describe('traces', () => {
  it('are gone on with where a request names one, and a refusal tells of it', async () => {
    const theirs = 'a'.repeat(31) + '1'
    const parent = `${'b'.repeat(15)}2`
    const { ofTrace } = await traced(async (server) => {
      const headers = { traceparent: `00-${theirs}-${parent}-00` }
      const { status, body } = await server.api('GET', '/customers/C-1', { key: server.partner.key, headers })
      expect([status, body.traceId]).toEqual([404, theirs])
      const other = await server.api('GET', '/customers', { headers: { traceparent: 'nonsense' } })
      expect([other.status, other.body.traceId === theirs]).toEqual([401, false])
      expect(other.body.traceId).toMatch(TRACE_ID)
    })
    const [request] = ofTrace(theirs).filter(({ kind }) => kind === SERVER)
    expect(request?.parentSpanId).toBe(parent)
    expect(request?.attributes['error.type']).toBe('customer_not_found')
    expectOneTree(ofTrace(theirs), 1)
  })

  it('have each work in the background as one of their own, with what it calls', async () => {
    const { spans, ofTrace } = await traced(
      async (server) => {
        await onboard(server)
        await run(server.service, server.partner.partnerId, 'provider_key_set', {
          provider: 'a',
          key: 'secret'
        })
        const isSent = () => server.logs.some((line) => line.includes('a mail was sent'))
        await expect.poll(isSent, { timeout: 30_000 }).toBe(true)
        const sync = server.service.database.read.selectFrom('usageSync').select('lastError')
        const lastError = async () => (await sync.executeTakeFirst())?.lastError
        await expect.poll(lastError, { timeout: 30_000 }).toBeTruthy()
      },
      { PROVIDER_A_URL: 'http://127.0.0.1:9' }
    )
    const workOf = (work: string) => ofTrace(spans.find(({ name }) => name === work)?.traceId)
    for (const work of ['mail', 'usageSync']) {
      expectOneTree(workOf(work), 1)
      expect(workOf(work).filter(({ parentSpanId }) => !parentSpanId)).toMatchObject([{ name: work }])
    }
    expect(workOf('mail').map(({ name }) => name)).toContain('send')
    expect(workOf('usageSync').filter(({ kind }) => kind === CLIENT)).toMatchObject([
      {
        attributes: { 'server.address': '127.0.0.1:9', 'error.type': 'unreachable' },
        status: { code: FAILED }
      }
    ])
  })

  it('have tools called over MCP in the request that called them', async () => {
    const { spans } = await traced(async (server) => {
      const tool = { gateway: 'partner', tool: 'customer_list', input: {} } as const
      await callTool('MCP 2026-07-28', { url: server.url, key: server.partner.key, ...tool })
    })
    const [call] = spans.filter(({ attributes }) => attributes['mindgate.operation'] === 'customer_list')
    const [request] = spans.filter(({ spanId }) => spanId === call?.parentSpanId)
    expect(request).toMatchObject({ name: 'customer_list', kind: SERVER })
  })

  it('carry no key and nothing that was sent', async () => {
    const email = uniqueEmail()
    let key = ''
    const { texts, spans } = await traced(async (server) => {
      key = server.partner.key
      await onboard(server, email)
      await server.api('GET', `/customers?search=${email}`, { key })
    })
    expect(spans.length).toBeGreaterThan(20)
    for (const secret of [email, 'Somebody', key]) expect(texts.join()).not.toContain(secret)
  })

  it('are kept by share, whatever a sender wants; the id is told of those that aren’t, too', async () => {
    const { spans } = await traced(
      async (server) => {
        const headers = { traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` }
        const { headers: told } = await server.api('GET', '/customers', { key: server.partner.key, headers })
        expect(told.get('x-trace-id')).toBe('c'.repeat(32))
      },
      { OTEL_TRACES_SAMPLER_ARG: '0' }
    )
    expect(spans).toEqual([])
  })

  it('end with a start that fails', async () => {
    const taken = await startTestServer('sqlite', {}, ALONE)
    const { port } = new URL(taken.url)
    const begun = startTestServer('sqlite', { PORT: port, OTEL_EXPORTER_OTLP_ENDPOINT: taken.url }, ALONE)
    await expect(begun).rejects.toThrow('EADDRINUSE')
    expect(tracer().startSpan('of nobody').isRecording()).toBe(false)
    await taken.close()
  })

  it('are not there where no collector is', async () => {
    const server = await startTestServer('sqlite', {}, ALONE)
    const { headers, body } = await server.api('GET', '/customers/C-1', { key: server.partner.key })
    expect(headers.has('x-trace-id')).toBe(false)
    expect(body).not.toHaveProperty('traceId')
    expect(server.logs.join()).not.toContain('traceId')
    await server.close()
  })
})

describe.each(['refuses', 'is silent'] as const)('a collector that %s', (manner) => {
  it('keeps nobody from being answered, and a stop only for seconds', async () => {
    const collector = await startCollector(manner)
    const server = await startTestServer('sqlite', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, ALONE)
    const answers = await Promise.all(Array.from({ length: 30 }, () => onboard(server)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    await expect.poll(collector.requests, { timeout: 30_000 }).toBeGreaterThan(0)
    await server.close()
    const said = server.logs.map((line) => z.object({ msg: z.string() }).loose().parse(JSON.parse(line)))
    expect(said.filter(({ msg }) => msg === 'traces can’t be sent')).toHaveLength(1)
    expect(server.logs.join()).not.toContain('not like this')
    await collector.close()
  }, 60_000)
})
