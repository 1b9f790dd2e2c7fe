// Calls that come at once, and connections that come while something long is at work.
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { createApp } from '../../servers/app.ts'
import { listen } from '../../servers/listener.ts'
import { listCustomersOperation } from '../../src/customers/operations.ts'
import { execute } from '../../src/execute.ts'
import { goRound, nextTurn, noteArrival, turnOfPartner } from '../../src/slices.ts'
import { makePartner } from '../support/fixture.ts'
import { openTestService } from '../support/service.ts'

const busyFor = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** So many calls of one tenant, then one of another; who began first, first. */
async function begun(greedy: number, begin: (tenant: string) => Promise<unknown>): Promise<string[]> {
  const order: string[] = []
  const tenants = [...Array<string>(greedy).fill('greedy'), 'modest']
  const note = async (tenant: string) => {
    await begin(tenant)
    order.push(tenant)
  }
  // By then no room is left in this round.
  busyFor(5)
  await Promise.all(tenants.map(note))
  return order
}

describe('calls that come at once', () => {
  afterEach(() => vi.restoreAllMocks())

  it('begin tenant by tenant', async () => {
    expect((await begun(20, async (tenant) => turnOfPartner(() => tenant))).indexOf('modest')).toBeLessThan(3)
  })

  it('begin in the round that has room for them, and not all in one', async () => {
    const rounds = new Map<number, number>()
    let round = 0
    let isOver = false
    const counting = (async () => {
      for (; !isOver; round += 1) await setImmediate()
    })()
    await begun(20, async (tenant) => {
      await turnOfPartner(() => tenant)
      rounds.set(round, (rounds.get(round) ?? 0) + 1)
      busyFor(2)
    })
    isOver = true
    await counting
    expect(Math.max(...rounds.values())).toBeLessThanOrEqual(3)
    expect(Math.max(...rounds.values())).toBeGreaterThan(1)
  })

  it('begin after those that wait, whatever room there is', async () => {
    const order: string[] = []
    const begin = async (name: string) => {
      await turnOfPartner(() => 'tenant')
      order.push(name)
      busyFor(1)
    }
    busyFor(5)
    const waiting = Array.from({ length: 20 }, async () => begin('earlier'))
    await waiting[0]
    await Promise.all([begin('later'), ...waiting])
    expect(order.at(-1)).toBe('later')
  })

  it('begin partner by partner in an operation, and network by network at a channel', async () => {
    const test = await openTestService('sqlite', { TRUST_PROXY: '1' })
    const { service } = test
    const partners = { greedy: await makePartner(service), modest: await makePartner(service) }
    const listed = await begun(50, (tenant) => {
      const { partnerId } = partners[tenant === 'modest' ? 'modest' : 'greedy']
      const caller = { partnerId, actor: 'key_test', scopes: new Set(SCOPES) }
      return execute(listCustomersOperation, service, { caller, requestId: 'req_test' }, {})
    })
    expect(listed.indexOf('modest')).toBeLessThan(10)
    const app = createApp(service)
    const requests = await begun(50, async (tenant) => {
      const address = tenant === 'modest' ? '192.0.2.1' : '198.51.100.1'
      const answer = await app.request('/console/sign-in', { headers: { 'x-forwarded-for': address } })
      expect(answer.status).toBe(200)
    })
    expect(requests.indexOf('modest')).toBeLessThan(10)
    await test.close()
  })
})

describe('connections that come while something long is at work', () => {
  it('are all let in between two slices, not one', async () => {
    const listener = await listen(() => new Response('ok'), { host: '127.0.0.1', port: 0 })
    const sockets: Socket[] = []
    const { hostname, port } = new URL(listener.url)
    const answered = Array.from({ length: 100 }, () => {
      const socket = connect(Number(port), hostname)
      sockets.push(socket)
      socket.end('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
      return new Promise((resolve) => socket.once('data', resolve))
    })
    let isOver = false
    let slices = 0
    const working = (async () => {
      for (; !isOver; slices += 1) {
        busyFor(5)
        await nextTurn()
      }
    })()
    await Promise.all(answered)
    isOver = true
    await working
    expect(slices).toBeLessThan(50)
    for (const socket of sockets) socket.destroy()
    await listener.drain()
  })

  it('don’t keep the work waiting for ever', async () => {
    let isOver = false
    const arriving = (async () => {
      for (; !isOver; await setImmediate()) noteArrival()
    })()
    const startedAt = performance.now()
    await goRound()
    expect(performance.now() - startedAt).toBeGreaterThan(9)
    isOver = true
    await arriving
  })
})
