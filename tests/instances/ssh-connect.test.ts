// Who is connected to, how the two sides prove who they are, and what goes wrong before a command can run.
import { execFileSync } from 'node:child_process'
import dns from 'node:dns/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { allowedAddresses } from '../../src/instances/ssh/addresses.ts'
import { openSshConnections, type SshConnections } from '../../src/instances/ssh/connections.ts'
import { dial } from '../../src/instances/ssh/dial.ts'
import { readHostKey } from '../../src/instances/ssh/host-key.ts'
import { makeKeyPair } from '../../src/instances/ssh/key-pair.ts'
import type { SshTarget } from '../../src/instances/ssh/target.ts'
import { DEAD_PORT, type Listener, listen } from '../support/listen.ts'
import type { Sshd } from '../support/openssh.ts'
import { faultOf, OWNER, openConnections, runText, startServer, targetOf } from './ssh-server.ts'

/** Of an RSA key, beside the server's usual one. */
let rsaKey: string
let keyFolder: string
let server: Sshd
let ssh: SshConnections
let target: SshTarget
/** Takes connections, and then says nothing. */
let silent: Listener

beforeAll(async () => {
  keyFolder = mkdtempSync(join(tmpdir(), 'mindgate-host-key-'))
  const file = join(keyFolder, 'rsa')
  execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-N', '', '-f', file])
  rsaKey = execFileSync('ssh-keygen', ['-lf', file], { encoding: 'utf8' }).split(' ')[1] ?? ''
  server = await startServer({ config: [`HostKey ${file}`] })
  silent = await listen()
  ssh = openConnections()
  target = targetOf(server)
})
afterAll(async () => {
  await ssh.close()
  await silent.close()
  await server.remove()
  rmSync(keyFolder, { recursive: true })
})

const nothing = { script: 'true', timeoutMs: 30_000 }
/** How many times somebody has tried to sign in. */
const attempts = () => server.log().match(/(Accepted|Failed|Postponed) publickey/g)?.length ?? 0

describe('a connection', () => {
  it('is refused where another host key is shown, and our user name isn’t told', async () => {
    const before = attempts()
    const wrong = { ...target, instanceId: 'ins_wrong', hostKey: `SHA256:${'A'.repeat(43)}` }
    expect(await faultOf(ssh.run(wrong, nothing))).toEqual({ fault: 'host_key_mismatch', hasNotBegun: true })
    expect(attempts()).toBe(before)
  })

  it('takes whichever of the server’s host keys was pinned', async () => {
    const { exitCode } = await runText(ssh, { ...target, instanceId: 'ins_rsa', hostKey: rsaKey }, 'true')
    expect(exitCode).toBe(0)
  })

  it('needs a key that the server knows', async () => {
    const { privateKey } = makeKeyPair('stranger')
    const stranger = { ...target, instanceId: 'ins_stranger', privateKey }
    expect(await faultOf(ssh.run(stranger, nothing))).toEqual({
      fault: 'authentication_failed',
      hasNotBegun: true
    })
  })

  it('needs a user that the server knows', async () => {
    const stranger = { ...target, instanceId: 'ins_nobody', username: 'there-is-none' }
    expect((await faultOf(ssh.run(stranger, nothing))).fault).toBe('authentication_failed')
  })

  it('is refused where nothing listens', async () => {
    const dead = { ...target, instanceId: 'ins_dead', port: DEAD_PORT }
    expect(await faultOf(ssh.run(dead, nothing))).toEqual({ fault: 'refused', hasNotBegun: true })
  })

  it('is unresolvable where the name has no address', async () => {
    const nowhere = { ...target, instanceId: 'ins_nowhere', host: 'nowhere.invalid' }
    expect(await faultOf(ssh.run(nowhere, nothing))).toEqual({ fault: 'unresolvable', hasNotBegun: true })
  })

  it('has its own time where somebody answers the call and then says nothing', async () => {
    const impatient = openConnections({ sshConnectTimeoutMs: 200 })
    const stalled = { ...target, port: silent.port }
    const fault = await faultOf(impatient.run(stalled, nothing))
    expect(fault).toEqual({ fault: 'connect_timeout', hasNotBegun: true })
    await impatient.close()
  })

  it('takes no longer than the run may', async () => {
    const stalled = { ...target, instanceId: 'ins_stalled', port: silent.port }
    const fault = await faultOf(ssh.run(stalled, { script: 'true', timeoutMs: 200 }))
    expect(fault).toEqual({ fault: 'command_timeout', hasNotBegun: true })
    ssh.end('ins_stalled')
  })

  it.each([
    ['another protocol', 'unreachable', 'HTTP/1.1 400 Bad Request\r\n\r\nno\r\n'.repeat(2_000)],
    ['an SSH that nobody speaks any more', 'unreachable', 'SSH-1.5-old\r\n'],
    ['a hang-up', 'connection_lost', '']
  ])('gives %s up', async (_, fault, words) => {
    const other = await listen((socket) => (words === '' ? socket.end() : socket.write(words)))
    const elsewhere = { ...target, instanceId: 'ins_other', port: other.port }
    expect(await faultOf(ssh.run(elsewhere, nothing))).toEqual({ fault, hasNotBegun: true })
    await other.close()
  })

  it('can be waited for by one who is then called off, while another gets it', async () => {
    const own = openConnections()
    const caller = new AbortController()
    const first = faultOf(own.run(target, { ...nothing, signal: caller.signal }))
    const second = runText(own, target, 'echo here')
    caller.abort()
    expect((await first).fault).toBe('cancelled')
    expect((await second).stdout).toBe('here\n')
    expect(own.handshakes).toBe(1)
    await own.close()
  })
})

describe('an address that isn’t on the public Internet', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0.0.0.0',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::1'
  ])('%s is refused before anything is sent', async (host) => {
    const strict = openSshConnections({
      sshAllowPrivate: false,
      sshConnectTimeoutMs: 20_000,
      sshKeepMs: 1_000
    })
    const watched = await listen()
    const fault = await faultOf(strict.run({ ...target, host, port: watched.port }, nothing))
    // Not every system reads every spelling; none of them leads anywhere.
    expect(fault.fault).toMatch(/^(forbidden_address|unresolvable)$/)
    const options = { allowPrivate: false, timeoutMs: 20_000 }
    const { fault: other } = await faultOf(readHostKey({ ...OWNER, host, port: watched.port }, options))
    expect(other).toBe(fault.fault)
    expect([watched.connections(), watched.received()]).toEqual([0, 0])
    await strict.close()
    await watched.close()
  })
})

describe('a name', () => {
  const real = dns.lookup
  afterEach(() => resolveBy(real))

  /** Names resolve so, for all of this process. */
  const resolveBy = (lookup: unknown) => {
    Object.assign(dns, { lookup })
    syncBuiltinESMExports()
  }

  it('with a public address opens none of its private ones', async () => {
    const given = [
      { address: '10.0.0.1', family: 4 },
      { address: '1.1.1.1', family: 4 },
      { address: '::1', family: 6 }
    ]
    resolveBy(async () => given)
    expect(
      await allowedAddresses(
        { partnerId: 'prt_1', host: 'mixed.example' },
        { allowPrivate: false, signal: AbortSignal.timeout(20_000) }
      )
    ).toEqual([{ address: '1.1.1.1', family: 4 }])
  })

  it('is resolved once: what was looked at is connected to', async () => {
    const watched = await listen()
    let looks = 0
    resolveBy(async () => {
      looks += 1
      return [{ address: '127.0.0.1', family: 4 }]
    })
    const socket = await dial(
      { ...OWNER, host: 'rebound.invalid', port: watched.port },
      { allowPrivate: true, signal: AbortSignal.timeout(20_000) }
    )
    socket.destroy()
    await watched.close()
    expect(looks).toBe(1)
  })
})

describe('the host key of a server', () => {
  const options = { allowPrivate: true, timeoutMs: 20_000 }
  const address = () => ({ ...OWNER, host: server.host, port: server.port })

  it('is read without signing in', async () => {
    const before = attempts()
    expect(await readHostKey(address(), options)).toBe(server.hostKey)
    expect(attempts()).toBe(before)
  })

  it('is the expected one where the server has it, and the usual one where not', async () => {
    expect(await readHostKey(address(), { ...options, expected: rsaKey })).toBe(rsaKey)
    expect(await readHostKey(address(), { ...options, expected: server.hostKey })).toBe(server.hostKey)
    expect(await readHostKey(address(), { ...options, expected: 'SHA256:other' })).toBe(server.hostKey)
  })

  it('can’t be read of what doesn’t answer, within the time', async () => {
    const stalled = readHostKey(
      { ...OWNER, host: silent.host, port: silent.port },
      { ...options, timeoutMs: 200 }
    )
    expect((await faultOf(stalled)).fault).toBe('connect_timeout')
    const dead = readHostKey({ ...OWNER, host: '127.0.0.1', port: DEAD_PORT }, options)
    expect((await faultOf(dead)).fault).toBe('refused')
    const called = readHostKey(address(), { ...options, signal: AbortSignal.abort() })
    expect((await faultOf(called)).fault).toBe('cancelled')
  })
})
