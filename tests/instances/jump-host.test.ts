// A server that only another one leads to: both are real OpenSSH servers.
import { createHash, randomBytes } from 'node:crypto'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSshConnections, type SshConnections } from '../../src/instances/ssh/connections.ts'
import { SshError } from '../../src/instances/ssh/errors.ts'
import type { SshTarget } from '../../src/instances/ssh/target.ts'
import { getInstance } from '../../src/instances/store.ts'
import { mindgate } from '../support/cli.ts'
import { makePartner, run, uniqueEmail } from '../support/fixture.ts'
import { HOST_KEY } from '../support/instances.ts'
import { DEAD_PORT, listen } from '../support/listen.ts'
import type { Sshd } from '../support/openssh.ts'
import { type ChatFixture, PATIENT, startChatFixture } from './chat-fixture.ts'
import { openConnections, runText, startServer, targetOf } from './ssh-server.ts'

let [inner, jump, closed]: Sshd[] = []
let ssh: SshConnections
beforeAll(async () => {
  ;[inner, jump, closed] = await Promise.all([
    startServer(),
    startServer(),
    startServer({ config: ['AllowTcpForwarding no'] })
  ])
})
afterAll(() => Promise.all([inner, jump, closed].map((server) => server?.remove())))
afterEach(() => ssh.close())

const hopTo = ({ host, port, username, hostKey }: Sshd) => ({ host, port, username, hostKey })
const behind = (way: Partial<Sshd> = {}, changes: Partial<SshTarget> = {}): SshTarget => {
  if (!inner || !jump) throw new Error('no servers')
  return targetOf(inner, { host: 'localhost', jump: { ...hopTo(jump), ...way }, ...changes })
}
/** What a run ends with: for programs and in words. */
const faultOf = (target: SshTarget, connections = ssh) =>
  runText(connections, target, 'echo in').then(
    () => ['in', ''],
    (error) => (error instanceof SshError ? [error.code, error.text] : [error, ''])
  )

describe('a run on a server behind a jump host', PATIENT, () => {
  it('goes through that one, which alone looks the server up, over one connection', async () => {
    ssh = openConnections()
    const { lookup } = dns
    const looked: unknown[] = []
    Object.assign(dns, {
      lookup: (host: unknown) => looked.push(host) && Promise.reject(new Error('unknown'))
    })
    syncBuiltinESMExports()
    try {
      const all = await Promise.all([1, 2, 3].map((n) => runText(ssh, behind(), `echo ${n} $SSH_CONNECTION`)))
      expect(all.map(({ stdout }) => stdout.split(' ')[0])).toEqual(['1', '2', '3'])
      expect(all[0]?.stdout.trim()).toMatch(new RegExp(` ${inner?.port}$`))
      expect([ssh.handshakes, looked]).toEqual([1, []])
    } finally {
      Object.assign(dns, { lookup })
      syncBuiltinESMExports()
    }
  })

  it('takes a large file, byte for byte', async () => {
    ssh = openConnections()
    const content = randomBytes(6_000_000)
    const path = `${inner?.root}/large`
    await ssh.writeFile(behind(), { path, content, mode: 0o600, timeoutMs: 60_000 })
    const { stdout } = await runText(ssh, behind(), `sha256sum <${path}; head -c 900000 ${path} | wc -c`)
    expect(stdout).toBe(`${createHash('sha256').update(content).digest('hex')}  -\n900000\n`)
  })

  it('ends with the jump host, and the next one goes through it anew', async () => {
    ssh = openConnections()
    const went = faultOf(behind())
    expect(await went).toEqual(['in', ''])
    const begun = new AbortController()
    const cut = runText(ssh, behind(), 'echo begun; sleep 60', { listen: () => begun.abort() })
    cut.catch(() => undefined)
    await once(begun.signal, 'abort')
    await jump?.kill()
    await expect(cut).rejects.toMatchObject({ fault: 'connection_lost', hasNotBegun: false })
    await jump?.start()
    expect(await faultOf(behind())).toEqual(['in', ''])
    expect(ssh.handshakes).toBe(2)
  })
})

describe('what is wrong is told of the one where it is:', PATIENT, () => {
  const silent = listen()
  afterAll(async () => (await silent).close())

  it.each<[string, () => SshTarget | Promise<SshTarget>, string, string]>([
    [
      'another jump host',
      () => behind({ hostKey: HOST_KEY }),
      'jump_host_key_mismatch',
      'The jump host shows another host key'
    ],
    [
      'another server',
      () => behind({}, { hostKey: HOST_KEY }),
      'host_key_mismatch',
      'The server shows another host key'
    ],
    [
      'an unknown user at the jump host',
      () => behind({ username: 'nobody' }),
      'jump_authentication_failed',
      'The jump host doesn’t accept'
    ],
    [
      'an unknown user at the server',
      () => behind({}, { username: 'nobody' }),
      'authentication_failed',
      'The server doesn’t accept'
    ],
    ['no jump host', () => behind({ port: DEAD_PORT }), 'jump_refused', 'The jump host refuses connections'],
    [
      'no server',
      () => behind({}, { port: DEAD_PORT }),
      'no_way_on',
      'The jump host finds no way to the server'
    ],
    [
      'no forwarding',
      () => behind(closed && hopTo(closed)),
      'forwarding_refused',
      'The jump host passes nothing on'
    ],
    [
      'a silent jump host',
      async () => behind({ port: (await silent).port }),
      'jump_connect_timeout',
      'The jump host did not answer'
    ],
    [
      'a silent server',
      async () => behind({}, { port: (await silent).port }),
      'connect_timeout',
      'The server did not answer'
    ]
  ])('%s', async (_, target, code, words) => {
    ssh = openConnections({ sshConnectTimeoutMs: 3_000 })
    expect(await faultOf(await target())).toEqual([code, expect.stringContaining(words)])
  })

  it('a jump host in a private network, into which it could lead', async () => {
    ssh = openSshConnections({ sshAllowPrivate: false, sshConnectTimeoutMs: 3_000, sshKeepMs: 1_000 })
    expect(await faultOf(behind())).toEqual([
      'jump_forbidden_address',
      expect.stringContaining('The jump host’s address is a private')
    ])
  })
})

describe('an instance behind a jump host', PATIENT, () => {
  let fixture: ChatFixture
  beforeAll(async () => {
    fixture = await startChatFixture('sqlite')
  })
  afterAll(() => fixture.close())
  const asked = (method: string, path: string, body?: Record<string, unknown>) =>
    fixture.server.api(method, path, { key: fixture.server.partner.key, ...(body ? { body } : {}) })
  const customer = async () => {
    const { service, partner } = fixture.server
    return Object((await run(service, partner.partnerId, 'customer_create', { email: uniqueEmail() })).data)
      .id
  }
  const keyOf = (letter: string) => `SHA256:${letter.repeat(43)}`
  const server = { host: '10.0.0.5', hostKey: HOST_KEY, jumpHostKey: keyOf('B') }

  it('is chatted with', async () => {
    ssh = openConnections()
    if (!jump) throw new Error('no jump host')
    const { sshd } = fixture
    const way = `${jump.username}@${jump.host}:${jump.port}`
    const box = await fixture.sandbox({ host: `${way}/${sshd.host}`, jumpHostKey: jump.hostKey })
    jump.authorize(box.instance.publicKey)
    expect(await box.chat.send('Hello')).toMatchObject({ status: 200 })
    expect(await asked('POST', `/instances/${box.instance.id}/test`)).toMatchObject({
      body: { agentReady: true }
    })
  })

  it('is registered by both host keys, and tells how it is reached', async () => {
    ssh = openConnections()
    const customerId = await customer()
    for (const missing of ['hostKey', 'jumpHostKey'])
      expect(
        await asked('POST', '/instances', {
          customerId,
          ...server,
          jump: 'admin@bastion.example.com',
          [missing]: undefined
        })
      ).toMatchObject({ status: 400, body: { code: 'invalid_input', field: missing } })
    const { body } = await asked('POST', '/instances', { customerId, ...server, jump: 'Bastion.example.com' })
    expect(body).toMatchObject({
      message: expect.stringContaining('and for root@bastion.example.com:22 as well'),
      data: { ...server, jump: 'root@bastion.example.com:22', name: '10.0.0.5' }
    })
    const { instanceId } = Object(body.data)
    expect((await asked('GET', `/instances/${instanceId}`)).body.data).toMatchObject({
      ...server,
      jump: 'root@bastion.example.com:22'
    })
    const listed = Array.from(Object((await asked('GET', '/instances')).body).data)
    expect(listed).toContainEqual(expect.objectContaining({ instanceId, host: '10.0.0.5' }))
    const again = await asked('POST', '/instances', {
      customerId,
      host: server.host,
      jump: 'root@bastion.example.com:22',
      username: 'agent'
    })
    expect(again.body).toMatchObject({ data: { instanceId, username: 'agent', ...server } })
  })

  it('may have the private address of another one, behind another jump host', async () => {
    ssh = openConnections()
    const [one, other] = [await customer(), await customer()]
    const place = { host: '10.0.0.6', hostKey: keyOf('E'), jumpHostKey: keyOf('F') }
    const first = await asked('POST', '/instances', { customerId: one, ...place, jump: 'one.example.com' })
    expect(first.status).toBe(200)
    const keys = { hostKey: keyOf('C'), jumpHostKey: keyOf('D') }
    const there = { customerId: other, ...place, ...keys }
    expect((await asked('POST', '/instances', { ...there, jump: 'other.example.com' })).status).toBe(200)
    expect(await asked('POST', '/instances', { ...there, jump: 'one.example.com' })).toMatchObject({
      status: 400,
      body: { code: 'instance_exists' }
    })
  })

  it('moves behind one, by the command line, and is nobody else’s', async () => {
    ssh = openConnections()
    const { service, partner, env } = fixture.server
    const box = await fixture.sandbox()
    const { id, customerId, partnerId } = box.instance
    const { code } = await mindgate(env, [
      ...[
        'instance',
        'add',
        '--customer',
        customerId,
        '--host',
        '10.0.0.7',
        '--host-key',
        keyOf('M'),
        '--replaces',
        id
      ],
      ...['--jump', 'admin@[2001:db8::1]:2222', '--jump-host-key', keyOf('M')]
    ])
    const row = await getInstance(service.database.read, partnerId, id)
    expect([code, row.host, row.jumpHostKey]).toEqual([0, 'admin@[2001:db8::1]:2222/10.0.0.7', keyOf('M')])
    const stranger = await makePartner(service)
    const theirs = await fixture.server.api('GET', `/instances/${id}`, { key: stranger.key })
    expect([partner.partnerId === partnerId, theirs.status]).toEqual([true, 404])
  })

  it.each([
    '',
    'a@',
    'a b@host',
    '@',
    'user@host:0',
    'user@host:70000',
    'user@ho/st',
    'user@[::1',
    'u@127.1',
    'a@b@c'
  ])('isn’t registered by %j', async (way) => {
    ssh = openConnections()
    const body = { customerId: await customer(), ...server, jump: way }
    expect(await asked('POST', '/instances', body)).toMatchObject({ status: 400, body: { field: 'jump' } })
  })
})
