// `mindgate instance`: registering, listing and trying customers' servers, beside a service or without one.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { answerOf, type Environment, environmentAt, makePartner, mindgate } from '../support/cli.ts'
import { makeEmptyPlace } from '../support/databases.ts'
import { stringAt, unique } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type Sshd, startSshd } from '../support/openssh.ts'

/** Names that scripts rely on, and nothing beside. */
const Added = z.strictObject({ instanceId: z.string(), hostKey: z.string(), publicKey: z.string() })
const Listed = z.array(z.record(z.string(), z.unknown()))
const Tested = z.strictObject({
  instanceId: z.string(),
  reachable: z.boolean(),
  fault: z.string().nullable(),
  message: z.string(),
  agentReady: z.boolean()
})

let sshd: Sshd

beforeAll(async () => {
  sshd = await startSshd()
})
afterAll(() => sshd.remove())

describe('the CLI’s servers', () => {
  let server: TestServer
  let env: Environment
  let customerId: string
  let code: string

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    env = server.env
    const { key } = await makePartner(env, 'Server Voice')
    const { body } = await server.api('POST', '/customers', { key, body: { email: 'ada@example.com' } })
    customerId = stringAt(body, 'data', 'id')
    code = stringAt(body, 'data', 'customerId')
  })
  afterAll(() => server.close())

  const where = (root: string) => [
    ...['--host', sshd.host, '--port', String(sshd.port)],
    ...['--user', sshd.username, '--root', root]
  ]
  const add = (root: string, ...more: string[]) =>
    answerOf(Added, env, 'instance', 'add', '--customer', customerId, ...where(root), ...more)

  it('adds one, lists it, and tries it once its key is let in', async () => {
    const root = join(sshd.root, unique('sandbox'))
    const added = await add(root)
    expect(added).toEqual({
      instanceId: expect.stringMatching(/^ins_/),
      hostKey: sshd.hostKey,
      publicKey: expect.stringMatching(/^ssh-ed25519 /)
    })
    const { instanceId, publicKey } = added

    const listed = await answerOf(
      Listed,
      env,
      'instance',
      'list',
      '--customer',
      code,
      '--partner',
      'server-voice'
    )
    const [listedOne] = listed.filter((one) => one.instanceId === instanceId)
    expect(listedOne).toMatchObject({ customerId, host: sshd.host, root, publicKey, status: 'registered' })
    expect(JSON.stringify(listed)).not.toMatch(/private/i)

    const refused = await mindgate(env, ['instance', 'test', instanceId, '--json'])
    expect(refused.code).toBe(1)
    expect(Tested.parse(JSON.parse(refused.stdout))).toMatchObject({
      reachable: false,
      fault: 'authentication_failed'
    })
    sshd.authorize(publicKey)
    expect(await answerOf(Tested, env, 'instance', 'test', instanceId)).toMatchObject({
      reachable: true,
      fault: null,
      agentReady: false
    })
  })

  it('keeps id and key of a place that is added again', async () => {
    const root = `/${unique('root')}`
    expect(await add(root, '--name', 'Reception')).toEqual(await add(root, '--host-key', sshd.hostKey))
  })

  it('tells people what to do next', async () => {
    const { code: exit, stdout } = await mindgate(env, [
      ...['instance', 'add', '--customer', customerId],
      ...where(`/${unique('root')}`)
    ])
    expect(exit).toBe(0)
    expect(stdout).toContain('.ssh/authorized_keys')
    expect(stdout).toMatch(/^ssh-ed25519 \S+ mindgate-ins_\w+$/m)
    expect(stdout).toMatch(/mindgate instance test ins_\w+/)

    const list = await mindgate(env, ['instance', 'list', '--customer', customerId])
    expect(list.stdout).toContain(`${sshd.username}@${sshd.host}:${sshd.port}`)
  })

  it.each([
    ['another host key', ['--host-key', `SHA256:${'A'.repeat(43)}`], `shows the host key`],
    ['a port where nobody listens', ['--port', '1'], 'refuses connections']
  ])('fails for %s, in words', async (_, more, complaint) => {
    const { code: exit, stderr } = await mindgate(env, [
      ...['instance', 'add', '--customer', customerId],
      ...where(`/${unique('root')}`),
      ...more
    ])
    expect([exit, stderr]).toEqual([1, expect.stringContaining(complaint)])
  })

  it('refuses an address that only this network reaches, unless that is allowed', async () => {
    const { code: exit, stderr } = await mindgate({ ...env, SSH_ALLOW_PRIVATE: '0' }, [
      ...['instance', 'add', '--customer', customerId],
      ...where('/srv/one')
    ])
    expect([exit, stderr]).toEqual([1, expect.stringContaining('private or reserved')])
  })

  it.each([
    ['instance', 'add', '--customer', 'cus_none', '--host', '127.0.0.1'],
    ['instance', 'list', '--customer', 'cus_none'],
    ['instance', 'test', 'ins_none']
  ])('fails for ids that nobody has: %s %s', async (...args) => {
    const { code: exit, stderr } = await mindgate(env, args)
    expect(exit).toBe(1)
    expect(stderr).toMatch(/_none/)
  })
})

it.each([
  [['--host', 'https://vps1.example.com'], '--host'],
  [['--host', 'vps1.example.com', '--port', '0'], '--port'],
  [['--host', 'vps1.example.com', '--user', 'a b'], '--user'],
  [['--host', 'vps1.example.com', '--root', 'srv'], '--root'],
  [['--host', 'vps1.example.com', '--host-key', 'SHA256:x'], '--host-key']
])('a server is misused with %j, before anything is opened', async (options, name) => {
  const place = await makeEmptyPlace('sqlite')
  const args = ['instance', 'add', '--customer', 'cus_any', ...options]
  const { code: exit, stderr } = await mindgate(environmentAt(place), args)
  const files = readdirSync(place.dataDir)
  await place.remove()
  expect([exit, files]).toEqual([2, []])
  expect(stderr).toContain(name)
})
