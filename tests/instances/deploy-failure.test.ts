// Deploys that don't get through, or only after a while: what they leave behind, and what they say.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appPaths } from '../../src/catalog/cli-agent/paths.ts'
import { revokeStaleKeys } from '../../src/instances/deploy/keys.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import { BOT_TOKEN } from '../catalog/deploying.ts'
import { setFaults, standInInstall } from '../support/agent/stand-in.ts'
import { at } from '../support/world.ts'
import { agentKey, type DeployGround, hasMarker, rowsOf, startDeployGround } from './deploy-ground.ts'

/** Everything that is on the server below the instance's root. */
const everything = ({ root }: InstanceRow): string =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

const homeOf = ({ root }: InstanceRow) => appPaths(root).home

describe('an install command that fails', () => {
  let ground: DeployGround
  beforeAll(async () => {
    // The file decides: the same service installs well once it is there.
    ground = await startDeployGround('sqlite', {
      env: {
        CLI_AGENT_INSTALL: `[ -e "$HOME/../online" ] || { echo "curl: (6) Could not resolve host" >&2; exit 6; }; ${standInInstall}`
      }
    })
  })
  afterAll(() => ground.close())

  it('fails the deploy with its last lines, takes key, token and secrets back, and a later one gets through', async () => {
    const instance = await ground.instance()
    await ground.deploy(instance)
    const progress = await ground.ended(instance)
    expect(progress).toMatchObject({ status: 'failed:cli-agent', state: 'failed' })
    expect(progress.message).toMatch(/Could not resolve host.*deploy again/is)
    const failed = Array.from(Object(progress.steps)).find((step) => at(step, 'state') === 'failed')
    expect(at(failed, 'title')).toBe('Install the agent')

    const { liveKeys, liveTokens } = await rowsOf(ground.server.service, instance)
    expect([liveKeys, liveTokens]).toEqual([[], []])
    expect(everything(instance)).not.toMatch(/sk-|mct_/)
    expect(hasMarker(instance)).toBe(false)

    // The next deploy isn’t kept from getting through, and needs no confirmation.
    writeFileSync(join(instance.root, 'online'), '')
    expect((await ground.deploy(instance)).status).toBe(202)
    expect(await ground.ended(instance)).toMatchObject({ status: 'cli-agent', state: 'succeeded' })
    expect((await rowsOf(ground.server.service, instance)).liveKeys).toHaveLength(1)
  })
})

describe('an agent that runs', () => {
  let ground: DeployGround
  let instance: InstanceRow
  beforeAll(async () => {
    ground = await startDeployGround('sqlite')
    instance = await ground.instance()
    await ground.deploy(instance)
    await ground.ended(instance)
  })
  afterAll(() => ground.close())

  it('stays what it was when the server can’t be reached for a reinstall', async () => {
    const { service } = ground.server
    service.ssh.end(instance.id)
    const leadTo = (port: number) =>
      service.database.transaction((tx) =>
        tx.updateTable('instance').set({ port }).where('id', '=', instance.id).execute()
      )
    await leadTo(1)

    await ground.deploy(instance, { businessName: 'Luna', confirmReinstall: true })
    const progress = await ground.ended(instance)
    expect(progress).toMatchObject({ status: 'cli-agent', state: 'failed' })
    expect(progress.message).toMatch(/refuses connections.*It was tried for/s)
    const { liveKeys, instance: row } = await rowsOf(service, instance)
    expect([liveKeys.length, row.agentName]).toEqual([1, 'Clínica Sol'])
    await leadTo(instance.port)
  })

  it('keeps its key and goes on when a reinstall fails on the server', async () => {
    const before = agentKey(instance)
    setFaults(homeOf(instance), 'version 0.14.9')

    await ground.deploy(instance, { businessName: 'Luna', confirmReinstall: true })
    const progress = await ground.ended(instance)
    expect(progress).toMatchObject({ status: 'failed:cli-agent', state: 'failed' })
    expect(progress.message).toMatch(/0\.14\.9.*0\.15\.1/s)
    expect(agentKey(instance)).toBe(before)
    expect(hasMarker(instance)).toBe(true)
    const { database, aiKeys } = ground.server.service
    await revokeStaleKeys(database, aiKeys)
    const { liveKeys, liveTokens } = await rowsOf(ground.server.service, instance)
    expect([liveKeys.length, liveTokens.length]).toEqual([1, 1])
  })
})

describe('a server that doesn’t let us in', () => {
  let ground: DeployGround
  beforeAll(async () => {
    ground = await startDeployGround('sqlite')
  })
  afterAll(() => ground.close())

  it('fails the deploy at once, before any key is made, and forgets the bot’s token', async () => {
    const instance = await ground.instance({ hostKey: `SHA256:${'B'.repeat(43)}` })
    const telegram = { telegramBotToken: BOT_TOKEN, telegramChatId: '7' }
    await ground.deploy(instance, { businessName: 'Sol', ...telegram })
    const progress = await ground.ended(instance)
    expect(progress).toMatchObject({ status: 'failed:cli-agent', state: 'failed' })
    expect(progress.message).toMatch(/another host key/)
    expect(at(progress, 'steps', 0)).toMatchObject({ state: 'failed', detail: progress.message })
    expect((await rowsOf(ground.server.service, instance)).deploy).toMatchObject({
      attempt: 0,
      keyAlias: null,
      tokenId: null,
      sealedTelegram: null
    })
  })

  it('is told apart from one where nothing can be written', async () => {
    const instance = await ground.instance({ root: '/proc/nowhere' })
    await ground.deploy(instance)
    const progress = await ground.ended(instance)
    expect(progress.message).toMatch(/can’t write to \/proc\/nowhere/)
    expect((await rowsOf(ground.server.service, instance)).liveKeys).toEqual([])
  })
})
