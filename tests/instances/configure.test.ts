// An agent that is there is told something else, and gets new keys, without being installed again: one, or all of a partner's.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { appPaths } from '../../src/catalog/paths.ts'
import { findInstance, type InstanceRow } from '../../src/instances/store.ts'
import { setFaults } from '../support/agent/stand-in.ts'
import { databases } from '../support/databases.ts'
import { entitle } from '../support/deploys.ts'
import { at, makePartner, stringAt, type TestPartner } from '../support/fixture.ts'
import {
  agentFile,
  agentKey,
  type DeployFixture,
  makeServer,
  rowsOf,
  startDeployFixture
} from './deploy-fixture.ts'

describe('an agent that is there', () => {
  let fixture: DeployFixture
  let agent: InstanceRow
  beforeAll(async () => {
    fixture = await startDeployFixture('sqlite')
    agent = await fixture.instance()
    await fixture.deploy(agent)
    await fixture.ended(agent)
  })
  afterAll(() => fixture.close())

  const change = (body: Record<string, unknown> = {}, key = fixture.server.partner.key) =>
    fixture.server.api('PATCH', `/instances/${agent.id}/cli-agent`, { key, body })
  const changed = async (body: Record<string, unknown> = {}) => {
    expect(await change(body)).toMatchObject({
      status: 202,
      body: { data: { status: 'deploying:cli-agent' } }
    })
    return fixture.ended(agent)
  }

  it('gets new keys, without being installed again, and the former ones end', async () => {
    const before = agentKey(agent)
    const progress = await changed()
    expect(progress).toMatchObject({ status: 'cli-agent', state: 'succeeded' })
    const titles = Array.from(Object(progress.steps), (step) => at(step, 'title'))
    expect(titles).toContain('Write its configuration')
    expect(titles).not.toContain('Install the agent')
    expect(agentKey(agent)).not.toBe(before)
    const rows = await rowsOf(fixture.server.service, agent)
    expect(rows.liveKeys).toEqual([{ alias: rows.deploy?.keyAlias }])
    expect(rows.liveTokens).toEqual([{ id: rows.deploy?.tokenId }])
    expect(agentFile(agent, 'SOUL.md')).toContain('Clínica Sol')
  })

  it('is told another name, instructions and a model, which later deploys keep', async () => {
    await entitle(fixture.server.service, fixture.partnerId, ['small', 'acme/large'])
    const instructions = 'Open from 9 to 18.\nNever promise a discount.'
    await changed({ businessName: 'Luna', instructions, model: 'acme/large' })
    expect(agentFile(agent, 'SOUL.md')).toMatch(/^# Luna\n/)
    expect(agentFile(agent, 'SOUL.md')).toContain(instructions)
    expect(agentFile(agent, 'config.yaml')).toContain('default: "acme/large"')
    await changed()
    expect(agentFile(agent, 'SOUL.md')).toContain(instructions)
    await fixture.deploy(agent, { businessName: 'Luna', confirmReinstall: true })
    await fixture.ended(agent)
    expect(agentFile(agent, 'SOUL.md')).toContain(instructions)
    await changed({ instructions: '', model: 'auto' })
    expect(agentFile(agent, 'SOUL.md')).not.toContain(instructions)
    expect(agentFile(agent, 'config.yaml')).toContain('default: "auto"')
    const { instance } = await rowsOf(fixture.server.service, agent)
    expect(instance).toMatchObject({ agentName: 'Luna', settings: '{}' })
  })

  it('is in the audit log with what was changed, of all that a form sends', async () => {
    const form = { businessName: 'Luna', instructions: '', model: 'auto' }
    const fieldsOf = async (body: Record<string, unknown>) => {
      await changed(body)
      const audit = await fixture.server.api('GET', '/audit?limit=1', { key: fixture.server.partner.key })
      return at(audit.body, 'data', 0, 'fields')
    }
    expect(await fieldsOf(form)).toEqual([])
    const changes = { instructions: 'Be brief.', model: 'small' }
    expect(await fieldsOf({ ...form, ...changes })).toEqual(['instructions', 'model'])
  })

  it('stays as it was where a change doesn’t get through', async () => {
    const [key, before] = [agentKey(agent), await rowsOf(fixture.server.service, agent)]
    setFaults(appPaths(agent.root).home, 'error HTTP 401: Invalid API key')
    expect(await changed({ businessName: 'Sombra', instructions: 'Be rude.' })).toMatchObject({
      state: 'failed'
    })
    setFaults(appPaths(agent.root).home)
    const after = await rowsOf(fixture.server.service, agent)
    const { agentName, settings } = before.instance
    expect(after.instance).toMatchObject({ agentName, settings })
    expect(after.liveKeys).toEqual(before.liveKeys)
    expect(agentKey(agent)).toBe(key)
    expect(agentFile(agent, 'SOUL.md')).not.toContain('Sombra')
    expect(await changed()).toMatchObject({ status: 'cli-agent' })
  })

  it('is of another release when that is asked for', async () => {
    const progress = await changed({ release: 'v2026.7.1' })
    expect(Array.from(Object(progress.steps), (step) => at(step, 'title'))).toContain('Install the agent')
    expect(agentFile(agent, 'stand-in/release')).toBe('v2026.7.1\n')
    for (const release of ['main', 'v1; reboot', '$(id)', '../v1'])
      expect(await change({ release })).toMatchObject({ status: 400, body: { field: 'release' } })
  })

  it('refuses a model that the partner doesn’t have, and whoever isn’t its partner', async () => {
    expect(await change({ model: 'acme/forbidden' })).toMatchObject({ status: 400, body: { field: 'model' } })
    const other = await makePartner(fixture.server.service)
    expect(await change({ businessName: 'Mine' }, other.key)).toMatchObject({ status: 404 })
  })

  it('is refused where none was ever deployed, and while one is', async () => {
    const bare = await fixture.instance()
    const { key } = fixture.server.partner
    const ask = (instance: InstanceRow) =>
      fixture.server.api('PATCH', `/instances/${instance.id}/cli-agent`, { key, body: {} })
    expect(await ask(bare)).toMatchObject({ status: 409, body: { code: 'agent_not_deployed' } })
    await fixture.deploy(bare)
    expect(await ask(bare)).toMatchObject({ status: 409, body: { code: 'deploy_in_progress' } })
    await fixture.ended(bare)
  })

  it('isn’t changed where another customer’s agent has the server by now', async () => {
    const lost = await fixture.instance()
    await fixture.deploy(lost)
    await fixture.ended(lost)
    writeFileSync(join(appPaths(lost.root).stateDir, 'instance'), 'ins_other cus_other\n')
    const { key } = fixture.server.partner
    await fixture.server.api('PATCH', `/instances/${lost.id}/cli-agent`, { key, body: {} })
    expect(await fixture.ended(lost)).toMatchObject({
      message: expect.stringContaining('Another instance’s')
    })
    expect(agentFile(lost, 'SOUL.md')).toBeDefined()
  })
})

describe.each(databases)('a change of all agents, on %s', (kind) => {
  let fixture: DeployFixture
  let owner: TestPartner
  let agents: InstanceRow[]
  beforeAll(async () => {
    fixture = await startDeployFixture(kind)
    owner = fixture.server.partner
  })
  afterEach(async () => {
    await fixture.server.api('DELETE', '/rollouts/newest', { key: owner.key })
  })
  afterAll(() => fixture.close())

  const ask = (method: 'GET' | 'POST' | 'DELETE', body?: object, key = owner.key) =>
    fixture.server.api(method, method === 'POST' ? '/rollouts' : '/rollouts/newest', {
      key,
      ...(body ? { body } : {})
    })
  const standing = async () => Object((await ask('GET')).body.data)
  const over = async () => {
    await expect.poll(async () => (await standing()).finishedAt, { timeout: 90_000 }).not.toBeNull()
    return standing()
  }
  /** As deploys of old have left them. */
  const deployed = async (count: number, columns: Partial<InstanceRow> = {}) => {
    const { service } = fixture.server
    const made = await Promise.all(
      Array.from({ length: count }, () =>
        fixture.instance({ status: 'cli-agent', agentName: 'Sol', model: 'auto', ...columns })
      )
    )
    await service.database.transaction((tx) =>
      tx
        .updateTable('instance')
        .set({ status: 'registered' })
        .where('partnerId', '=', fixture.partnerId)
        .where(
          'id',
          'not in',
          made.map(({ id }) => id)
        )
        .execute()
    )
    return made
  }

  it('reaches each of the partner’s, three at a time, and nobody else’s', async () => {
    agents = await deployed(4)
    const stranger = await makePartner(fixture.server.service)
    const theirs = await makeServer(fixture.server.service, stranger.partnerId, fixture.sshd, {
      status: 'cli-agent',
      agentName: 'Theirs'
    })
    const started = await ask('POST', { release: 'v2026.7.1', instructions: 'Be brief.' })
    expect(started).toMatchObject({ status: 202, body: { data: { state: 'running', waiting: 4 } } })
    expect(await ask('POST', {})).toMatchObject({ status: 409, body: { code: 'deploy_in_progress' } })
    expect((await ask('GET', undefined, stranger.key)).body.data).toBeNull()
    let most = 0
    await expect
      .poll(
        async () => {
          const { underWay, finishedAt } = await standing()
          most = Math.max(most, underWay)
          return finishedAt
        },
        { timeout: 90_000 }
      )
      .not.toBeNull()
    expect(most).toBeLessThanOrEqual(3)
    expect(await standing()).toMatchObject({
      state: 'done',
      succeeded: 4,
      failed: [],
      waiting: 0,
      underWay: 0
    })
    for (const agent of agents) {
      expect(agentFile(agent, 'SOUL.md')).toContain('Be brief.')
      expect(agentFile(agent, 'stand-in/release')).toBe('v2026.7.1\n')
    }
    const untouched = await findInstance(fixture.server.service.database.read, stranger.partnerId, theirs.id)
    expect(untouched).toEqual(theirs)
  })

  it('stops once three didn’t get through, and says which and why', async () => {
    agents = await deployed(6, { port: 1 })
    expect(stringAt((await ask('POST', {})).body, 'data', 'state')).toBe('running')
    const ended = await over()
    expect(ended).toMatchObject({ state: 'stopped', succeeded: 0 })
    expect(ended.failed.length).toBeGreaterThanOrEqual(3)
    expect(ended.failed.length).toBeLessThan(6)
    const names = new Set(agents.map(({ id }) => id))
    for (const { instanceId, message } of ended.failed) {
      expect(names.has(instanceId)).toBe(true)
      expect(message).not.toBe('')
    }
  })

  it('goes on for one partner where another’s can’t be read', async () => {
    await deployed(1, { port: 1 })
    const stranger = await makePartner(fixture.server.service)
    await fixture.server.service.database.transaction((tx) =>
      tx
        .insertInto('rollout')
        .values({
          ...{
            id: 'rol_0',
            partnerId: stranger.partnerId,
            changes: '{',
            memoryScopes: '[]',
            state: 'running'
          },
          ...{ createdAt: '2026-01-01T00:00:00.000Z', finishedAt: null }
        })
        .execute()
    )
    await makeServer(fixture.server.service, stranger.partnerId, fixture.sshd, {
      ...{ status: 'cli-agent', agentName: 'Theirs', createdAt: '2025-01-01T00:00:00.000Z' }
    })
    await ask('POST', {})
    expect(await over()).toMatchObject({ state: 'done', succeeded: 0 })
  })

  it('is cancelled, and begins with no further one', async () => {
    await deployed(5, { port: 1 })
    await ask('POST', {})
    expect(await ask('DELETE')).toMatchObject({ status: 200, body: { data: { state: 'cancelled' } } })
    await expect.poll(async () => (await standing()).underWay, { timeout: 60_000 }).toBe(0)
    expect(await standing()).toMatchObject({ state: 'cancelled', waiting: 0 })
  })

  it('is refused where there is no agent that works', async () => {
    await deployed(1, { status: 'failed:cli-agent', agentName: null })
    expect(await ask('POST', {})).toMatchObject({ status: 409, body: { code: 'agent_not_deployed' } })
  })
})
