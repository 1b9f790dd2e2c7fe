// `mindgate instance deploy`, `status` and `remove`: carried through by the service that runs beside them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../servers/cli/program.ts'
import { findInstance } from '../../src/instances/store.ts'
import { agentFile, type DeployFixture, rowsOf, startDeployFixture } from '../instances/deploy-fixture.ts'
import { environmentAt, makePartner, mindgate } from '../support/cli.ts'
import { databases, makeEmptyPlace } from '../support/databases.ts'
import { entitle } from '../support/deploys.ts'
import { run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { makeInstance } from '../support/instances.ts'
import { openTestService } from '../support/service.ts'

describe.each(databases)('the agent on a server on %s', (kind) => {
  let fixture: DeployFixture
  beforeAll(async () => {
    fixture = await startDeployFixture(kind)
  })
  afterAll(() => fixture.close())

  const cli = (...args: string[]) => mindgate(fixture.server.env, ['instance', ...args])

  it('is deployed, followed step by step, shown, installed again and removed', async () => {
    const instance = await fixture.instance()
    const { id } = instance
    const token = join(fixture.server.service.config.dataDir, 'bot.token')
    writeFileSync(token, '123456789:AAExampleExampleExampleExampleExampl\n')
    const telegram = ['--telegram-chat', '42', '--telegram-token-file', token]
    const deployed = await cli('deploy', id, '--name', 'Clínica Sol', ...telegram)
    expect(deployed).toMatchObject({ code: 0, stdout: 'Clínica Sol’s agent is ready.\n' })
    expect(deployed.stderr).toMatch(
      /done {5}Install the agent[\s\S]*warned {3}Connect Telegram[\s\S]*done {5}Finish\n$/
    )
    expect(agentFile(instance, '.env')).toContain('TELEGRAM_HOME_CHANNEL=42')

    const { stdout: shown } = await cli('status', id)
    expect(shown).toContain('Ask a first question')
    expect(shown).toContain('== install')
    const { stdout } = await cli('status', id, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ instanceId: id, status: 'cli-agent', state: 'succeeded' })

    const rules = join(fixture.server.service.config.dataDir, 'rules.txt')
    writeFileSync(rules, 'Never promise a discount.\n')
    const changed = await cli('change', id, '--instructions-file', rules, '--model', 'model-b')
    expect(changed).toMatchObject({ code: 0, stdout: 'The agent is changed.\n' })
    expect(agentFile(instance, 'SOUL.md')).toContain('Never promise a discount.')
    expect(agentFile(instance, 'config.yaml')).toContain('default: "model-b"')
    expect(await cli('change', id, '--model', 'none')).toMatchObject({ code: 1 })
    const all = ['change-all', '--partner', fixture.server.partner.partnerId]
    expect((await cli(...all, '--show')).stdout).toBe('There was none yet.\n')
    expect((await cli(...all)).stdout).toContain('running')
    const standing = async () => JSON.parse((await cli(...all, '--show', '--json')).stdout).rollout
    await expect
      .poll(standing, { timeout: 60_000 })
      .toMatchObject({ state: 'done', succeeded: 1, failed: [] })

    const again = ['deploy', id, '--name', 'Luna']
    expect(await cli(...again)).toMatchObject({ code: 1, stderr: expect.stringContaining('--reinstall') })
    const begun = await cli(...again, '--reinstall', '--no-wait', '--json')
    expect(JSON.parse(begun.stdout)).toEqual({
      instanceId: id,
      deployId: expect.stringMatching(/^dep_/),
      status: 'deploying:cli-agent'
    })
    await fixture.ended(instance)

    expect(await cli('remove', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') })
    const removed = await cli('remove', id, '--yes', '--json')
    expect(JSON.parse(removed.stdout)).toEqual({ instanceId: id, removed: true })
    const { database } = fixture.server.service
    expect(await findInstance(database.read, instance.partnerId, id)).toBeUndefined()
  })

  it('says why a deploy failed, with exit code 1', async () => {
    const { id } = await fixture.instance({ port: 1 })
    const { code, stdout } = await cli('deploy', id, '--name', 'Sol', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { instanceId: id, state: 'failed' }])
    expect(JSON.parse(stdout).message).toContain('refuses connections')
  })

  it('gets no deploy where its partner has no model, and none for an id that nobody has', async () => {
    const instance = await fixture.instance()
    await entitle(fixture.server.service, fixture.partnerId, [])
    const refused = await cli('deploy', instance.id, '--name', 'Sol')
    await entitle(fixture.server.service, fixture.partnerId)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--models') })
    expect((await rowsOf(fixture.server.service, instance)).deploy).toBeUndefined()
    expect(await cli('deploy', 'ins_none', '--name', 'Sol')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ins_none')
    })
  })
})

it('says that no service takes a deploy up, and waits for one', async () => {
  const { service, env, close } = await openTestService('sqlite')
  const { partnerId } = await makePartner(env, 'Waiting')
  await entitle(service, partnerId)
  const customer = await run(service, partnerId, 'customer_create', { email: uniqueEmail() })
  const { id } = await makeInstance(service, partnerId, stringAt(customer, 'data', 'id'))
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const terminal = { env, stdin: Readable.from([]), stdout, stderr, exitCode: 0 }
  const over = runCommand(['instance', 'deploy', id, '--name', 'Sol'], terminal)
  const [line] = await stderr.take(1).toArray()
  expect(String(line)).toContain('`mindgate serve`')
  await service.database.transaction((tx) =>
    tx
      .updateTable('deploy')
      .set({ phase: 'failed', message: 'It is over.' })
      .where('instanceId', '=', id)
      .execute()
  )
  await over
  expect(terminal.exitCode).toBe(1)
  await close()
})

it.each([
  [['--name', ''], '--name'],
  [['--name', 'Sol', '--telegram-chat', 'mine'], '--telegram-chat']
])('a deploy is misused with %j, before anything is opened', async (options, name) => {
  const place = await makeEmptyPlace('sqlite')
  const { code, stderr } = await mindgate(environmentAt(place), ['instance', 'deploy', 'ins_any', ...options])
  await place.remove()
  expect([code, stderr]).toEqual([2, expect.stringContaining(name)])
})
