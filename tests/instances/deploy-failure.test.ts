// Deploys that don't get through, or only after a while: what they leave behind, and what they say.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appPaths } from '../../src/catalog/paths.ts'
import { revokeStaleKeys } from '../../src/instances/deploy/keys.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import { BOT_TOKEN } from '../catalog/deploying.ts'
import { enterConsole } from '../portal/console-visitor.ts'
import { setFaults, standInInstall } from '../support/agent/stand-in.ts'
import { at, makePartner } from '../support/fixture.ts'
import { HOOKS_ENV, hook } from '../webhooks/hooks.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { agentKey, type DeployFixture, hasMarker, rowsOf, startDeployFixture } from './deploy-fixture.ts'

/** Everything that is on the server below the instance's root. */
const everything = ({ root }: InstanceRow): string =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

const homeOf = ({ root }: InstanceRow) => appPaths(root).home

describe('an install command that fails', () => {
  let fixture: DeployFixture
  beforeAll(async () => {
    // The file decides: the same service installs well once it is there.
    fixture = await startDeployFixture('sqlite', {
      env: {
        ...HOOKS_ENV,
        CLI_AGENT_INSTALL: `[ -e "$HOME/../online" ] || { echo "curl: (6) Could not resolve host" >&2; exit 6; }; ${standInInstall}`
      }
    })
  })
  afterAll(() => fixture.close())

  it('fails the deploy with its last lines, takes key, token and secrets back, and a later one gets through', async () => {
    const { service } = fixture.server
    const receiver = await startReceiver()
    await hook(service, fixture.partnerId, receiver, { types: ['deploy.failed', 'deploy.succeeded'] })
    const instance = await fixture.instance()
    await fixture.deploy(instance)
    const progress = await fixture.ended(instance)
    expect(progress).toMatchObject({ status: 'failed:cli-agent', state: 'failed' })
    expect(progress.message).toMatch(/Could not resolve host.*deploy again/is)
    const failed = Array.from(Object(progress.steps)).find((step) => at(step, 'state') === 'failed')
    expect(at(failed, 'title')).toBe('Install the agent')

    const { liveKeys, liveTokens } = await rowsOf(fixture.server.service, instance)
    expect([liveKeys, liveTokens]).toEqual([[], []])
    expect(everything(instance)).not.toMatch(/sk-|mct_/)
    expect(hasMarker(instance)).toBe(false)

    const console = await enterConsole(fixture.server, fixture.server.partner)
    const failure = /Deploy failed The last deploy failed at “Install the agent”, now/
    const shown = ['/instances', '/instances?trouble=failedAt', `/customers/${instance.customerId}`]
    for (const page of [...shown, `/instances/${instance.id}`])
      expect((await console.get(page)).text).toMatch(failure)
    const matter = `The last deploy on ${instance.name} failed at “Install the agent” Deploy failed now`
    expect((await console.get('')).text).toContain(matter)
    const others = await enterConsole(fixture.server, await makePartner(fixture.server.service))
    for (const page of ['', '/instances?trouble=failedAt'])
      expect((await others.get(page)).text).not.toContain('Install the agent')

    // The next deploy isn’t kept from getting through, and needs no confirmation.
    writeFileSync(join(instance.root, 'online'), '')
    expect((await fixture.deploy(instance)).status).toBe(202)
    expect(await fixture.ended(instance)).toMatchObject({ status: 'cli-agent', state: 'succeeded' })
    expect((await rowsOf(fixture.server.service, instance)).liveKeys).toHaveLength(1)
    for (const page of ['', ...shown, `/instances/${instance.id}`])
      expect((await console.get(page)).text).not.toContain('at “Install the agent”')

    await service.webhooks.drain()
    const deploy = {
      customerId: instance.customerId,
      instanceId: instance.id,
      deployId: expect.stringMatching(/^dep_/)
    }
    const told = receiver.taken.map(({ type, data }) => ({ type, data }))
    expect(told).toEqual(['deploy.failed', 'deploy.succeeded'].map((type) => ({ type, data: deploy })))
    await receiver.close()
  })
})

describe('an agent that runs', () => {
  let fixture: DeployFixture
  let instance: InstanceRow
  beforeAll(async () => {
    fixture = await startDeployFixture('sqlite')
    instance = await fixture.instance()
    await fixture.deploy(instance)
    await fixture.ended(instance)
  })
  afterAll(() => fixture.close())

  it('stays what it was when the server can’t be reached for a reinstall', async () => {
    const { service } = fixture.server
    service.ssh.end(instance.id)
    const leadTo = (port: number) =>
      service.database.transaction((tx) =>
        tx.updateTable('instance').set({ port }).where('id', '=', instance.id).execute()
      )
    await leadTo(1)

    await fixture.deploy(instance, { businessName: 'Luna', confirmReinstall: true })
    const progress = await fixture.ended(instance)
    expect(progress).toMatchObject({ status: 'cli-agent', state: 'failed' })
    expect(progress.message).toMatch(/refuses connections.*It was tried for/s)
    const console = await enterConsole(fixture.server, fixture.server.partner)
    expect((await console.get('/instances')).text).toMatch(
      /Not checked yet The last deploy failed at “Connect to the server”, now/
    )
    const { liveKeys, instance: row } = await rowsOf(service, instance)
    expect([liveKeys.length, row.agentName]).toEqual([1, 'Clínica Sol'])
    await leadTo(instance.port)
  })

  it('keeps its key and goes on when a reinstall fails on the server', async () => {
    const before = agentKey(instance)
    setFaults(homeOf(instance), 'version 0.14.9')

    await fixture.deploy(instance, { businessName: 'Luna', confirmReinstall: true })
    const progress = await fixture.ended(instance)
    expect(progress).toMatchObject({ status: 'failed:cli-agent', state: 'failed' })
    expect(progress.message).toMatch(/0\.14\.9.*0\.15\.1/s)
    expect(agentKey(instance)).toBe(before)
    expect(hasMarker(instance)).toBe(true)
    const { database, aiKeys } = fixture.server.service
    await revokeStaleKeys(database, aiKeys)
    const { liveKeys, liveTokens } = await rowsOf(fixture.server.service, instance)
    expect([liveKeys.length, liveTokens.length]).toEqual([1, 1])
  })
})

describe('a server that doesn’t let us in', () => {
  let fixture: DeployFixture
  beforeAll(async () => {
    fixture = await startDeployFixture('sqlite')
  })
  afterAll(() => fixture.close())

  it('fails the deploy at once, before any key is made, and forgets the bot’s token', async () => {
    const instance = await fixture.instance({ hostKey: `SHA256:${'B'.repeat(43)}` })
    const telegram = { telegramBotToken: BOT_TOKEN, telegramChatId: '7' }
    await fixture.deploy(instance, { businessName: 'Sol', ...telegram })
    const progress = await fixture.ended(instance)
    expect(progress).toMatchObject({ status: 'failed:cli-agent', state: 'failed' })
    expect(progress.message).toMatch(/another host key/)
    expect(at(progress, 'steps', 0)).toMatchObject({ state: 'failed', detail: progress.message })
    expect((await rowsOf(fixture.server.service, instance)).deploy).toMatchObject({
      attempt: 0,
      keyAlias: null,
      tokenId: null,
      sealedTelegram: null
    })
  })

  it('is told apart from one where nothing can be written', async () => {
    const instance = await fixture.instance({ root: '/proc/nowhere' })
    await fixture.deploy(instance)
    const progress = await fixture.ended(instance)
    expect(progress.message).toMatch(/can’t write to \/proc\/nowhere/)
    expect((await rowsOf(fixture.server.service, instance)).liveKeys).toEqual([])
  })
})
