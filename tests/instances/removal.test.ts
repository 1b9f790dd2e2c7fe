// Removing a server: what its agent was let in with ends, and nothing of ours is left.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AiGatewayError } from '../../src/ai-gateway/keys.ts'
import { now } from '../../src/clock.ts'
import { ServiceError } from '../../src/errors.ts'
import { changeInstanceStatus, findInstance, type InstanceRow } from '../../src/instances/store.ts'
import { listCustomerTokens, mintCustomerToken } from '../../src/keys/credentials.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, run, stringAt, unique, uniqueEmail } from '../support/fixture.ts'
import { makeInstance } from '../support/instances.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('removing a server on %s', (kind) => {
  let test: TestService
  let partnerId: string

  beforeAll(async () => {
    test = await openTestService(kind)
    ;({ partnerId } = await makePartner(test.service))
  })
  afterAll(() => test.close())

  const act = (name: string, input: Record<string, unknown>, service = test.service) =>
    run(service, partnerId, name, input)
  const make = async (columns: Partial<InstanceRow> = {}): Promise<InstanceRow> => {
    const created = await act('customer_create', { email: uniqueEmail() })
    return makeInstance(test.service, partnerId, stringAt(created, 'data', 'id'), columns)
  }
  const statusOf = async ({ id }: InstanceRow) =>
    (await findInstance(test.service.database.read, partnerId, id))?.status

  /** A deploy of that instance that got through, as its records tell. */
  const deployed = async (columns: Partial<InstanceRow> = {}) => {
    const instance = await make({ status: 'cli-agent', ...columns })
    const alias = unique('dep_alias_')
    const { tokenId } = await test.service.database.transaction(async (tx) => {
      const token = await mintCustomerToken(tx, partnerId, instance.customerId, { name: 'agent' })
      await test.service.deploys.enqueue(tx, {
        instance,
        businessName: 'Sol',
        telegram: undefined,
        memoryScopes: []
      })
      await tx
        .updateTable('deploy')
        .set({ phase: 'succeeded', keyAlias: alias, tokenId: token.tokenId, finishedAt: now() })
        .where('instanceId', '=', instance.id)
        .execute()
      return token
    })
    return { instance, alias, tokenId }
  }

  it('ends the agent’s keys and forgets the server, its deploys too', async () => {
    const { instance, alias, tokenId } = await deployed()
    const ended: string[] = []
    const revoked: string[] = []
    const service = {
      ...test.service,
      aiKeys: { ...test.service.aiKeys, revoke: async (name: string) => void revoked.push(name) },
      ssh: { ...test.service.ssh, end: (id: string) => void ended.push(id) }
    }
    const answer = await act('instance_remove', { instanceId: instance.id }, service)
    expect(answer).toEqual({ message: expect.stringContaining('Nothing on the server itself was changed') })
    expect([revoked, ended]).toEqual([[alias], [instance.id]])
    const tokens = await listCustomerTokens(test.service.database.read, partnerId, instance.customerId)
    expect(tokens).toMatchObject([{ tokenId, revokedAt: expect.any(String) }])
    expect(await statusOf(instance)).toBeUndefined()
    const deploys = test.service.database.read.selectFrom('deploy').where('instanceId', '=', instance.id)
    expect(await deploys.selectAll().execute()).toEqual([])
  })

  it('closes the real gateway’s key at once', async () => {
    const { instance, alias } = await deployed()
    const { database, aiKeys } = test.service
    await aiKeys.mint({ partnerId, instanceId: instance.id, alias, models: ['small'] })
    const keys = () => database.read.selectFrom('aiKey').where('alias', '=', alias).selectAll().execute()
    expect(await keys()).toMatchObject([{ revokedAt: null }])
    await act('instance_remove', { instanceId: instance.id })
    for (const { revokedAt } of await keys()) expect(revokedAt).not.toBeNull()
  })

  it('removes nothing when the AI gateway can’t be asked', async () => {
    const { instance } = await deployed()
    const revoke = () => Promise.reject(new AiGatewayError('unreachable', 'The proxy is away.'))
    const service = { ...test.service, aiKeys: { ...test.service.aiKeys, revoke } }
    const removed = act('instance_remove', { instanceId: instance.id }, service)
    await expect(removed).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(await statusOf(instance)).toBe('cli-agent')
    await act('instance_remove', { instanceId: instance.id })
    expect(await statusOf(instance)).toBeUndefined()
  })

  it('is refused while a deploy is under way, also one that has just begun', async () => {
    const deploying = await make({ status: 'deploying:cli-agent' })
    await expect(act('instance_remove', { instanceId: deploying.id })).rejects.toMatchObject({
      code: 'deploy_in_progress'
    })

    const { instance } = await deployed()
    const begin = async () => {
      await test.service.database.transaction((tx) =>
        changeInstanceStatus(tx, partnerId, instance.id, ['cli-agent'], 'deploying:cli-agent')
      )
    }
    const service = { ...test.service, aiKeys: { ...test.service.aiKeys, revoke: begin } }
    const removed = act('instance_remove', { instanceId: instance.id }, service)
    await expect(removed).rejects.toMatchObject({ code: 'deploy_in_progress' })
    expect(await statusOf(instance)).toBe('deploying:cli-agent')
  })

  it('happens once', async () => {
    const instance = await make()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 }, () => act('instance_remove', { instanceId: instance.id }))
    )
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refusals).toHaveLength(2)
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(ServiceError)
      expect(at(refusal, 'code')).toBe('instance_not_found')
    }
  })

  it('happens with its customer, too', async () => {
    const instance = await make()
    await test.service.database.transaction((tx) =>
      tx.deleteFrom('customer').where('id', '=', instance.customerId).execute()
    )
    expect(await statusOf(instance)).toBeUndefined()
  })
})
