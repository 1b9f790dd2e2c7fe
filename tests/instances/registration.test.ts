// Registering a customer's server: its host key is looked at first, it gets a key pair, and a place is there once.
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getInstance, sshTarget } from '../../src/instances/store.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run, stringAt, type TestPartner, unique, uniqueEmail } from '../support/fixture.ts'
import { type Answer, startTestServer, type TestServer } from '../support/http.ts'
import { HOST_KEY } from '../support/instances.ts'
import { type Sshd, startSshd } from '../support/openssh.ts'

let sshd: Sshd

beforeAll(async () => {
  sshd = await startSshd()
})
afterAll(() => sshd.remove())

describe.each(databases)('registering a server on %s', (kind) => {
  let server: TestServer
  let partner: TestPartner

  beforeAll(async () => {
    server = await startTestServer(kind)
    partner = server.partner
  })
  afterAll(() => server.close())

  const makeCustomer = async (partnerId = partner.partnerId): Promise<string> =>
    stringAt(await run(server.service, partnerId, 'customer_create', { email: uniqueEmail() }), 'data', 'id')
  /** A place of its own on the real server. */
  const freshPlace = () => ({ host: sshd.host, port: sshd.port, root: `/${unique('root')}` })
  const register = (body: Record<string, unknown>, key = partner.key): Promise<Answer> =>
    server.api('POST', '/instances', { key, body })
  const keptAt = ({ root }: { root: string }) =>
    server.service.database.read.selectFrom('instance').where('root', '=', root).selectAll().execute()

  it('keeps id and key of a place that is registered again, and changes what is said anew', async () => {
    const customerId = await makeCustomer()
    const place = freshPlace()
    const { body: first } = await register({ customerId, ...place, name: 'Front desk' })
    const { status, body: again } = await register({ customerId, ...place, username: 'agent' })
    expect(status).toBe(200)
    expect(again).toMatchObject({
      message: expect.stringContaining('registered before'),
      data: {
        instanceId: stringAt(first, 'data', 'instanceId'),
        publicKey: stringAt(first, 'data', 'publicKey'),
        createdAt: stringAt(first, 'data', 'createdAt'),
        name: 'Front desk',
        username: 'agent'
      }
    })
    const { body: renamed } = await register({ customerId, ...place, name: 'Back office' })
    expect(renamed).toMatchObject({ data: { name: 'Back office', username: 'root' } })
    expect(await keptAt(place)).toHaveLength(1)
  })

  it('refuses a place of another customer, and doesn’t know of another partner’s', async () => {
    const place = freshPlace()
    const owner = await makeCustomer()
    const { body: mine } = await register({ customerId: owner, ...place })
    const refused = await register({ customerId: await makeCustomer(), ...place })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ code: 'instance_exists', field: 'host' })
    expect(refused.body.error).toContain(owner)

    const other = await makePartner(server.service)
    const theirs = await register({ customerId: await makeCustomer(other.partnerId), ...place }, other.key)
    expect(theirs.status).toBe(200)
    expect(stringAt(theirs.body, 'data', 'instanceId')).not.toBe(stringAt(mine, 'data', 'instanceId'))
  })

  it('makes one instance of a place that is registered twice at once', async () => {
    const customerId = await makeCustomer()
    const place = freshPlace()
    const answers = await Promise.all(Array.from({ length: 4 }, () => register({ customerId, ...place })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => stringAt(body, 'data', 'publicKey'))).size).toBe(1)
    expect(await keptAt(place)).toHaveLength(1)
  })

  // What isn’t about rows runs on one of the two.
  if (kind !== 'sqlite') return

  it('answers the host key that the server shows, and the public key to let us in by', async () => {
    const customerId = await makeCustomer()
    const { status, body } = await register({ customerId, ...freshPlace() })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      message: expect.stringContaining('authorized_keys'),
      data: {
        instanceId: expect.stringMatching(/^ins_/),
        customerId,
        name: sshd.host,
        username: 'root',
        status: 'registered',
        hostKey: sshd.hostKey,
        publicKey: expect.stringMatching(/^ssh-ed25519 [A-Za-z0-9+/=]+ mindgate-ins_\w+$/),
        agentName: null,
        model: null
      }
    })
  })

  it('seals the private key for that instance, and answers it to nobody', async () => {
    const customerId = await makeCustomer()
    const { body } = await register({ customerId, ...freshPlace() })
    const instanceId = stringAt(body, 'data', 'instanceId')
    const read = server.service.database.read
    const row = await getInstance(read, partner.partnerId, instanceId)
    expect(JSON.stringify(row)).not.toContain('PRIVATE KEY')
    expect(JSON.stringify(body)).not.toMatch(/private/i)

    const { secrets } = server.service
    expect(sshTarget(secrets, row)).toMatchObject({
      instanceId,
      host: sshd.host,
      port: sshd.port,
      username: 'root',
      hostKey: sshd.hostKey,
      privateKey: expect.stringContaining('-----BEGIN OPENSSH PRIVATE KEY-----')
    })
    const { body: other } = await register({ customerId, ...freshPlace() })
    const stranger = await getInstance(read, partner.partnerId, stringAt(other, 'data', 'instanceId'))
    expect(() => sshTarget(secrets, { ...row, privateKeySealed: stranger.privateKeySealed })).toThrow()
  })

  it('takes a host key that is given only if the server shows just that', async () => {
    const customerId = await makeCustomer()
    const place = freshPlace()
    const refused = await register({ customerId, ...place, hostKey: HOST_KEY })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ code: 'host_key_mismatch', field: 'hostKey' })
    expect(refused.body.error).toContain(sshd.hostKey)
    expect(await keptAt(place)).toEqual([])

    const taken = await register({ customerId, ...place, hostKey: sshd.hostKey })
    expect(taken.body).toMatchObject({ data: { hostKey: sshd.hostKey } })
  })

  it('pins another host key of a registered server only when it is given', async () => {
    const customerId = await makeCustomer()
    const place = freshPlace()
    const { body } = await register({ customerId, ...place })
    const instanceId = stringAt(body, 'data', 'instanceId')
    await server.service.database.transaction((tx) =>
      tx.updateTable('instance').set({ hostKey: HOST_KEY }).where('id', '=', instanceId).execute()
    )
    const refused = await register({ customerId, ...place })
    expect([refused.status, refused.body.code]).toEqual([400, 'host_key_mismatch'])
    expect(await keptAt(place)).toMatchObject([{ hostKey: HOST_KEY }])

    const pinned = await register({ customerId, ...place, hostKey: sshd.hostKey })
    expect(pinned.body).toMatchObject({ data: { instanceId, hostKey: sshd.hostKey } })
  })

  it('takes the short code of a customer, and refuses another partner’s customer with 404', async () => {
    const customerId = await makeCustomer()
    const got = await run(server.service, partner.partnerId, 'customer_get', { customerId })
    const { body } = await register({ customerId: stringAt(got, 'data', 'customerId'), ...freshPlace() })
    expect(body).toMatchObject({ data: { customerId } })

    const other = await makePartner(server.service)
    const place = freshPlace()
    // Not by its length: an earlier visitor may still be taking its leave.
    const visits = () => sshd.log().match(/Connection from/g)?.length ?? 0
    const before = visits()
    expect(before).toBeGreaterThan(0)
    const foreign = await register({ customerId: await makeCustomer(other.partnerId), ...place })
    expect([foreign.status, foreign.body.code]).toEqual([404, 'customer_not_found'])
    expect(await keptAt(place)).toEqual([])
    // Nobody was asked.
    expect(visits()).toBe(before)
  })

  it('says why a server can’t be reached, and keeps nothing', async () => {
    const place = { ...freshPlace(), port: 1 }
    const { status, body } = await register({ customerId: await makeCustomer(), ...place })
    expect([status, body.code, body.field]).toEqual([400, 'instance_unreachable', 'port'])
    expect(body.error).toContain('refuses connections')
    expect(await keptAt(place)).toEqual([])
  })

  it.each([
    ['speaks another SSH', 'SSH-1.5-old\r\n', 'no way to the server'],
    ['says nothing', '', 'did not answer in time']
  ])('blames the place for a server that %s, too', async (_, greeting, text) => {
    const rude = createServer((socket) => void socket.on('error', () => undefined).write(greeting))
    await new Promise<void>((resolve) => void rude.listen(0, '127.0.0.1', resolve))
    const hasty = await startTestServer(kind, { SSH_ALLOW_PRIVATE: '1', SSH_CONNECT_TIMEOUT_MS: '1000' })
    try {
      const { port } = rude.address() as AddressInfo
      const created = await run(hasty.service, hasty.partner.partnerId, 'customer_create', {
        email: uniqueEmail()
      })
      const answer = await hasty.api('POST', '/instances', {
        key: hasty.partner.key,
        body: { customerId: stringAt(created, 'data', 'id'), host: '127.0.0.1', port }
      })
      expect([answer.status, answer.body.code, answer.body.field]).toEqual([
        400,
        'instance_unreachable',
        'host'
      ])
      expect(answer.body.error).toContain(text)
    } finally {
      await hasty.close()
      rude.close()
    }
  })

  it('registers a server that isn’t up yet by the host key that it will have', async () => {
    const place = { ...freshPlace(), port: 1 }
    const { status, body } = await register({
      customerId: await makeCustomer(),
      ...place,
      hostKey: HOST_KEY
    })
    expect(status).toBe(200)
    expect(body.message).toContain('could not be reached yet')
    expect(body).toMatchObject({ data: { hostKey: HOST_KEY } })
  })

  it('answers the same again under one Idempotency-Key', async () => {
    const request = {
      key: partner.key,
      body: { customerId: await makeCustomer(), ...freshPlace() },
      headers: { 'Idempotency-Key': unique('key') }
    }
    const first = await server.api('POST', '/instances', request)
    const again = await server.api('POST', '/instances', request)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
  })

  it('notes who registered what', async () => {
    const { body } = await register({ customerId: await makeCustomer(), ...freshPlace() })
    const targetId = stringAt(body, 'data', 'instanceId')
    const acts = await server.service.database.read
      .selectFrom('audit')
      .where('targetId', '=', targetId)
      .select(['action', 'actor', 'targetType'])
      .execute()
    expect(acts).toEqual([{ action: 'instance_register', actor: partner.keyId, targetType: 'instance' }])
  })
})

describe('addresses that only this network reaches', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('sqlite', { SSH_ALLOW_PRIVATE: '0' })
  })
  afterAll(() => server.close())

  it.each(['127.0.0.1', '10.0.0.8', '169.254.169.254', '::1', 'localhost'])(
    'are refused unless they are allowed: %s',
    async (host) => {
      const { partner, service } = server
      const customer = await run(service, partner.partnerId, 'customer_create', { email: uniqueEmail() })
      const body = { customerId: stringAt(customer, 'data', 'id'), host, port: sshd.port }
      for (const hostKey of [undefined, sshd.hostKey]) {
        const answer = await server.api('POST', '/instances', {
          key: partner.key,
          body: { ...body, hostKey }
        })
        expect([answer.status, answer.body.code, answer.body.field]).toEqual([400, 'invalid_input', 'host'])
      }
      expect(await service.database.read.selectFrom('instance').selectAll().execute()).toEqual([])
    }
  )
})
