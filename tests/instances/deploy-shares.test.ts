// Many deploys at once: one partner's servers, however silent or slow, leave room for another's.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEPLOY_WAIT, entitle } from '../support/deploys.ts'
import { makePartner, run } from '../support/fixture.ts'
import { type Listener, listen } from '../support/listen.ts'
import { type DeployFixture, makeServer, startDeployFixture } from './deploy-fixture.ts'

describe('the deploys of a process', () => {
  let fixture: DeployFixture
  let silent: Listener

  beforeEach(async () => {
    silent = await listen()
    fixture = await startDeployFixture('sqlite', {
      env: { SSH_CONNECT_TIMEOUT_MS: '30000' },
      times: { connectMs: 300_000 }
    })
  })
  afterEach(async () => {
    await silent.close()
    await fixture.close()
  })

  it('have places for every partner, also where one waits for more servers than there are places', async () => {
    const { service } = fixture.server
    for (let i = 0; i < 60; i += 1) {
      const dead = await fixture.instance({ port: silent.port })
      await run(service, fixture.partnerId, 'instance_deploy', { instanceId: dead.id, businessName: 'Sol' })
    }
    const other = await makePartner(service)
    await entitle(service, other.partnerId)
    const instance = await makeServer(service, other.partnerId, fixture.sshd)
    const wanted = { instanceId: instance.id, businessName: 'Luna' }
    await run(service, other.partnerId, 'instance_deploy', wanted)
    const held = async (partnerId: string) =>
      service.database.read
        .selectFrom('deploy')
        .where('partnerId', '=', partnerId)
        .where('leaseOwner', 'is not', null)
        .select('id')
        .execute()
    await vi.waitFor(async () => {
      const row = await service.database.read
        .selectFrom('instance')
        .where('id', '=', instance.id)
        .select('status')
        .executeTakeFirstOrThrow()
      expect(row.status).toBe('cli-agent')
    }, DEPLOY_WAIT)
    expect((await held(fixture.partnerId)).length).toBe(20)
  })
})
