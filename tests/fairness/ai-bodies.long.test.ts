// One agent's key with more large bodies at once than the process's memory could hold.
import { afterEach, beforeEach, describe, it } from 'vitest'
import { type Agent, makeAgent, WITHOUT_BUDGETS } from '../ai-gateway/agents.ts'
import { type HttpStandIn, send, startHttp } from '../support/ai/http-server.ts'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'

const CALLS = 101
const MEBIBYTE = 1_048_576

/** Bodies of that many bytes: one long text, and as many values as a body may hold. */
const BODIES: Record<string, (bytes: number) => string> = {
  'one text': (bytes) => bodyOf(`"${'x'.repeat(bytes - 70)}"`),
  'many values': (bytes) => bodyOf(`{${keysOf(bytes - 70)}}`).padEnd(bytes, ' ')
}
const bodyOf = (message: string) => `{"model":"auto","messages":[${message}]}`

function keysOf(bytes: number): string {
  const keys: string[] = []
  for (let length = 0; length < bytes - 20 && keys.length < 49_000; length += keys.at(-1)?.length ?? 0)
    keys.push(`"key${keys.length}":1`)
  return keys
    .join(',')
    .slice(0, bytes)
    .replace(/,[^,]*$/, '')
}

describe('101 bodies at once of one key', () => {
  let upstream: HttpStandIn
  let fixture: Fixture<Agent | undefined>
  beforeEach(async () => {
    upstream = await startHttp(async (request, response) => {
      for await (const _ of request);
      send(response, 200, { choices: [] })
    })
    fixture = await openFixture({
      env: {
        AI_GATEWAY_URL: 'https://gateway.example/ai',
        AI_UPSTREAM_URL: upstream.url,
        AI_UPSTREAM_KEY: 'sk-upstream',
        ...WITHOUT_BUDGETS
      },
      make: (service) => makeAgent(service)
    })
  })
  afterEach(async () => {
    await fixture.close()
    await upstream.close()
  })

  const sendAtOnce = async (body: string, signal: AbortSignal) => {
    const statuses = new Map<string, number>()
    const call = async () => {
      while (!signal.aborted) {
        const answer = await fetch(`${fixture.url}/ai/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${fixture.made?.key}`, 'content-type': 'application/json' },
          body
        }).catch(() => undefined)
        await answer?.text().catch(() => undefined)
        const status = String(answer?.status ?? 'broken')
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: CALLS }, call))
    process.stdout.write(`${JSON.stringify(Object.fromEntries(statuses))}\n`)
  }

  describe.each(Object.entries(BODIES))('of %s', (_name, make) => {
    it.each([
      ['15.9 MB', 15_900_000],
      ['just less than the limit', 4 * MEBIBYTE - 1_000],
      ['half a mebibyte', MEBIBYTE / 2]
    ])('each of %s', async (_size, bytes) => {
      const body = make(bytes)
      expectUnnoticed(await fixture.measure((signal) => sendAtOnce(body, signal)))
    })
  })
})
