// What the TypeScript client does when an answer doesn't come, or says “later”.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMindgate, type MindgateOptions } from '../../clients/typescript/src/index.ts'
import { uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { DEAD_PORT } from '../support/listen.ts'
import { hangUpOnce, startFront } from './front.ts'
import { refusalOf } from './refusal.ts'

describe('the TypeScript client', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  const clientAt = (url: string, options: MindgateOptions = {}) =>
    createMindgate({ url, key: server.partner.key, ...options })
  const named = async (email: string) =>
    (await clientAt(server.url).get('/customers', { params: { query: { search: email } } })).data

  /** Calls through a front that answers some requests itself, and says when each came, with which idempotency key. */
  async function through<T>(
    handle: (attempt: number, answer: ServerResponse) => boolean,
    call: (url: string) => Promise<T>
  ) {
    const came: { atMs: number; key: IncomingMessage['headers'][string]; url: string | undefined }[] = []
    const front = await startFront(server.url, ({ headers, url }, answer) => {
      came.push({ atMs: performance.now(), key: headers['idempotency-key'], url })
      return handle(came.length, answer)
    })
    try {
      return { result: await call(front.url), came }
    } finally {
      await front.close()
    }
  }

  const later = (answer: ServerResponse, status: number, code: string, seconds: number) => {
    answer.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': seconds })
    answer.end(JSON.stringify({ success: false, error: 'Try again.', code, requestId: 'req_front' }))
    return true
  }

  it('creates one customer, when the server did the work and then hung up', async () => {
    const relay = await hangUpOnce(server.url)
    const email = uniqueEmail()
    const { data } = await clientAt(`http://${relay.host}:${relay.port}`).post('/customers', {
      body: { email }
    })
    await relay.close()
    expect(relay.connections()).toBe(2)
    expect(await named(email)).toMatchObject([{ id: data.id, email }])
  })

  it('waits for as long as Retry-After says, with the same idempotency key', async () => {
    const email = uniqueEmail()
    const { came } = await through(
      (attempt, answer) => attempt === 1 && later(answer, 429, 'rate_limited', 1),
      (url) => clientAt(url).post('/customers', { body: { email } })
    )
    const [first, second] = came
    expect(came).toHaveLength(2)
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990)
    expect(first?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(second?.key).toBe(first?.key)
    expect(await named(email)).toHaveLength(1)
  })

  it.each([
    [503, 'database_busy'],
    [409, 'idempotency_in_progress']
  ])('repeats what is refused with %d %s', async (status, code) => {
    const { came } = await through(
      (attempt, answer) => attempt === 1 && later(answer, status, code, 0),
      (url) => clientAt(url).post('/customers', { body: { email: uniqueEmail() } })
    )
    expect(came).toHaveLength(2)
  })

  it('repeats what a proxy answers while nobody is behind it, but no DELETE', async () => {
    const away = (attempt: number, answer: ServerResponse) => {
      if (attempt === 1) answer.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')
      return attempt === 1
    }
    expect((await through(away, (url) => clientAt(url).get('/credits'))).came).toHaveLength(2)
    const deleting = await through(away, (url) => refusalOf(clientAt(url).delete('/rollouts/newest')))
    expect(deleting.came).toHaveLength(1)
    expect(deleting.result).toMatchObject({ code: 'unexpected_answer', status: 502 })
  })

  it('keeps the caller’s own idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'of-my-own' }
    const { came } = await through(
      () => false,
      (url) => clientAt(url).post('/customers', { headers, body: { email: uniqueEmail() } })
    )
    expect(came).toMatchObject([{ key: 'of-my-own' }])
  })

  it('gives up after its attempts, with the key to go on with', async () => {
    const client = clientAt(`http://127.0.0.1:${DEAD_PORT}`, { attempts: 2 })
    const refusal = await refusalOf(client.post('/customers', { body: { email: uniqueEmail() } }))
    expect(refusal).toMatchObject({ code: 'network', status: undefined })
    expect(refusal.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('does not repeat what is refused for good', async () => {
    const { came } = await through(
      () => false,
      (url) => refusalOf(clientAt(url).post('/customers', { body: { email: 'nobody' } }))
    )
    expect(came).toHaveLength(1)
  })

  it('waits for an answer no longer than timeoutMs', async () => {
    const { result } = await through(
      () => true,
      (url) => refusalOf(clientAt(url, { attempts: 1, timeoutMs: 50 }).get('/credits'))
    )
    expect(result).toMatchObject({ code: 'timeout' })
  })

  it('ends at once when its caller does', async () => {
    const ending = new AbortController()
    const { result, came } = await through(
      () => {
        ending.abort(new Error('I left'))
        return true
      },
      (url) => Promise.allSettled([clientAt(url).get('/credits', { signal: ending.signal })])
    )
    expect(result).toMatchObject([{ status: 'rejected', reason: { message: 'I left' } }])
    expect(came).toHaveLength(1)
  })

  it('follows no redirect, which would lose what was sent', async () => {
    const { result, came } = await through(
      (_, answer) => {
        answer.writeHead(301, { Location: '/' }).end()
        return true
      },
      (url) => refusalOf(clientAt(url).post('/customers', { body: { email: uniqueEmail() } }))
    )
    expect(result).toMatchObject({ code: 'unexpected_answer', status: 301 })
    expect(came).toHaveLength(1)
  })

  it('asks for no page of a list that nobody takes', async () => {
    for (let made = 0; made < 3; made += 1) {
      await clientAt(server.url).post('/customers', { body: { email: uniqueEmail() } })
    }
    const { came } = await through(
      () => false,
      async (url) => {
        const rows = clientAt(url).each('/customers', { params: { query: { limit: 1 } } })
        await rows.next()
        await rows.next()
        await rows.return()
      }
    )
    expect(came.map(({ url }) => url?.replace(/^.*\?/, ''))).toEqual(['limit=1', 'limit=1&page=2'])
  })

  it('says that JSON Lines broke off, rather than that they ended', async () => {
    const lines = (_: number, answer: ServerResponse) => {
      answer.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
      answer.write('{"id":"call_1"}\n{"id":"ca', () => answer.destroy())
      return true
    }
    const taken: string[] = []
    const { result } = await through(lines, async (url) => {
      const walk = async () => {
        for await (const { id } of clientAt(url).each('/usage/export')) taken.push(id)
      }
      return refusalOf(walk())
    })
    expect(taken).toEqual(['call_1'])
    expect(result).toMatchObject({ code: 'network' })
  })
})
