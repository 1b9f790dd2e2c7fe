// An address that keeps failing to show a valid key is told to wait.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFailureCounter, networksOf } from '../../src/limits/networks.ts'
import { request } from '../mcp/messages.ts'
import { at } from '../support/fixture.ts'
import { type LimitedPlace, openLimited } from './limited-server.ts'

const opened: LimitedPlace[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const one of opened.splice(0)) await one.close()
})
const open = async (limits: Parameters<typeof openLimited>[1]) => {
  const server = await openLimited('sqlite', limits)
  opened.push(server)
  return server
}
const from = (forwarded: string) => ({ 'X-Forwarded-For': forwarded })

describe('an address without a valid key', () => {
  it('gets 401 as often as a key may call, then 429 with the seconds to wait', async () => {
    const { list } = await open({ quota: 3 })
    const answers = []
    for (const key of [undefined, 'pkt_wrong', 'nonsense', undefined, 'pkt_wrong'])
      answers.push(await list(key))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429])
    const limited = answers[3]
    const seconds = Number(limited?.headers.get('retry-after'))
    expect(seconds).toSatisfy((value: number) => value > 50 && value <= 60)
    expect(limited?.body).toMatchObject({
      success: false,
      code: 'rate_limited',
      error: `Too many requests without a valid key. Try again in ${seconds} seconds.`
    })
    expect(limited?.headers.has('ratelimit')).toBe(false)
  })

  it('is counted over REST and MCP together', async () => {
    const { list, post } = await open({ quota: 2 })
    await list(undefined)
    await list('pkt_wrong')
    const { status, headers, body } = await post('pkt_wrong', request('ping'))
    expect([status, at(body, 'error', 'code'), at(body, 'error', 'data', 'code')]).toEqual([
      429,
      429,
      'rate_limited'
    ])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('does not lock out the valid keys behind the same address', async () => {
    const { list, partner } = await open({ quota: 2 })
    for (let i = 0; i < 5; i += 1) await list(undefined)
    expect((await list(partner.key)).status).toBe(200)
  })

  it('may try again once Retry-After has passed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { list } = await open({ quota: 1 })
    await list(undefined)
    const limited = await list(undefined)
    expect(limited.status).toBe(429)
    vi.advanceTimersByTime(Number(limited.headers.get('retry-after')) * 1000)
    expect((await list(undefined)).status).toBe(401)
  })

  it('is not counted where RATE_LIMIT is 0', async () => {
    const { list } = await open({ quota: 0 })
    for (let i = 0; i < 20; i += 1) expect((await list(undefined)).status).toBe(401)
  })
})

describe('behind no proxy', () => {
  it('what X-Forwarded-For says changes nothing', async () => {
    const { list } = await open({ quota: 1 })
    expect((await list(undefined, from('192.0.2.1'))).status).toBe(401)
    expect((await list(undefined, from('192.0.2.2'))).status).toBe(429)
  })
})

describe('behind as many proxies as TRUST_PROXY says', () => {
  const behind = (proxies: number) => open({ quota: 1, env: { TRUST_PROXY: String(proxies) } })

  it('each client is counted for itself', async () => {
    const { list } = await behind(1)
    expect((await list(undefined, from('192.0.2.1'))).status).toBe(401)
    expect((await list(undefined, from('192.0.2.2'))).status).toBe(401)
    expect((await list(undefined, from('192.0.2.1'))).status).toBe(429)
  })

  it('entries that the client made up don’t help it', async () => {
    const { list } = await behind(1)
    expect((await list(undefined, from('192.0.2.1'))).status).toBe(401)
    expect((await list(undefined, from('203.0.113.7, 192.0.2.1'))).status).toBe(429)
    expect((await list(undefined, from('198.51.100.1, 203.0.113.8, 192.0.2.1'))).status).toBe(429)
  })

  it('the client is as many entries from the right as there are proxies', async () => {
    const { list } = await behind(2)
    expect((await list(undefined, from('203.0.113.7, 192.0.2.1, 10.0.0.1'))).status).toBe(401)
    expect((await list(undefined, from('203.0.113.8, 192.0.2.1, 10.0.0.2'))).status).toBe(429)
    expect((await list(undefined, from('203.0.113.7, 192.0.2.2, 10.0.0.1'))).status).toBe(401)
  })

  it('a port beside the address is not part of it', async () => {
    const { list } = await behind(1)
    expect((await list(undefined, from('192.0.2.1:4711'))).status).toBe(401)
    expect((await list(undefined, from('192.0.2.1:4712'))).status).toBe(429)
    expect((await list(undefined, from('[2001:db8::1]:4711'))).status).toBe(401)
    expect((await list(undefined, from('2001:db8::1'))).status).toBe(429)
  })

  it('what is no address counts for the proxy itself', async () => {
    const { list } = await behind(1)
    expect((await list(undefined)).status).toBe(401)
    for (const nonsense of ['unknown', 'x'.repeat(2000), '192.0.2.1.5', ' , '])
      expect((await list(undefined, from(nonsense))).status).toBe(429)
  })
})

describe('many addresses of one network', () => {
  const failures = async (addresses: string[], quota: number) => {
    const { list } = await open({ quota, env: { TRUST_PROXY: '1' } })
    const statuses = []
    for (const address of addresses) statuses.push((await list(undefined, from(address))).status)
    return statuses
  }

  it.each([
    ['of 24 bits', 4, (nth: number) => `192.0.2.${nth}`],
    ['of 56 bits', 2, (nth: number) => `2001:db8:1:20${nth}::1`],
    ['of 48 bits', 4, (nth: number) => `2001:db8:1:${nth}00::1`]
  ])('fail together some times as often as one of them, in one %s', async (_, times, address) => {
    const statuses = await failures([1, 1, 2, 3, 4, 5, 6].map(address), 1)
    // The second one of the first address is refused by that address, and not charged to those around it.
    const others = [2, 3, 4, 5, 6].map((nth) => (nth <= times ? 401 : 429))
    expect(statuses).toEqual([401, 429, ...others])
  })

  it('are many networks elsewhere', async () => {
    const elsewhere = [1, 2, 3, 4, 5, 6].flatMap((nth) => [`192.0.${nth}.1`, `2001:db8:${nth}::1`])
    expect(await failures(elsewhere, 1)).toEqual(elsewhere.map(() => 401))
  })
})

describe('counters that networks share', () => {
  /** Which of many addresses, each failing once, is the first that has another one's counter. */
  async function firstShared(secretKey: string): Promise<number> {
    const count = createFailureCounter(secretKey, 1, 60)
    for (let nth = 0; nth < 5_000; nth += 1)
      if ((await count(`10.${nth >> 8}.${nth & 255}.1`)).used > 1) return nth
    throw new Error('None shares one')
  }

  it('follow from our key, so that nobody can choose an address that shares another’s', async () => {
    const keys = ['one', 'another', 'a third'].map((key) => `${key} key of this test, and long enough`)
    const firsts = await Promise.all(keys.map(firstShared))
    expect(new Set(firsts).size).toBe(3)
    expect(await firstShared(keys[0] ?? '')).toBe(firsts[0])
  })
})

describe('the networks', () => {
  it.each([
    ['192.0.2.1', ['192.0.2.1', '192.0.2/24']],
    ['::ffff:192.0.2.1', ['192.0.2.1', '192.0.2/24']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2', '2001:db8:1:0/56', '2001:db8:1/48']],
    ['2001:DB8:1:1302::9', ['2001:db8:1:1302', '2001:db8:1:1300/56', '2001:db8:1/48']],
    ['2001:0db8:0001:0002::9', ['2001:db8:1:2', '2001:db8:1:0/56', '2001:db8:1/48']],
    ['2001:db8::1:2', ['2001:db8:0:0', '2001:db8:0:0/56', '2001:db8:0/48']],
    ['2001::9:8:7:6:5', ['2001:0:0:9', '2001:0:0:0/56', '2001:0:0/48']],
    ['::1', ['0:0:0:0', '0:0:0:0/56', '0:0:0/48']],
    ['fe80::1%eth0', ['fe80:0:0:0', 'fe80:0:0:0/56', 'fe80:0:0/48']]
  ])('of %s are %j', (address, networks) => {
    expect(networksOf(address).map(({ name }) => name)).toEqual(networks)
  })
})
