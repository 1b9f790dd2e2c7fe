// An instance that goes on at another server: its ids, its key, its conversation, and what its agent knows.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { appPaths } from '../../src/catalog/paths.ts'
import { newId } from '../../src/ids.ts'
import { findInstance } from '../../src/instances/store.ts'
import { standInInstall } from '../support/agent/stand-in.ts'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { mindgate } from '../support/cli.ts'
import { entitle } from '../support/deploys.ts'
import { makePartner, run, uniqueEmail } from '../support/fixture.ts'
import { HOST_KEY, makeInstance } from '../support/instances.ts'
import { hermes, startBackupFixture } from './backup-fixture.ts'
import { PATIENT, type Sandbox } from './chat-fixture.ts'

let upstream: Upstream
let fixture: Awaited<ReturnType<typeof startBackupFixture>>
beforeAll(async () => {
  upstream = await startUpstream()
  fixture = await startBackupFixture({
    CLI_AGENT_INSTALL: standInInstall,
    AI_UPSTREAM_URL: upstream.url,
    AI_UPSTREAM_KEY: UPSTREAM_KEY
  })
  await entitle(fixture.server.service, fixture.server.partner.partnerId)
})
afterAll(async () => {
  await fixture.close()
  await upstream.close()
})

const register = ({ instance }: Sandbox, body: Record<string, unknown>) =>
  fixture.server.api('POST', '/instances', {
    key: fixture.server.partner.key,
    body: { customerId: instance.customerId, ...body }
  })
/** Another place on the sandboxes' machine. */
const elsewhere = () => {
  const { host, port, username, hostKey } = fixture.sshd
  return { host, port, username, hostKey, root: join(fixture.sshd.root, newId('box')) }
}
const rowOf = ({ instance }: Sandbox) =>
  findInstance(fixture.server.service.database.read, instance.partnerId, instance.id)

it('takes its conversation and what it knows along', PATIENT, async () => {
  const box = await fixture.sandbox()
  const { sessionId } = Object((await box.chat.send('The code word is plover.')).body)
  mkdirSync(hermes(box, 'memories'))
  writeFileSync(hermes(box, 'memories/MEMORY.md'), 'plover\n')
  const archive = await fixture.backedUp(box)

  const place = elsewhere()
  const { status, body } = await register(box, { ...place, replaces: box.instance.id })
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      message: expect.stringContaining('moves to this server'),
      data: expect.objectContaining({
        ...place,
        ...{ instanceId: box.instance.id, publicKey: box.instance.publicKey },
        ...{ status: 'registered', agentName: null, model: null }
      })
    })
  ])
  expect(await box.chat.send('Are you there?')).toMatchObject({ status: 409 })
  expect(await fixture.restored(box, archive)).toMatchObject({ body: { code: 'agent_not_deployed' } })

  const { key } = fixture.server.partner
  const deploy = `/instances/${box.instance.id}/cli-agent/deploy`
  await fixture.server.api('POST', deploy, { key, body: { businessName: 'Clínica Sol' } })
  await vi.waitFor(
    async () => {
      const { data } = (await fixture.server.api('GET', deploy, { key })).body
      expect(data).toMatchObject({ state: 'succeeded' })
    },
    { timeout: 120_000, interval: 500 }
  )
  expect(await fixture.restored(box, archive)).toMatchObject({ status: 200 })
  const home = join(appPaths(place.root).home, '.hermes')
  expect(readFileSync(join(home, 'memories/MEMORY.md'), 'utf8')).toBe('plover\n')
  expect(readFileSync(join(home, 'SOUL.md'), 'utf8')).toContain('Clínica Sol')
  expect(Object((await box.chat.send('Which word was it?')).body).sessionId).toBe(sessionId)
  const { exchanges } = await box.chat.history()
  expect(exchanges.map(({ message }) => message)).toEqual(
    expect.arrayContaining(['The code word is plover.', 'Which word was it?'])
  )
  expect(existsSync(box.paths.marker)).toBe(true)
})

describe('is refused', PATIENT, () => {
  it('for another customer’s or partner’s instance as for none', async () => {
    const { service, partner } = fixture.server
    const [box, other] = [await fixture.sandbox(), await fixture.sandbox()]
    const stranger = await makePartner(service)
    const customer = await run(service, stranger.partnerId, 'customer_create', { email: uniqueEmail() })
    const theirs = await makeInstance(service, stranger.partnerId, Object(customer.data).id)
    for (const replaces of [other.instance.id, theirs.id, 'ins_none'])
      expect(await register(box, { ...elsewhere(), root: '/srv/x', replaces })).toMatchObject({
        status: 404,
        body: { code: 'instance_not_found' }
      })
    expect((await rowOf(other))?.root).toBe(other.instance.root)
    expect(await findInstance(service.database.read, partner.partnerId, theirs.id)).toBeUndefined()
  })

  it('where the place is another instance’s, and while a deploy is under way', async () => {
    const { service, partner } = fixture.server
    const box = await fixture.sandbox()
    const { host, port, root, id } = await makeInstance(service, partner.partnerId, box.instance.customerId)
    const taken = { host, port, root, hostKey: HOST_KEY, replaces: box.instance.id }
    expect(await register(box, taken)).toMatchObject({
      status: 400,
      body: { code: 'instance_exists', error: expect.stringContaining(id) }
    })
    await service.database.transaction((tx) =>
      tx
        .updateTable('instance')
        .set({ status: 'deploying:cli-agent' })
        .where('id', '=', box.instance.id)
        .execute()
    )
    expect(await register(box, { ...elsewhere(), replaces: box.instance.id })).toMatchObject({
      status: 409,
      body: { code: 'deploy_in_progress' }
    })
    expect(await rowOf(box)).toMatchObject({ root: box.instance.root, status: 'deploying:cli-agent' })
  })
})

it('is a plain registration where it is already, and goes through the command line', PATIENT, async () => {
  const box = await fixture.sandbox()
  const { host, port, username, root, customerId, id } = box.instance
  const again = { host, port, username, root, replaces: id }
  expect(await register(box, again)).toMatchObject({
    status: 200,
    body: { message: expect.stringContaining('registered before'), data: { status: 'cli-agent' } }
  })
  const place = elsewhere()
  const { code } = await mindgate(fixture.server.env, [
    ...['instance', 'add', '--customer', customerId, '--host', host, '--port', String(port)],
    ...['--user', username, '--root', place.root, '--replaces', id]
  ])
  expect([code, await rowOf(box)]).toEqual([
    0,
    expect.objectContaining({ root: place.root, status: 'registered' })
  ])
})
