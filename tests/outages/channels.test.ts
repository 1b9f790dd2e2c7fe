// A database that is away is told at every channel as what it is (§7: 503 with Retry-After), and passes by itself.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { browserAt } from '../portal/customer-visitors.ts'
import { at } from '../support/fixture.ts'
import { type Callers, type Channel, channels, METRICS_TOKEN, makeCallers, type Shape } from './channels.ts'
import { fullDisk, type Outage, stoppedPostgres } from './outages.ts'

const OUR_HOST = 'mindgate.example'
const SETTINGS = { METRICS_TOKEN, BUSY_DEADLINE_MS: '1000', PUBLIC_URL: `http://${OUR_HOST}` }
/** Neither what the database says nor where it is. */
const INTERNAL = /sqlite|postgres|\bsql\b|disk|ECONN|57P0|transaction|rollback|127\.0\.0\.1:|\.ts\b/i

describe.each([
  ['PostgreSQL is stopped', stoppedPostgres, () => true],
  ['the disk is full', fullDisk, ({ writes }: Channel) => writes === true]
])('while %s', (_, makeOutage, isRefused) => {
  let outage: Outage
  let callers: Callers
  beforeAll(async () => {
    outage = await makeOutage(SETTINGS)
    callers = await makeCallers(outage.server)
    await everyChannelIsWell()
    await outage.server.service.database.transaction((tx) =>
      tx.updateTable('apiKey').set({ lastUsedAt: null }).execute()
    )
    outage.server.logs.length = 0
    await outage.begin()
  })
  afterAll(() => outage.close())

  const everyChannelIsWell = async () => {
    for (const channel of channels)
      expect([channel.name, await wellAt(channel)]).toEqual([channel.name, true])
  }
  const wellAt = async (channel: Channel): Promise<boolean> => {
    const answer = await channel.ask(callers)
    const text = await answer.text()
    const isOwn = answer.status === 503 && text.includes('ssh_unavailable')
    const isSignedOut = answer.status === 401 || answer.headers.get('location')?.includes('sign-in')
    return (isOwn || answer.status < 500) && !isSignedOut && !text.includes('"isError":true')
  }

  it.each(channels.filter(isRefused))('$name is refused with 503', async (channel) => {
    const answer = await channel.ask(callers)
    const text = await answer.text()
    // The result of a tool is HTTP 200 wherever the caller is known.
    const isResult = channel.shape === 'tool result' && answer.status === 200
    expect([answer.status, text.slice(0, 500)]).toEqual([isResult ? 200 : 503, expect.anything()])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(text.replaceAll(/req_\w+/g, '')).not.toMatch(INTERNAL)
    expectShape(isResult || channel.shape !== 'tool result' ? channel.shape : 'json-rpc', answer, text)
  })

  it.each(channels.filter((channel) => !isRefused(channel)))(
    '$name answers all the same',
    async (channel) => {
      expect(await wellAt(channel)).toBe(true)
    }
  )

  it('the process lives, and is not ready', async () => {
    expect((await fetch(`${callers.url}/healthz`)).status).toBe(200)
    for (let i = 0; i < 3; i += 1) expect((await fetch(`${callers.url}/readyz`)).status).toBe(503)
  })

  it.each(['/console/customers', `/console/set-password?token=${'a'.repeat(43)}`, '/portal/acme'])(
    '%s says so on our own host as well, where no partner is looked for',
    async (path) => {
      const { sendTo } = browserAt(callers.url, callers.consoleCookie)
      const { status, headers, html } = await sendTo(OUR_HOST, callers.url + path)
      if (outage.cause.test('SQLITE_FULL')) return expect(status).toBeLessThan(500)
      expect([status, headers.get('retry-after')]).toEqual([503, '5'])
      expect(html).toContain('Try again shortly.')
    }
  )

  it('nobody is taken for one who has no key', async () => {
    const { rateLimits } = outage.server.service
    const spent = vi.spyOn(Object(rateLimits), 'spendFailure')
    for (const channel of channels.filter(({ shape }) => shape === 'envelope')) await wellAt(channel)
    expect(spent).not.toHaveBeenCalled()
    spent.mockRestore()
  })

  it('the log has the true cause of each', () => {
    const lines: unknown[] = outage.server.logs.map((line) => JSON.parse(line))
    const failed = lines.filter((line) => Number(at(line, 'status')) >= 500)
    expect(failed.length).toBeGreaterThan(5)
    for (const line of [...failed, ...lines.filter((line) => at(line, 'msg') === 'tool failed')]) {
      if (at(line, 'route') === '/readyz' || at(line, 'code') === 'ssh_unavailable') continue
      const causes = [at(line, 'error'), at(line, 'error', 'cause'), at(line, 'error', 'cause', 'cause')]
      const texts = causes.flatMap((cause) => [at(cause, 'code'), at(cause, 'message')]).map(String)
      expect([line, texts.some((text) => outage.cause.test(text))]).toEqual([line, true])
    }
    expect(outage.server.logs.join('')).not.toContain('cannot rollback')
    // However many uses of keys can't be noted.
    const behind = lines.filter((line) => /background work failed|uses of keys/.test(String(at(line, 'msg'))))
    expect(behind.length).toBeLessThanOrEqual(1)
  })

  it('all is well again by itself', async () => {
    await outage.end()
    await vi.waitFor(async () => expect((await fetch(`${callers.url}/readyz`)).status).toBe(200), 20_000)
    await everyChannelIsWell()
  })
})

function expectShape(shape: Shape, answer: Response, text: string): void {
  if (shape === 'page') {
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).toContain('Try again shortly.')
  } else {
    expect(JSON.parse(text)).toMatchObject(BODIES[shape])
  }
}

const code = expect.stringMatching(/^(?:database|memory)_unavailable$/)
const message = expect.stringContaining('Try again shortly')
const BODIES = {
  envelope: { success: false, error: message, code },
  'json-rpc': { id: null, error: { message, code: 503, data: { code } } },
  'tool result': {
    result: { isError: true, _meta: { 'mindgate/error': { message, code, status: 503 } } }
  },
  chat: { error: message, code },
  openai: { error: { message, code, type: 'server_error', param: null } },
  probe: { status: 'unavailable', reason: 'database' }
}
