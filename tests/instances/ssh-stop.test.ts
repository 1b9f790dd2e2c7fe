// A run that is stopped leaves nothing of itself on the server, however it came to be stopped.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SshConnections } from '../../src/instances/ssh/connections.ts'
import type { SshTarget } from '../../src/instances/ssh/target.ts'
import { type Relay, relayTo } from '../support/listen.ts'
import type { Sshd } from '../support/openssh.ts'
import { faultOf, isRunning, openConnections, runText, startServer, targetOf, until } from './ssh-server.ts'

let server: Sshd
let ssh: SshConnections
let target: SshTarget
let relay: Relay

beforeAll(async () => {
  server = await startServer()
  relay = await relayTo(server.port)
  ssh = openConnections()
  target = targetOf(server)
  await runText(ssh, target, 'true')
})
afterEach(() => relay.drop())
afterAll(async () => {
  await ssh.close()
  await relay.close()
  await server.remove()
})

/** A script of several processes, which writes down their ids in a file named after it. */
function family(name: string): { script: string; members(): number[]; hasBegun(): boolean } {
  const file = join(server.home, name)
  return {
    // `timeout` makes a process group of its own, and one of the children doesn't mind TERM.
    script: `
      sleep 600 & echo $! >>${file}
      timeout 600 sleep 600 & echo $! >>${file}
      sh -c 'trap "" TERM; while :; do sleep 1; done' & echo $! >>${file}
      echo $$ >>${file}
      echo out; echo end >>${file}
      wait`,
    hasBegun: () => existsSync(file) && readFileSync(file, 'utf8').endsWith('end\n'),
    members: () => readFileSync(file, 'utf8').split('\n').slice(0, 4).map(Number)
  }
}

const running = (pids: number[]) => pids.filter(isRunning)

describe('a run that is stopped', () => {
  it('by its time is gone with all its processes', async () => {
    // The first time that is long enough for the script to begin, however busy this machine is.
    for (let timeoutMs = 500; ; timeoutMs *= 2) {
      const { script, members, hasBegun } = family(`time-${timeoutMs}`)
      const fault = await faultOf(ssh.run(target, { script, timeoutMs }))
      if (!hasBegun()) continue
      expect(fault).toEqual({ fault: 'command_timeout', hasNotBegun: false })
      await until(() => running(members()).length === 0)
      return
    }
  })

  it('by its caller is gone, too', async () => {
    const { script, members, hasBegun } = family('caller')
    const caller = new AbortController()
    const run = faultOf(ssh.run(target, { script, timeoutMs: 60_000, signal: caller.signal }))
    await until(hasBegun)
    caller.abort()
    expect(await run).toEqual({ fault: 'cancelled', hasNotBegun: false })
    await until(() => running(members()).length === 0)
  })

  it('leaves the connection as good as before', async () => {
    await runText(ssh, target, 'true')
    await faultOf(ssh.run(target, { script: 'sleep 600', timeoutMs: 500 }))
    const { handshakes } = ssh
    await runText(ssh, target, 'true')
    expect(ssh.handshakes).toBe(handshakes)
  })

  it('before it began has not begun', async () => {
    const signal = AbortSignal.abort()
    const fault = await faultOf(ssh.run(target, { script: 'true', timeoutMs: 1_000, signal }))
    expect(fault).toEqual({ fault: 'cancelled', hasNotBegun: true })
  })

  it.each([
    ['stdout', 'yes'],
    ['stderr', 'yes >&2']
  ])('because it writes too much on %s is gone', async (name, script) => {
    const file = join(server.home, name)
    const run = { script: `echo $$ >${file}; ${script}`, timeoutMs: 60_000, maxOutputBytes: 10_000 }
    expect(await faultOf(ssh.run(target, run))).toEqual({ fault: 'output_too_large', hasNotBegun: false })
    await until(() => !isRunning(Number(readFileSync(file, 'utf8'))))
  })

  it('leaves alone what has left its session', async () => {
    const file = join(server.home, 'detached')
    const script = `setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $! >${file}; sleep 600`
    const caller = new AbortController()
    const run = faultOf(ssh.run(target, { script, timeoutMs: 60_000, signal: caller.signal }))
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
    caller.abort()
    await run
    const detached = Number(readFileSync(file, 'utf8'))
    expect(isRunning(detached)).toBe(true)
    process.kill(detached)
  })

  it('because our connection is gone is gone soon', async () => {
    const { script, members, hasBegun } = family('connection')
    const through = { ...target, instanceId: 'ins_relay', port: relay.port }
    const run = faultOf(ssh.run(through, { script, timeoutMs: 60_000 }))
    await until(hasBegun)
    relay.drop()
    expect(await run).toEqual({ fault: 'connection_lost', hasNotBegun: false })
    await until(() => running(members()).length === 0)
  })

  it('because the service closes is gone, and nothing runs after it', async () => {
    const { script, members, hasBegun } = family('service')
    const own = openConnections()
    const run = faultOf(own.run(target, { script, timeoutMs: 60_000 }))
    await until(hasBegun)
    await own.close()
    expect(await run).toEqual({ fault: 'cancelled', hasNotBegun: false })
    await until(() => running(members()).length === 0)
    expect(await faultOf(own.run(target, { script: 'true', timeoutMs: 1_000 }))).toEqual({
      fault: 'cancelled',
      hasNotBegun: true
    })
  })

  it('when the peer is dead is given up within its time, and the others on the connection hear of it', async () => {
    const through = { ...target, instanceId: 'ins_dead', port: relay.port }
    const file = join(server.home, 'dead')
    const script = `echo $$ >>${file}; sleep 600`
    const runs = [1, 2].map(() => faultOf(ssh.run(through, { script, timeoutMs: 60_000 })))
    await until(() => existsSync(file) && readFileSync(file, 'utf8').trim().split('\n').length === 2)
    relay.freeze()
    expect(await Promise.all(runs)).toEqual(
      [1, 2].map(() => ({ fault: 'connection_lost', hasNotBegun: false }))
    )
  })
})
