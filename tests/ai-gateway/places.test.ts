// How many calls of one agent's key are under way at once.
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type Agent, makeAgent, say } from './agents.ts'

/** At once, and in line behind them. */
const PLACES = 4
const WAITING = 8

describe('an agent’s key', () => {
  let upstream: Upstream
  let server: TestServer
  let agent: Agent
  const callers: AbortController[] = []
  beforeAll(async () => {
    upstream = await startUpstream()
    server = await startTestServer(
      'sqlite',
      { AI_UPSTREAM_URL: upstream.url, AI_UPSTREAM_KEY: UPSTREAM_KEY },
      { alone: 'each process has its own places' }
    )
  })
  beforeEach(async () => {
    agent = await makeAgent(server.service)
    upstream.behave('waits')
    upstream.requests.length = 0
  })
  afterEach(() => {
    for (const caller of callers.splice(0)) caller.abort()
  })
  afterAll(async () => {
    await server.close()
    await upstream.close()
  })

  /** A stream that begins and doesn't end. */
  const call = ({ key }: Agent = agent) => {
    const caller = new AbortController()
    callers.push(caller)
    const answer = fetch(`${server.url}/ai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'auto', messages: say('Hello'), stream: true }),
      signal: caller.signal
    })
    answer.catch(() => undefined)
    return { answer, leave: () => caller.abort() }
  }
  const passedOn = (count: number) => vi.waitUntil(() => upstream.requests.length >= count, 10_000)

  it('has four calls under way, streams included; the others wait until one is over', async () => {
    const calls = Array.from({ length: PLACES + 1 }, () => call())
    await passedOn(PLACES)
    for (let i = 0; i < 20; i += 1) await setImmediate()
    expect(upstream.requests).toHaveLength(PLACES)
    calls[0]?.leave()
    await passedOn(PLACES + 1)
    expect((await calls[PLACES]?.answer)?.status).toBe(200)
  })

  it('is told to come back when many wait, and another key isn’t', async () => {
    const calls = Array.from({ length: PLACES + WAITING + 1 }, () => call())
    const refused = await Promise.any(calls.map(({ answer }) => answer.then(refusalOf)))
    expect(refused).toEqual({ status: 429, code: 'rate_limit_exceeded', retryAfter: '1' })
    const other = await makeAgent(server.service)
    expect((await call(other).answer).status).toBe(200)
  })

  it('waits no longer for who has left', async () => {
    const calls = Array.from({ length: PLACES + WAITING }, () => call())
    await passedOn(PLACES)
    for (const { leave } of calls) leave()
    await vi.waitUntil(async () => (await call().answer).status === 200, 10_000)
    expect(server.logs.join('')).not.toContain('request failed')
  })
})

/** Rejects for an answer that is none. */
async function refusalOf(answer: Response) {
  if (answer.ok) throw new Error('Not refused')
  const { error } = Object(await answer.json())
  return { status: answer.status, code: error.code, retryAfter: answer.headers.get('retry-after') }
}
