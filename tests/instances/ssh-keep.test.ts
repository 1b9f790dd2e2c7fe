// One connection for each instance: shared, kept for a while, limited in its sessions, and replaced when it is lost.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SshConnections } from '../../src/instances/ssh/connections.ts'
import { makeKeyPair } from '../../src/instances/ssh/key-pair.ts'
import type { SshTarget } from '../../src/instances/ssh/target.ts'
import { DEAD_PORT, type Relay, relayTo } from '../support/listen.ts'
import type { Sshd } from '../support/openssh.ts'
import { faultOf, openConnections, runText, startServer, targetOf, until } from './ssh-server.ts'

let server: Sshd
let ssh: SshConnections
let target: SshTarget
let relay: Relay

beforeAll(async () => {
  server = await startServer()
  target = targetOf(server)
  relay = await relayTo(server.port)
})
beforeEach(() => {
  ssh = openConnections()
})
afterEach(() => ssh.close())
afterAll(async () => {
  await relay.close()
  await server.remove()
})

const hello = async (to: SshTarget = target) => (await runText(ssh, to, 'echo hello')).stdout

describe('a kept connection', () => {
  it('serves those who call at once and those who call later, with one handshake', async () => {
    const before = server.handshakes()
    const texts = await Promise.all([hello(), hello(), hello()])
    texts.push(await hello())
    expect(texts).toEqual(Array(4).fill('hello\n'))
    expect([ssh.handshakes, server.handshakes() - before]).toEqual([1, 1])
  })

  it('is another one for another instance', async () => {
    await Promise.all([hello(), hello({ ...target, instanceId: 'ins_2' })])
    expect(ssh.handshakes).toBe(2)
  })

  it('ends when it wasn’t used for a while, and the next call makes a new one', async () => {
    const brief = openConnections({ sshKeepMs: 10 })
    const goodbyes = () => server.log().match(/Received disconnect/g)?.length ?? 0
    const before = goodbyes()
    await runText(brief, target, 'true')
    await until(() => goodbyes() > before)
    await runText(brief, target, 'true')
    expect(brief.handshakes).toBe(2)
    await brief.close()
  })

  it('isn’t ended under a run that takes longer than it is kept', async () => {
    const brief = openConnections({ sshKeepMs: 10 })
    const outcome = await runText(brief, target, 'sleep 0.5; echo done')
    expect(outcome.stdout).toBe('done\n')
    await brief.close()
  })

  it('is forgotten on demand: a run that uses it ends well, the next makes a new one', async () => {
    await hello()
    const file = join(server.home, 'wait')
    const running = runText(ssh, target, `while [ ! -e ${file} ]; do sleep 0.05; done; echo done`)
    ssh.end(target.instanceId)
    expect(await hello()).toBe('hello\n')
    mkdirSync(file)
    expect((await running).stdout).toBe('done\n')
    expect(ssh.handshakes).toBe(2)
  })

  it('isn’t used for another user, host or key', async () => {
    const { privateKey } = makeKeyPair('another')
    const changes: [Partial<SshTarget>, string][] = [
      [{ username: 'nobody' }, 'authentication_failed'],
      [{ host: 'nowhere.invalid' }, 'unresolvable'],
      [{ port: DEAD_PORT }, 'refused'],
      [{ privateKey }, 'authentication_failed'],
      [{ hostKey: 'SHA256:other' }, 'host_key_mismatch']
    ]
    for (const [changed, expected] of changes) {
      await hello()
      const { fault } = await faultOf(
        ssh.run({ ...target, ...changed }, { script: 'true', timeoutMs: 30_000 })
      )
      expect([changed, fault]).toEqual([changed, expected])
    }
  })

  it('that was closed by the other side is replaced without a word', async () => {
    const through = { ...target, port: relay.port }
    await hello(through)
    relay.drop()
    expect(await hello(through)).toBe('hello\n')
    expect(ssh.handshakes).toBe(2)
  })

  it('whose other side is dead is replaced as soon as that is noticed', async () => {
    const through = { ...target, port: relay.port }
    await hello(through)
    relay.freeze()
    expect(await hello(through)).toBe('hello\n')
    expect(ssh.handshakes).toBe(2)
  })

  it('has at most six sessions at a time, and the others wait', async () => {
    const folder = join(server.home, 'sessions')
    mkdirSync(folder)
    const script = `cd ${folder} && : >$$ && ls | wc -l && sleep 0.2 && rm $$`
    const runs = Array.from({ length: 14 }, () => runText(ssh, target, script))
    const counts = (await Promise.all(runs)).map(({ stdout }) => Number(stdout))
    expect(Math.max(...counts)).toBeLessThanOrEqual(6)
    expect(ssh.handshakes).toBe(1)
  })
})

describe('a server', () => {
  it('that is killed under a run costs that run alone; started again, it serves the next', async () => {
    const file = join(server.home, 'begun')
    const running = faultOf(
      ssh.run(target, { script: `mkdir ${file}; sleep 600; : not again`, timeoutMs: 60_000 })
    )
    await until(() => existsSync(file))
    await server.kill()
    expect(await running).toEqual({ fault: 'connection_lost', hasNotBegun: false })
    expect((await faultOf(ssh.run(target, { script: 'true', timeoutMs: 30_000 }))).fault).toBe('refused')
    await server.start()
    expect(await hello()).toBe('hello\n')
  })

  it('that is restarted between two runs is noticed by nobody', async () => {
    await hello()
    await server.stop()
    await server.start()
    expect(await hello()).toBe('hello\n')
  })
})

describe('a server with one session for each connection', () => {
  let single: Sshd
  beforeAll(async () => {
    single = await startServer({ maxSessions: 1 })
  })
  afterAll(() => single.remove())

  it('serves many who call at once, one after the other', async () => {
    const texts = await Promise.all([1, 2, 3, 4].map(() => hello(targetOf(single))))
    expect(texts).toEqual(Array(4).fill('hello\n'))
    expect(ssh.handshakes).toBe(1)
  })

  it('says that there was no session when none became free in time', async () => {
    const file = join(single.home, 'begun')
    const caller = new AbortController()
    const script = `mkdir ${file}; sleep 600`
    const running = faultOf(ssh.run(targetOf(single), { script, timeoutMs: 60_000, signal: caller.signal }))
    await until(() => existsSync(file))
    const fault = await faultOf(ssh.run(targetOf(single), { script: 'true', timeoutMs: 1_500 }))
    expect(fault).toEqual({ fault: 'no_session', hasNotBegun: true })
    caller.abort()
    await running
    expect(await hello(targetOf(single))).toBe('hello\n')
  })
})

describe('a server without sessions', () => {
  let closed: Sshd
  beforeAll(async () => {
    closed = await startServer({ maxSessions: 0 })
  })
  afterAll(() => closed.remove())

  it('is asked until the time is over', async () => {
    const caller = new AbortController()
    const patient = { script: 'true', timeoutMs: 60_000, signal: caller.signal }
    const waiting = faultOf(ssh.run(targetOf(closed), patient))
    // Until the first refusal is in, nobody knows why it takes long.
    await until(() => closed.log().includes('no more sessions'))
    const fault = await faultOf(ssh.run(targetOf(closed), { script: 'true', timeoutMs: 1_500 }))
    expect(fault).toEqual({ fault: 'no_session', hasNotBegun: true })
    caller.abort()
    expect(await waiting).toEqual({ fault: 'cancelled', hasNotBegun: true })
  })
})
