// Every API key has one budget of requests, whichever channel it calls at.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { call, request } from '../mcp/messages.ts'
import { databases } from '../support/databases.ts'
import { at, makeKey } from '../support/fixture.ts'
import { openLimited, remaining, secondsLeft } from './limited-server.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const one of opened.splice(0)) await one.close()
})
/** A server for which time stands still unless it is told to go on. */
const open = async (...given: Parameters<typeof openLimited>) => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const server = await openLimited(...given)
  opened.push(server)
  return server
}

describe.each(databases)('a key’s budget on %s', (kind) => {
  it('is told on every answer and counts down', async () => {
    const { list, partner } = await open(kind, { quota: 5 })
    const answers = [await list(partner.key), await list(partner.key), await list(partner.key)]
    expect(answers.map(remaining)).toEqual([4, 3, 2])
    for (const answer of answers) {
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=5;w=60')
      expect(secondsLeft(answer)).toSatisfy((seconds: number) => seconds > 50 && seconds <= 60)
      expect(answer.headers.has('retry-after')).toBe(false)
    }
  })

  it('is whole again once Retry-After has passed', async () => {
    const { list, partner } = await open(kind, { quota: 2 })
    await list(partner.key)
    await list(partner.key)
    const limited = await list(partner.key)
    expect(limited.status).toBe(429)
    vi.advanceTimersByTime(Number(limited.headers.get('retry-after')) * 1000)
    const answer = await list(partner.key)
    expect([answer.status, remaining(answer)]).toEqual([200, 1])
  })

  it('admits no more when all requests come at once', async () => {
    const { list, partner } = await open(kind, { quota: 20 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => list(partner.key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
    const left = answers.filter(({ status }) => status === 200).map((answer) => remaining(answer) ?? -1)
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  })
})

describe('a key’s budget', () => {
  it('is spent by requests that are refused for another reason as well, and told there too', async () => {
    const { url, partner } = await open('sqlite', { quota: 5 })
    const answer = await fetch(`${url}/api/v1/mcp/customers/cus_unknown`, {
      headers: { Authorization: `Bearer ${partner.key}` }
    })
    expect([answer.status, remaining(answer)]).toEqual([404, 4])
  })

  it('ends with 429, the seconds to wait, and nothing done', async () => {
    const { url, list, partner, service } = await open('sqlite', { quota: 2 })
    await list(partner.key)
    await list(partner.key)
    const answer = await fetch(`${url}/api/v1/mcp/customers`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${partner.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com' })
    })
    const seconds = Number(answer.headers.get('retry-after'))
    expect([answer.status, remaining(answer), secondsLeft(answer)]).toEqual([429, 0, seconds])
    expect(await answer.json()).toEqual({
      success: false,
      error: `Too many requests. Try again in ${seconds} seconds.`,
      code: 'rate_limited',
      requestId: answer.headers.get('x-request-id')
    })
    expect(await service.database.read.selectFrom('customer').select('id').execute()).toEqual([])
  })

  it('is one over REST and MCP', async () => {
    const { list, callTool, partner } = await open('sqlite', { quota: 3 })
    expect(remaining(await list(partner.key))).toBe(2)
    expect(remaining(await callTool(partner.key))).toBe(1)
    expect(remaining(await list(partner.key))).toBe(0)
    expect((await list(partner.key)).status).toBe(429)
    expect(at((await callTool(partner.key)).body, 'result', 'isError')).toBe(true)
  })

  it('is the key’s own: another key of the same partner has another', async () => {
    const { list, partner, service } = await open('sqlite', { quota: 1 })
    const { key } = await makeKey(service, partner.partnerId)
    await list(partner.key)
    expect((await list(partner.key)).status).toBe(429)
    expect((await list(key)).status).toBe(200)
  })

  it('ends for a tool with a result that a model can read', async () => {
    const { callTool, postModern, partner } = await open('sqlite', { quota: 1 })
    await callTool(partner.key)
    for (const answer of [
      await callTool(partner.key),
      await postModern(partner.key, call('customer_list'))
    ]) {
      const seconds = Number(answer.headers.get('retry-after'))
      const message = `Too many requests. Try again in ${seconds} seconds.`
      expect(answer.status).toBe(200)
      expect(seconds).toSatisfy((value: number) => value > 50 && value <= 60)
      expect(at(answer.body, 'result', 'isError')).toBe(true)
      expect(at(answer.body, 'result', 'content', 0, 'text')).toMatch(`429 rate_limited: ${message}`)
      expect(at(answer.body, 'result', '_meta', 'mindgate/error')).toEqual({
        status: 429,
        code: 'rate_limited',
        message,
        retryAfterSeconds: seconds
      })
    }
  })

  it('ends for everything else over MCP with 429 as a JSON-RPC error', async () => {
    const { post, postModern, partner } = await open('sqlite', { quota: 1 })
    await post(partner.key, request('ping'))
    for (const answer of [
      await post(partner.key, request('tools/list', {}, 'list-1')),
      await postModern(partner.key, request('tools/list', {}, 'list-1'))
    ]) {
      expect([answer.status, remaining(answer)]).toEqual([429, 0])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.body).toMatchObject({
        id: 'list-1',
        error: { code: 429, data: { code: 'rate_limited', requestId: answer.headers.get('x-request-id') } }
      })
    }
  })

  it('pays for each message of a batch', async () => {
    const { post, partner } = await open('sqlite', { quota: 3 })
    const batch = [1, 2, 3, 4, 5].map((id) => ({ ...call('customer_list'), id }))
    const answer = await post(partner.key, batch)
    expect([answer.status, remaining(answer)]).toEqual([200, 0])
    const refused = batch.map((_, index) => at(answer.body, index, 'result', 'isError') === true)
    expect(refused).toEqual([false, false, false, true, true])
  })

  it('does not exist where RATE_LIMIT is 0', async () => {
    const { list, callTool, partner, service } = await open('sqlite', { quota: 0 })
    expect(service.rateLimits).toBeUndefined()
    for (const answer of [await list(partner.key), await callTool(partner.key)]) {
      expect(answer.status).toBe(200)
      expect(answer.headers.has('ratelimit')).toBe(false)
      expect(answer.headers.has('ratelimit-policy')).toBe(false)
    }
  })

  it('is refused in the log with its code, once per request', async () => {
    const { list, callTool, partner, logs } = await open('sqlite', { quota: 1 })
    await list(partner.key)
    await list(partner.key)
    await callTool(partner.key)
    await vi.waitFor(() => {
      const lines = logs.map((line) => JSON.parse(line)).filter(({ code }) => code === 'rate_limited')
      expect(lines.map(({ channel, keyId }) => [channel, keyId])).toEqual([
        ['rest', partner.keyId],
        ['mcp', partner.keyId]
      ])
    })
  })
})
