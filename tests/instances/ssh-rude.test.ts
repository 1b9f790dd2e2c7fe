// Servers that mean harm: what they send is bounded where it enters, whatever they pretend that it is.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SshConnections } from '../../src/instances/ssh/connections.ts'
import { readHostKey } from '../../src/instances/ssh/host-key.ts'
import { type Rudeness, type RudeServer, startRudeServer } from './rude-server.ts'
import { faultOf, OWNER, openConnections, startServer, targetOf } from './ssh-server.ts'

/** What is taken in, and what the buffers of two sockets hold; it would send hundreds of megabytes a second. */
const NOT_MUCH_BYTES = 24_000_000

const work = { script: 'true', timeoutMs: 60_000 }
let ssh: SshConnections
let server: RudeServer | undefined

beforeAll(() => {
  ssh = openConnections()
})
afterEach(() => server?.close())
afterAll(() => ssh.close())

/** What the server has seen once nobody is connected to it any more. */
const seenInTheEnd = (rude: RudeServer) =>
  vi.waitFor(
    async () => {
      const seen = await rude.seen()
      expect(seen.open).toBe(0)
      return seen
    },
    { timeout: 60_000, interval: 50 }
  )

describe('a server that sends without an end', () => {
  it.each<[string, Rudeness]>([
    ['before the script’s output', 'noise'],
    ['as the script’s output', 'output'],
    ['instead of the exit code', 'ending'],
    ['after the exit code', 'trailer']
  ])('%s is heard out for a while, and then hung up on', async (_, rudeness) => {
    server = await startRudeServer(rudeness)
    const run = ssh.run(targetOf(server, { instanceId: rudeness }), work)
    expect(await faultOf(run)).toEqual({ fault: 'output_too_large', hasNotBegun: false })
    const { connections, sentBytes } = await seenInTheEnd(server)
    expect(connections).toBe(1)
    expect(sentBytes).toBeLessThan(NOT_MUCH_BYTES)
  })

  it('beside both outputs is hung up on', async () => {
    server = await startRudeServer('beside')
    const run = ssh.run(targetOf(server, { instanceId: 'beside' }), work)
    expect(await faultOf(run)).toEqual({ fault: 'connection_lost', hasNotBegun: false })
    expect((await seenInTheEnd(server)).sentBytes).toBeLessThan(NOT_MUCH_BYTES)
  })

  it('before it says which SSH it speaks is none, for whoever connects', async () => {
    server = await startRudeServer('greeting')
    const target = targetOf(server, { instanceId: 'greeting' })
    const unreachable = { fault: 'unreachable', hasNotBegun: true }
    expect(await faultOf(ssh.run(target, work))).toEqual(unreachable)
    const look = readHostKey({ ...OWNER, ...target }, { allowPrivate: true, timeoutMs: 60_000 })
    expect(await faultOf(look)).toEqual(unreachable)
    const { connections, sentBytes } = await seenInTheEnd(server)
    expect(connections).toBe(2)
    expect(sentBytes).toBeLessThan(2 * NOT_MUCH_BYTES)
  })
})

describe('a server that would have us work for it', () => {
  it('by a group of its own making, which takes seconds to look at, is not talked to', async () => {
    const own = await startServer({ config: ['KexAlgorithms diffie-hellman-group-exchange-sha256'] })
    const run = ssh.run(targetOf(own, { instanceId: 'group' }), work)
    expect(await faultOf(run)).toEqual({ fault: 'unreachable', hasNotBegun: true })
    await own.remove()
  })

  it('by packets that hold a thousand times as much is not talked to', async () => {
    server = await startRudeServer('noise', { compress: ['zlib'] })
    const run = ssh.run(targetOf(server, { instanceId: 'zlib' }), work)
    expect(await faultOf(run)).toEqual({ fault: 'unreachable', hasNotBegun: true })
  })
})
