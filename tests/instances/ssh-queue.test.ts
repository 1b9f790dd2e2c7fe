// Who connects when: servers that stay silent hold up nobody else's, and few of their own customer's and partner's.
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allowedAddresses } from '../../src/instances/ssh/addresses.ts'
import type { SshConnections } from '../../src/instances/ssh/connections.ts'
import { readHostKey } from '../../src/instances/ssh/host-key.ts'
import type { SshTarget } from '../../src/instances/ssh/target.ts'
import { publicAddresses } from '../../src/net/addresses.ts'
import { type Listener, listen } from '../support/listen.ts'
import type { Sshd } from '../support/openssh.ts'
import { faultOf, openConnections, runText, startServer, targetOf, until } from './ssh-server.ts'

const patient = { script: 'true', timeoutMs: 60_000 }

describe('connecting to servers', () => {
  let server: Sshd
  let ssh: SshConnections
  /** Takes connections, and then says nothing. */
  let silent: Listener

  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    silent = await listen()
    ssh = openConnections({ sshConnectTimeoutMs: 120_000 })
  })
  afterEach(async () => {
    await silent.close()
    await ssh.close()
  })

  const at = (port: number, instanceId: string, changes: Partial<SshTarget> = {}) =>
    targetOf(server, { port, instanceId, ...changes })
  const hello = async (changes: Partial<SshTarget>) =>
    (await runText(ssh, targetOf(server, changes), 'echo hello')).stdout
  /** Calls to so many servers that stay silent; `customer` names whose the server is. */
  const callSilent = (count: number, customer: (index: number) => string) =>
    Array.from({ length: count }, (_, index) =>
      faultOf(ssh.run(at(silent.port, `silent ${index}`, { customerId: customer(index) }), patient))
    )
  /** Whoever could have begun has. */
  const settled = async (connections: number) => {
    await until(() => silent.connections() === connections)
    await setImmediate()
    expect(silent.connections()).toBe(connections)
  }

  it('is done for another partner at once, however many servers of one stay silent', async () => {
    const calls = callSilent(40, (index) => `customer ${index}`)
    await settled(6)
    expect(await hello({ partnerId: 'prt_2', customerId: 'cus_2' })).toBe('hello\n')
    expect(silent.connections()).toBe(6)
    await ssh.close()
    expect(new Set((await Promise.all(calls)).map(({ fault }) => fault))).toEqual(new Set(['cancelled']))
  })

  it('is done for the partner’s other customers at once, however many servers of one stay silent', async () => {
    const calls = callSilent(40, () => 'cus_1')
    await settled(2)
    expect(await hello({ customerId: 'cus_2' })).toBe('hello\n')
    expect(silent.connections()).toBe(2)
    await ssh.close()
    await Promise.all(calls)
  })

  it('is not begun for who has left, and is for who still waits with others', async () => {
    const holders = callSilent(2, () => 'cus_1')
    await settled(2)
    const left = await listen()
    const [first, second, third] = [1, 2, 3].map(() => new AbortController())
    const call = (target: SshTarget, caller: AbortController | undefined) =>
      ssh.run(target, { ...patient, signal: caller?.signal ?? AbortSignal.abort() })
    const gone = [first, second].map((caller) => faultOf(call(at(left.port, 'left'), caller)))
    const shared = targetOf(server, { instanceId: 'shared' })
    const unwanted = faultOf(call(shared, third))
    const wanted = call(shared, new AbortController())
    for (const caller of [first, second, third]) caller?.abort()
    expect((await Promise.all([...gone, unwanted])).map(({ fault }) => fault)).toEqual(
      Array(3).fill('cancelled')
    )
    await silent.close()
    await Promise.all(holders)
    expect((await wanted).exitCode).toBe(0)
    expect(left.connections()).toBe(0)
    await left.close()
  })

  it('can be asked for again by the next caller, after who waited has left', async () => {
    const holders = callSilent(2, () => 'cus_1')
    await settled(2)
    const caller = new AbortController()
    const target = targetOf(server)
    const gone = faultOf(ssh.run(target, { ...patient, signal: caller.signal }))
    caller.abort()
    // At once, and in each of the moments in which what was left is taken apart.
    const next = [ssh.run(target, patient)]
    expect((await gone).fault).toBe('cancelled')
    const second = new AbortController()
    const other = targetOf(server, { instanceId: 'other' })
    const goneAgain = faultOf(ssh.run(other, { ...patient, signal: second.signal }))
    second.abort()
    for (let moment = 0; moment < 30; moment += 1) {
      await Promise.resolve()
      next.push(ssh.run(other, patient))
    }
    expect((await goneAgain).fault).toBe('cancelled')
    await silent.close()
    await Promise.all(holders)
    expect((await Promise.all(next)).map(({ exitCode }) => exitCode)).toEqual(Array(31).fill(0))
  })

  it('that isn’t begun in time is told as what took too long, also where only the host key is wanted', async () => {
    const holders = callSilent(2, () => 'cus_1')
    await settled(2)
    const late = ssh.run(at(silent.port, 'late'), { script: 'true', timeoutMs: 100 })
    expect(await faultOf(late)).toEqual({ fault: 'command_timeout', hasNotBegun: true })
    const look = readHostKey(at(silent.port, 'look'), { allowPrivate: true, timeoutMs: 100 })
    expect(await faultOf(look)).toEqual({ fault: 'connect_timeout', hasNotBegun: true })
    expect(silent.connections()).toBe(2)
    await ssh.close()
    await Promise.all(holders)
  })
})

describe('a name that nobody answers for', () => {
  const real = dns.lookup
  afterEach(() => {
    Object.assign(dns, { lookup: real })
    syncBuiltinESMExports()
  })

  it('holds up its own partner’s other names, and neither another’s nor a plain address', async () => {
    const asked: string[] = []
    const giveUps: (() => void)[] = []
    const lookup = (host: string) => {
      asked.push(host)
      if (host.startsWith('good')) return Promise.resolve([{ address: '1.1.1.1', family: 4 }])
      return new Promise((_, reject) => giveUps.push(() => reject(new Error('No answer'))))
    }
    Object.assign(dns, { lookup })
    syncBuiltinESMExports()
    const options = { allowPrivate: false, signal: AbortSignal.timeout(60_000) }
    const resolve = (partnerId: string, host: string) => allowedAddresses({ partnerId, host }, options)
    const one = faultOf(resolve('prt_1', 'one.invalid'))
    const two = faultOf(resolve('prt_1', 'two.invalid'))
    const found = [{ address: '1.1.1.1', family: 4 }]
    expect(await resolve('prt_2', 'good.example')).toEqual(found)
    expect(await resolve('prt_1', '1.1.1.1')).toEqual(found)
    expect(asked).toEqual(['one.invalid', 'good.example'])
    giveUps[0]?.()
    expect((await one).fault).toBe('unresolvable')
    await until(() => giveUps.length === 2)
    giveUps[1]?.()
    expect((await two).fault).toBe('unresolvable')
  })

  it('is done for a partner at once, however many of strangers nobody answers, and those end in time', async () => {
    const giveUps: (() => void)[] = []
    const found = [{ address: '1.1.1.1', family: 4 }]
    const lookup = (host: string) =>
      host.startsWith('good')
        ? Promise.resolve(found)
        : new Promise((_, reject) => giveUps.push(() => reject(new Error('No answer'))))
    Object.assign(dns, { lookup })
    syncBuiltinESMExports()
    const ending = new AbortController()
    const strange = (name: string, signal: AbortSignal) =>
      publicAddresses(name, { kind: 'stranger', name }, { allowPrivate: false, signal })
    const strangers = ['one.invalid', 'two.invalid'].map((name) => strange(name, ending.signal))
    const options = { allowPrivate: false, signal: AbortSignal.timeout(60_000) }
    for (const partnerId of ['prt_1', 'prt_2'])
      expect(await allowedAddresses({ partnerId, host: 'good.example' }, options)).toEqual(found)
    ending.abort(new Error('It took too long'))
    for (const stranger of strangers) await expect(stranger).rejects.toThrow('It took too long')
    // The one that was asked for keeps its place until its own end, and then it is the next one's.
    const next = strange('good.example', options.signal)
    expect(giveUps).toHaveLength(1)
    giveUps[0]?.()
    expect(await next).toEqual(found)
  })
})
