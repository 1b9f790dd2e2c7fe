// What comes back from the upstream: answers, streams, faults, and what they used.
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY_MS, fromNow } from '../../src/clock.ts'
import type { Service } from '../../src/service.ts'
import { USAGE } from '../support/ai/model.ts'
import { type Behaviour, startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { sweepAll } from '../support/sweep.ts'
import { type Agent, makeAgent, say, usageOf } from './agents.ts'

describe('an answer through the AI gateway', () => {
  let upstream: Upstream
  let server: TestServer
  let agent: Agent
  beforeAll(async () => {
    upstream = await startUpstream()
    server = await startTestServer('sqlite', { AI_UPSTREAM_URL: upstream.url, AI_UPSTREAM_KEY: UPSTREAM_KEY })
  })
  beforeEach(async () => {
    upstream.behave('good')
    agent = await makeAgent(server.service)
  })
  afterAll(async () => {
    await server.close()
    await upstream.close()
  })

  const ask = (content = 'Hello') =>
    agent.client.chat.completions.create({ model: 'auto', messages: say(content) })
  const stream = (signal?: AbortSignal, content = 'Hello there') =>
    agent.client.chat.completions.create({ model: 'auto', messages: say(content), stream: true }, { signal })
  /** The rows once there are so many. */
  const usage = (count = 1) =>
    vi.waitFor(async () => {
      const rows = await usageOf(server.service, agent)
      expect(rows).toHaveLength(count)
      return rows
    }, 10_000)
  /** A stream’s bytes, as they come. */
  const rawStream = async (body = {}) => {
    const answer = await fetch(`${server.url}/ai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${agent.key}` },
      body: JSON.stringify({ model: 'auto', messages: say('one two'), stream: true, ...body })
    })
    return { headers: answer.headers, text: await answer.text() }
  }

  it('is the upstream’s, and what it used is kept for its key', async () => {
    const answer = await ask('How are you?')
    expect(answer.choices[0]?.message.content).toBe('How are you?')
    expect(answer.usage).toEqual(USAGE)
    expect(await usage()).toMatchObject([
      {
        partnerId: agent.partnerId,
        instanceId: agent.instanceId,
        keyId: expect.stringMatching(/^aik_/),
        model: 'acme/large',
        promptTokens: 11,
        completionTokens: 7,
        status: 200
      }
    ])
  })

  it('that is streamed has the same bytes as the upstream’s', async () => {
    const direct = await fetch(`${upstream.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${UPSTREAM_KEY}` },
      body: JSON.stringify({
        model: 'acme/large',
        messages: say('one two'),
        stream: true,
        stream_options: { include_usage: true }
      })
    })
    const { headers, text } = await rawStream({ stream_options: { include_usage: true } })
    expect(text).toBe(await direct.text())
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('that is streamed tells its usage to us, and to the agent only if it asks', async () => {
    const { text } = await rawStream()
    expect(text).not.toContain('prompt_tokens')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(await usage()).toMatchObject([{ promptTokens: 11, completionTokens: 7, status: 200 }])
  })

  it('keeps an event that tells of usage beside the last words', async () => {
    upstream.behave('usage-on-last-choice')
    const { text } = await rawStream()
    expect(text).toContain('"finish_reason":"stop"')
    expect(await usage()).toMatchObject([{ promptTokens: 11, completionTokens: 7 }])
  })

  it('comes event by event, none held back for the next', async () => {
    upstream.behave('waits')
    const words: (string | null | undefined)[] = []
    for await (const chunk of await stream()) {
      words.push(chunk.choices[0]?.delta.content)
      // The upstream writes the second one no sooner than the agent has the first.
      if (words.length === 1) upstream.release()
    }
    expect(words).toEqual(['first', 'second'])
  })

  it.each([
    ['a short', 1],
    ['a long', 200_000]
  ])(
    'to %s message is no longer computed once the agent left, before its first word or after',
    async (_, length) => {
      const content = 'x'.repeat(length)
      upstream.behave('silent')
      const early = new AbortController()
      const asked = upstream.requests.length
      const abandonedEarly = upstream.abandoned()
      const pending = stream(early.signal, content).catch((error: unknown) => error)
      await vi.waitFor(() => expect(upstream.requests.length).toBe(asked + 1), 10_000)
      early.abort()
      await abandonedEarly
      expect(await pending).toBeInstanceOf(OpenAI.APIUserAbortError)
      expect(await usage()).toMatchObject([{ status: 499, promptTokens: null }])

      upstream.behave('stops-midway')
      const abandonedLate = upstream.abandoned()
      for await (const chunk of await stream(undefined, content)) {
        expect(chunk.choices[0]?.delta.content).toBe('first')
        break
      }
      await abandonedLate
      expect((await usage(2)).map(({ status }) => status)).toEqual([499, 499])
    }
  )

  it('never shows the upstream’s key, whatever the upstream says', async () => {
    upstream.behave('shows-key')
    const answer = await ask()
    expect(answer.choices[0]?.message.content).toBe('The key is [redacted]')
  })

  it('is forgotten after 90 days', async () => {
    await ask()
    await ask()
    const [old] = await usage(2)
    await server.service.database.transaction((tx) =>
      tx
        .updateTable('aiUsage')
        .set({ createdAt: fromNow(-91 * DAY_MS) })
        .where('id', '=', old?.id ?? '')
        .execute()
    )
    await sweepAll(server.service)
    const rows = await usage(1)
    expect(rows.map(({ id }) => id)).not.toContain(old?.id)
  })
})

describe('a fault of the upstream', () => {
  let upstream: Upstream
  let server: TestServer
  /** Waits for no more than two seconds; where silence isn't the fault, a slow machine mustn't look like it. */
  let impatient: TestServer
  beforeAll(async () => {
    upstream = await startUpstream()
    const env = { AI_UPSTREAM_URL: upstream.url, AI_UPSTREAM_KEY: UPSTREAM_KEY }
    server = await startTestServer('sqlite', env)
    impatient = await startTestServer('sqlite', { ...env, AI_TIMEOUT_MS: '2000' })
  })
  afterAll(async () => {
    await server.close()
    await impatient.close()
    await upstream.close()
  })
  const SILENT: readonly Behaviour[] = ['silent', 'stops-midway']
  const meeting = async (behaviour: Behaviour) => {
    upstream.behave(behaviour)
    const { service, logs } = SILENT.includes(behaviour) ? impatient : server
    return { service, logs, agent: await makeAgent(service) }
  }
  const recorded = ({ service, agent }: { service: Service; agent: Agent }, status: number) =>
    vi.waitFor(async () => expect(await usageOf(service, agent)).toMatchObject([{ status }]), 10_000)

  const whole: [Behaviour, number, string, string][] = [
    ['limits', 429, 'rate_limit_exceeded', 'Rate limit reached for [redacted]'],
    ['rejects', 400, 'unsupported_value', 'Unsupported value for temperature'],
    ['overloaded', 503, 'upstream_error', 'status 503'],
    ['refuses-key', 502, 'upstream_refused', 'operator’s key'],
    ['redirects', 502, 'upstream_malformed', 'can’t be used'],
    ['hangs-up', 502, 'upstream_unreachable', 'can’t be reached'],
    ['not-json', 502, 'upstream_malformed', 'can’t be used'],
    ['silent', 504, 'upstream_timeout', 'did not answer in time']
  ]
  it.each(whole)('that %s is told with status %i, and kept', async (behaviour, status, code, words) => {
    const met = await meeting(behaviour)
    const error: unknown = await met.agent.client.chat.completions
      .create({ model: 'auto', messages: say('a private matter') })
      .catch((thrown: unknown) => thrown)
    if (!(error instanceof OpenAI.APIError)) throw new Error('It did not fail', { cause: error })
    expect(error).toMatchObject({ status, code })
    expect(error.message).toContain(words)
    expect(error.headers?.get('retry-after') ?? null).toBe(behaviour === 'limits' ? '17' : null)
    expect(error.param ?? null).toBe(behaviour === 'rejects' ? 'temperature' : null)
    await recorded(met, status)
    const told = JSON.stringify([error.error, error.message]) + met.logs.join('')
    expect(told).not.toMatch(/sk-|that-must-never-show|a private matter/)
  })

  const midway: [Behaviour, number, string][] = [
    ['stops-midway', 504, 'upstream_timeout'],
    ['cuts-off', 502, 'upstream_unreachable']
  ]
  it.each(midway)('that %s ends the stream with an error', async (behaviour, status, code) => {
    const met = await meeting(behaviour)
    const words: (string | null | undefined)[] = []
    const read = async () => {
      const stream = await met.agent.client.chat.completions.create({
        model: 'auto',
        messages: say('Hello'),
        stream: true
      })
      for await (const chunk of stream) words.push(chunk.choices[0]?.delta.content)
    }
    await expect(read()).rejects.toMatchObject({ code })
    expect(words).toEqual(['first'])
    await recorded(met, status)
  })

  it('that breaks an event off is passed on as it is', async () => {
    const { agent } = await meeting('breaks-event')
    const answer = await fetch(`${server.url}/ai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.key}` },
      body: JSON.stringify({ model: 'auto', messages: say('Hello'), stream: true })
    })
    expect((await answer.text()).endsWith('data: {"id":"chatcmpl-1","cho')).toBe(true)
  })

  it('that isn’t there at all is told', async () => {
    const lonely = await startTestServer('sqlite', { AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1' })
    try {
      const { client } = await makeAgent(lonely.service)
      const asked = client.chat.completions.create({ model: 'auto', messages: say('Hello') })
      await expect(asked).rejects.toMatchObject({ status: 502, code: 'upstream_unreachable' })
    } finally {
      await lonely.close()
    }
  })
})
