// Deploys of the CLI agent (§4C) over real OpenSSH, from the call to the agent that answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appPaths } from '../../src/catalog/paths.ts'
import { changeInstanceStatus, type InstanceRow } from '../../src/instances/store.ts'
import { giveInit } from '../support/agent/stand-in.ts'
import { databases } from '../support/databases.ts'
import { entitle } from '../support/deploys.ts'
import { at } from '../support/fixture.ts'
import type { Answer } from '../support/http.ts'
import {
  agentFile,
  agentKey,
  type DeployFixture,
  hasMarker,
  rowsOf,
  startDeployFixture
} from './deploy-fixture.ts'

const BOT_TOKEN = '123456789:AAExampleExampleExampleExampleExampl'

describe('a deploy', () => {
  let fixture: DeployFixture
  /** Where one got through, with everything that can be asked for. */
  let deployed: InstanceRow
  let accepted: Answer
  let progress: Record<string, unknown>

  beforeAll(async () => {
    fixture = await startDeployFixture('sqlite', { env: { AI_CONTEXT_TOKENS: 'model-a=64000' } })
    deployed = await fixture.instance()
    giveInit({ root: deployed.root, home: appPaths(deployed.root).home })
    accepted = await fixture.deploy(deployed, {
      businessName: 'Clínica Sol',
      telegramBotToken: BOT_TOKEN,
      telegramChatId: '-1001234'
    })
    progress = await fixture.ended(deployed)
  })
  afterAll(() => fixture.close())

  it('is accepted at once with 202', () => {
    expect([accepted.status, accepted.body]).toEqual([
      202,
      {
        success: true,
        message: 'The deploy on Front desk has begun.',
        data: { deployId: expect.stringMatching(/^dep_/), status: 'deploying:cli-agent' }
      }
    ])
  })

  it('tells its steps and its log, and ends in cli-agent with the marker written and the agent looked at', async () => {
    expect(progress).toMatchObject({ status: 'cli-agent', state: 'succeeded', message: '' })
    expect(new Set(Array.from(Object(progress.steps), (step) => at(step, 'state')))).toEqual(
      new Set(['done', 'skipped'])
    )
    expect(progress.log).not.toBe('')
    expect(hasMarker(deployed)).toBe(true)
    const { instance } = await rowsOf(fixture.server.service, deployed)
    expect(instance.checkedAt).not.toBeNull()
  })

  it('gives the agent the settings of §4C, a persona, and the memory tools', () => {
    const config = agentFile(deployed, 'config.yaml')
    expect(config).toContain('provider: custom')
    expect(config).toContain(`base_url: "${fixture.server.url}/ai/v1"`)
    expect(config).toContain('default: "auto"')
    expect(config).toContain(`${fixture.server.url}/api/mcp`)
    expect(agentFile(deployed, 'SOUL.md')).toContain('Clínica Sol')
    // The smoke test has spoken through the gateway.
    expect(fixture.upstream.requests.some(({ path }) => path.endsWith('/chat/completions'))).toBe(true)
    // Without a word of ours it would believe 256,000.
    expect(agentFile(deployed, 'logs/agent.log')).toContain('window of 64000 tokens')
  })

  it('leaves one key and one token alive, and keeps neither', async () => {
    const rows = await rowsOf(fixture.server.service, deployed)
    expect(rows.liveKeys).toEqual([{ alias: rows.deploy?.keyAlias }])
    expect(rows.liveTokens).toEqual([{ id: rows.deploy?.tokenId }])
    expect(rows.instance).toMatchObject({ status: 'cli-agent', agentName: 'Clínica Sol', model: 'auto' })
    expect(agentKey(deployed)).toMatch(/^sk-/)
    expect(JSON.stringify(rows)).not.toContain(agentKey(deployed))
  })

  it('wires Telegram and forgets the bot token here', async () => {
    expect(agentFile(deployed, '.env')).toContain(BOT_TOKEN)
    expect(agentFile(deployed, '.env')).toContain('-1001234')
    const { deploy } = await rowsOf(fixture.server.service, deployed)
    expect(deploy?.sealedTelegram).toBeNull()
    expect(JSON.stringify([deploy, fixture.server.logs])).not.toContain(BOT_TOKEN)
  })

  it('is in the audit log', async () => {
    const { body } = await fixture.server.api('GET', `/audit?targetId=${deployed.id}`, {
      key: fixture.server.partner.key
    })
    expect(body.data).toEqual([
      expect.objectContaining({ action: 'instance_deploy', fields: ['businessName', 'telegram'] })
    ])
  })

  it('is repeated by an Idempotency-Key without being begun again', async () => {
    const instance = await fixture.instance({ port: 1 })
    const send = () =>
      fixture.server.api('POST', `/instances/${instance.id}/cli-agent/deploy`, {
        key: fixture.server.partner.key,
        body: { businessName: 'Sol' },
        headers: { 'Idempotency-Key': `once-${instance.id}` }
      })
    const first = await send()
    const again = await send()
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it('reinstalls only when that is confirmed, keeps the history, and replaces key and token', async () => {
    const instance = deployed
    const before = agentKey(instance)

    expect(await fixture.deploy(instance)).toMatchObject({
      status: 409,
      body: { code: 'reinstall_not_confirmed', field: 'confirmReinstall' }
    })
    const confirmed = await fixture.deploy(instance, { businessName: 'Luna', confirmReinstall: true })
    expect(confirmed.status).toBe(202)
    expect(await fixture.ended(instance)).toMatchObject({ state: 'succeeded', status: 'cli-agent' })

    expect(agentKey(instance)).not.toBe(before)
    const rows = await rowsOf(fixture.server.service, instance)
    expect(rows.instance.agentName).toBe('Luna')
    expect(rows.liveKeys).toEqual([{ alias: rows.deploy?.keyAlias }])
    expect(rows.liveTokens).toEqual([{ id: rows.deploy?.tokenId }])
    expect(rows.deploy).toMatchObject({ number: 2, isReinstall: 1 })
    expect(JSON.parse(rows.deploy?.steps ?? '')).toContainEqual(
      expect.objectContaining({ id: 'backup', state: 'done' })
    )
  })

  it('needs a model, a chat id with a bot token, and a bot token with a chat id', async () => {
    const instance = await fixture.instance()
    const refused = async (input: Record<string, unknown>) => {
      const { status, body } = await fixture.deploy(instance, { businessName: 'Sol', ...input })
      return [status, body.code, body.field]
    }
    expect(await refused({ telegramBotToken: BOT_TOKEN })).toEqual([400, 'invalid_input', 'telegramChatId'])
    expect(await refused({ telegramChatId: '1' })).toEqual([400, 'invalid_input', 'telegramBotToken'])
    expect(await refused({ telegramBotToken: 'mine', telegramChatId: '1' })).toEqual([
      400,
      'invalid_input',
      'telegramBotToken'
    ])
    expect(await refused({ businessName: ' ' })).toEqual([400, 'invalid_input', 'businessName'])
    await entitle(fixture.server.service, fixture.partnerId, [])
    expect(await refused({})).toEqual([400, 'models_missing', undefined])
    await entitle(fixture.server.service, fixture.partnerId)
    expect((await rowsOf(fixture.server.service, instance)).instance.status).toBe('registered')
  })

  it('tells of no deploy where there was none', async () => {
    const instance = await fixture.instance()
    expect(await fixture.ended(instance)).toEqual({
      status: 'registered',
      deployId: null,
      state: 'none',
      message: '',
      steps: [],
      log: ''
    })
  })

  it('keeps the status of an instance that somebody else has changed meanwhile', async () => {
    const instance = await fixture.instance()
    await fixture.server.service.database.transaction((tx) =>
      changeInstanceStatus(tx, fixture.partnerId, instance.id, ['registered'], 'deploying:cli-agent')
    )
    expect(await fixture.deploy(instance)).toMatchObject({
      status: 409,
      body: { code: 'deploy_in_progress' }
    })
  })
})

describe.each(databases)('two deploys at once on %s', (kind) => {
  let fixture: DeployFixture
  beforeAll(async () => {
    fixture = await startDeployFixture(kind)
  })
  afterAll(() => fixture.close())

  it('refuses a second one while it is under way, with 409', async () => {
    const instance = await fixture.instance({ port: 1 })
    const answers = await Promise.all([fixture.deploy(instance), fixture.deploy(instance)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ code: 'deploy_in_progress' })
    expect((await rowsOf(fixture.server.service, instance)).deploy?.number).toBe(1)
  })
})
