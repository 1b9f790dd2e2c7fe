// A server has one owner: another customer's state is out of the way before anything runs, and nobody chats with it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readyScript } from '../../src/catalog/chat.ts'
import { appPaths } from '../../src/catalog/paths.ts'
import { type InstanceRow, sshTarget } from '../../src/instances/store.ts'
import { DEPLOY_WAIT } from '../support/deploys.ts'
import { makePartner, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { HOST_KEY } from '../support/instances.ts'
import { agentFile, type DeployFixture, hasMarker, makeServer, startDeployFixture } from './deploy-fixture.ts'

let fixture: DeployFixture
beforeAll(async () => {
  fixture = await startDeployFixture('sqlite')
})
afterAll(() => fixture.close())

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** What another customer's agent left where this one goes. */
function leaveBehind({ root }: InstanceRow, owner: string | undefined) {
  const paths = appPaths(root)
  if (owner !== undefined) write(`${paths.stateDir}/instance`, `${owner}\n`)
  write(paths.marker, 'dep_stranger-1\n')
  write(join(paths.deployDir, 'dep_stranger-1/log'), 'A stranger’s log\n')
  write(join(paths.threadDir, 'ins_stranger'), 'thread-1 1\n')
  write(
    join(paths.home, '.hermes/config.yaml'),
    '# Written by deploy dep_stranger-1\nmodel:\n  api_key: "sk-stranger"\n'
  )
  write(join(paths.home, '.hermes/sessions/secret.json'), '{"id":"secret","order":1,"messages":[],"soul":""}')
}

const everyFile = ({ root }: InstanceRow) => readdirSync(root, { recursive: true, encoding: 'utf8' })
const isReady = async (instance: InstanceRow) => {
  const { ssh, secrets } = fixture.server.service
  const script = readyScript(appPaths(instance.root), { instance: instance.id })
  return (await ssh.run(sshTarget(secrets, instance), { script, timeoutMs: 20_000 })).exitCode === 0
}

describe('a deploy where another customer’s agent was', () => {
  it.each([
    ['that is named there', 'ins_stranger cus_stranger'],
    ['of an earlier release, which named nobody', undefined]
  ])('sets aside what is left of one %s, without its keys', async (_, owner) => {
    const instance = await fixture.instance()
    leaveBehind(instance, owner)
    await fixture.deploy(instance)
    const progress = await fixture.ended(instance)
    expect(progress).toMatchObject({ status: 'cli-agent', log: expect.stringContaining('set aside') })
    expect(agentFile(instance, 'sessions/secret.json')).toBeUndefined()
    const files = everyFile(instance)
    expect(files.filter((file) => file.endsWith('sessions/secret.json'))).toEqual([
      expect.stringMatching(/\.hermes\.former-/)
    ])
    expect(files.some((file) => /former\/\w+\/threads\/ins_stranger$/.test(file))).toBe(true)
    expect(files.some((file) => file.includes('.former-') && file.endsWith('config.yaml'))).toBe(false)
    const { stateDir } = appPaths(instance.root)
    expect(readFileSync(`${stateDir}/instance`, 'utf8')).toBe(`${instance.id} ${instance.customerId}\n`)
    expect(existsSync(`${stateDir}/threads`)).toBe(false)
  })

  it('finds nobody on a fresh server, and keeps a configuration of its owner’s', async () => {
    const instance = await fixture.instance()
    const home = appPaths(instance.root).home
    write(join(home, '.hermes/config.yaml'), 'model:\n  default: own\n')
    write(join(home, '.hermes/.env'), 'OWN=1\n')
    await fixture.deploy(instance, { businessName: 'Sol', wipeFormer: true })
    const { log } = await fixture.ended(instance)
    expect(log).not.toMatch(/set aside|is deleted/)
    expect(agentFile(instance, 'config.yaml.before-deploy')).toBe('model:\n  default: own\n')
    expect(agentFile(instance, '.env')).toBe('OWN=1\n')
    expect(everyFile(instance).filter((file) => file.includes('former'))).toEqual([])
  })

  it('is the only thing that a removal may wipe: nothing where none ever got through', async () => {
    const instance = await fixture.instance()
    leaveBehind(instance, undefined)
    const { key } = fixture.server.partner
    const path = `/instances/${instance.id}?onServer=wipe`
    expect(await fixture.server.api('DELETE', path, { key })).toMatchObject({
      status: 400,
      body: { code: 'instance_unreachable' }
    })
    expect(agentFile(instance, 'sessions/secret.json')).toBeDefined()
  })

  it('deletes it where that is chosen', async () => {
    const instance = await fixture.instance()
    leaveBehind(instance, 'ins_stranger cus_stranger')
    await fixture.deploy(instance, { businessName: 'Sol', wipeFormer: true })
    expect(await fixture.ended(instance)).toMatchObject({ status: 'cli-agent' })
    expect(everyFile(instance).filter((file) => /stranger|secret|former/.test(file))).toEqual([])
  })

  it('isn’t answered before that by the agent that is there', async () => {
    const instance = await fixture.instance({ status: 'failed:cli-agent' })
    leaveBehind(instance, 'ins_stranger cus_stranger')
    expect(await isReady(instance)).toBe(false)
    write(`${appPaths(instance.root).stateDir}/instance`, '')
    const { body } = await fixture.server.api('POST', `/instances/${instance.id}/test`, {
      key: fixture.server.partner.key
    })
    expect(body).toMatchObject({ reachable: true, agentReady: false })
  })

  it('takes it from whoever had it: that one’s agent is deployed there no more', async () => {
    const former = await fixture.instance()
    await fixture.deploy(former)
    expect(await fixture.ended(former)).toMatchObject({ status: 'cli-agent' })
    expect(await isReady(former)).toBe(true)
    const other = await makePartner(fixture.server.service)
    const { service } = fixture.server
    const { partnerId } = other
    await service.database.transaction((tx) =>
      tx.updateTable('partner').set({ models: '["gpt-5-mini"]' }).where('id', '=', partnerId).execute()
    )
    const taker = await makeServer(service, partnerId, fixture.sshd, { root: former.root })
    const path = `/instances/${taker.id}/cli-agent/deploy`
    await fixture.server.api('POST', path, { key: other.key, body: { businessName: 'Luna' } })
    await expect
      .poll(
        async () => Object((await fixture.server.api('GET', path, { key: other.key })).body.data).state,
        DEPLOY_WAIT
      )
      .toBe('succeeded')
    expect([await isReady(former), await isReady(taker)]).toEqual([false, true])
    expect(agentFile(taker, 'SOUL.md')).toContain('Luna')
  })

  it('goes on with what is the same customer’s, by whichever name the server is registered', async () => {
    const former = await fixture.instance()
    await fixture.deploy(former)
    await fixture.ended(former)
    const again = await fixture.instance({
      root: former.root,
      customerId: former.customerId,
      host: 'localhost'
    })
    write(
      join(appPaths(former.root).home, '.hermes/sessions/own.json'),
      '{"id":"own","order":1,"messages":[],"soul":""}'
    )
    await fixture.deploy(again)
    expect(await fixture.ended(again)).toMatchObject({ status: 'cli-agent' })
    expect(agentFile(again, 'sessions/own.json')).toBeDefined()
    expect([await isReady(former), await isReady(again)]).toEqual([false, true])
  })

  it('doesn’t hand the home that a removal has kept to the next customer', async () => {
    const former = await fixture.instance()
    const home = appPaths(former.root).home
    await fixture.deploy(former)
    await fixture.ended(former)
    write(join(home, '.hermes/sessions/secret.json'), '{"id":"secret","order":1,"messages":[],"soul":""}')
    const { key } = fixture.server.partner
    const path = `/instances/${former.id}?onServer=keep`
    expect((await fixture.server.api('DELETE', path, { key })).status).toBe(200)
    expect(agentFile(former, 'sessions/secret.json')).toBeDefined()
    const next = await fixture.instance({ root: former.root })
    await fixture.deploy(next)
    expect(await fixture.ended(next)).toMatchObject({ status: 'cli-agent' })
    expect(agentFile(next, 'sessions/secret.json')).toBeUndefined()
  })

  it('is refused where that is another customer of the same partner, and changes nothing', async () => {
    const owner = await fixture.instance()
    await fixture.deploy(owner)
    await fixture.ended(owner)
    const second = await fixture.instance({ root: owner.root, host: 'localhost' })
    await fixture.deploy(second)
    const progress = await fixture.ended(second)
    expect(progress).toMatchObject({ state: 'failed', message: expect.stringContaining(owner.customerId) })
    expect([await isReady(owner), hasMarker(owner)]).toEqual([true, true])
  })

  it.each([
    ['is free again once that agent lives on another machine', { hostKey: HOST_KEY }, 'succeeded'],
    ['is refused still where only the machine id is another one by now', {}, 'failed']
  ])('%s', async (_, signs, state) => {
    const owner = await fixture.instance()
    await fixture.deploy(owner)
    await fixture.ended(owner)
    const elsewhere = { machineId: 'another', ...signs }
    await fixture.server.service.database.transaction((tx) =>
      tx.updateTable('instance').set(elsewhere).where('id', '=', owner.id).execute()
    )
    const second = await fixture.instance({ root: owner.root, host: 'localhost' })
    await fixture.deploy(second)
    expect(await fixture.ended(second)).toMatchObject({ state })
    expect(await isReady(owner)).toBe(state === 'failed')
  })
})

describe('a server that is registered by another name', () => {
  it('is refused to another customer by its host key, with the reason', async () => {
    const owner = await fixture.instance()
    const { service, partner, api } = { ...fixture.server, api: fixture.server.api }
    const other = stringAt(
      await run(service, partner.partnerId, 'customer_create', { email: uniqueEmail() }),
      'data',
      'id'
    )
    const { port } = fixture.sshd
    const place = { host: 'localhost', port, root: owner.root }
    const refused = await api('POST', '/instances', {
      key: partner.key,
      body: { customerId: other, ...place }
    })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ code: 'instance_exists', field: 'host' })
    expect(refused.body.error).toContain(owner.customerId)
    const own = await api('POST', '/instances', {
      key: partner.key,
      body: { customerId: owner.customerId, ...place }
    })
    expect(own.status).toBe(200)
    const stranger = await makePartner(service)
    const theirs = stringAt(
      await run(service, stranger.partnerId, 'customer_create', { email: uniqueEmail() }),
      'data',
      'id'
    )
    const taken = await api('POST', '/instances', {
      key: stranger.key,
      body: { customerId: theirs, ...place }
    })
    expect(taken.status).toBe(200)
    expect(JSON.stringify(taken.body)).not.toContain(owner.customerId)
  })
})
