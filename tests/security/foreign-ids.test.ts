// For every operation that a partner or a customer reaches, whatever the channel: each id that it takes, once another
// partner's and once another customer's of the same partner. No key is in the way here: who calls has every scope.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_SCOPES } from '../../schemas/api-key.ts'
import { now } from '../../src/clock.ts'
import { connectApp } from '../../src/connected-apps/store.ts'
import { execute } from '../../src/execute.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { addIdentity } from '../../src/portal-access/identities.ts'
import { writeEvent } from '../../src/webhooks/events.ts'
import { makeColleague } from '../portal/console-visitor.ts'
import { databases } from '../support/databases.ts'
import { makeFixture, makePartner, makePlan, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { exampleInputs, idsOf, OF_TENANTS } from './examples.ts'

/** Of the partner and of none of its customers, by any of whom they may be named. */
const OF_THE_PARTNER = [
  ...['customerId', 'targetId', 'ids', 'emails', 'planId', 'creditPlanIds', 'agentId', 'keyId'],
  ...['webhookId', 'eventId', 'partnerUserId', 'mailId', 'replaces']
]

interface Tenant {
  partnerId: string
  /** Somebody of the partner's. */
  actor: string
  ids: Record<string, string>
  inputs: Record<string, Record<string, unknown>>
}

describe.each(databases)('another’s ids on %s', (kind) => {
  let test: TestService
  let mine: Tenant
  let sibling: Tenant
  let victim: Tenant
  beforeAll(async () => {
    test = await openTestService(kind)
    const [{ partnerId }, other] = [await makePartner(test.service), await makePartner(test.service)]
    mine = await makeTenant(partnerId)
    sibling = await makeTenant(partnerId)
    victim = await makeTenant(other.partnerId)
  })
  afterAll(() => test.close())

  /** A customer with something of everything that has an id. */
  async function makeTenant(partnerId: string): Promise<Tenant> {
    const { service } = test
    const fixture = await makeFixture(service, partnerId)
    const { customerId, mindId, memoryId, instanceId, webhookId } = fixture
    const act = (name: string, input: object) => run(service, partnerId, name, { ...input })
    await act('voice_a_agent_map_customer', { agentId: fixture.agentA, customerId, profitMultiplier: 2 })
    const told = await act('memory_remember', { customerId, mindId, content: 'Ada: I like tea.' })
    const { id: partnerUserId } = await makeColleague(service, partnerId, 'owner')
    const forgotten = { customerId, mindId, memoryId: stringAt(told, 'memoryId') }
    const who = { partnerId, actor: partnerUserId }
    const read = service.database.read
    const appId = await service.database.transaction(async (tx) => {
      await writeEvent(tx, partnerId, 'webhook.test', {}, webhookId)
      await tx.updateTable('webhookDelivery').set({ status: 'failed' }).execute()
      const instance = await tx
        .selectFrom('instance')
        .where('id', '=', instanceId)
        .selectAll()
        .executeTakeFirstOrThrow()
      await service.deploys.enqueue(tx, {
        instance,
        businessName: 'Sol',
        memoryScopes: [],
        telegram: undefined
      })
      await tx.updateTable('deploy').set({ phase: 'succeeded', finishedAt: now() }).execute()
      return connectApp(tx, partnerId, {
        person: { identityId: await addIdentity(tx, partnerId, uniqueEmail()) },
        membership: { customerId, teamMemberId: null },
        client: { clientId: 'https://assistant.example/client.json', clientName: 'Assistant' },
        scopes: ['memory:read'],
        requestId: 'req_test'
      })
    })
    const idIn = async (table: 'mail' | 'deploy') =>
      (
        await read
          .selectFrom(table)
          .where('partnerId', '=', partnerId)
          .select('id')
          .orderBy('createdAt', 'desc')
          .executeTakeFirstOrThrow()
      ).id
    const delivery = read.selectFrom('webhookDelivery').where('webhookId', '=', webhookId)
    return {
      ...who,
      ids: {
        ...fixture,
        ...{
          agentId: fixture.agentA,
          targetId: customerId,
          ids: customerId,
          creditPlanIds: await makePlan(service, partnerId, 'credit')
        },
        ...{ supersedes: memoryId, replaces: instanceId, partnerUserId, appId },
        emails: stringAt(await act('customer_get', { customerId }), 'data', 'email'),
        undo: stringAt(await ask(find('memory_forget_with_undo'), who, forgotten), 'answer', 'undo'),
        tokenId: stringAt(await act('customer_token_mint', { customerId, name: 'first' }), 'tokenId'),
        keyId: stringAt(await act('api_key_mint', { name: 'first' }), 'keyId'),
        mailId: await idIn('mail'),
        deployId: await idIn('deploy'),
        eventId: (await delivery.select('eventId').executeTakeFirstOrThrow()).eventId
      },
      inputs: exampleInputs(fixture)
    }
  }

  const find = (name: string) => {
    const operation = OF_TENANTS.find((one) => one.name === name)
    if (!operation) throw new Error(`There is no operation ${name}`)
    return operation
  }

  /** What comes of it; of a refusal what its reader sees. */
  function ask(
    operation: AnyOperation,
    { partnerId, actor }: Pick<Tenant, 'partnerId' | 'actor'>,
    input: object
  ) {
    const caller = {
      partnerId,
      actor,
      scopes: new Set(ALL_SCOPES),
      role: 'owner',
      email: 'me@partner.example'
    } as const
    return execute(operation, test.service, { caller, requestId: 'req_test' }, input).then(
      ({ output }) => ({ answer: output }),
      ({ code = 'internal', message, field }) => ({ code, message, field })
    )
  }

  /** The operation's example with all of one's own ids that it takes, and that one of somebody else. */
  function inputWith(operation: AnyOperation, own: Tenant, name?: string, id?: string) {
    const example = own.inputs[operation.name] ?? {}
    const ids = Object.fromEntries(
      idsOf(operation)
        .filter((one) => one in example || one === 'customerId')
        .map((one) => [one, own.ids[one]])
    )
    const one = name === undefined ? {} : { [name]: /ids$|emails/i.test(name) ? [id] : id }
    return { ...example, ...ids, ...one }
  }

  const taking = OF_TENANTS.filter((operation) => idsOf(operation).length > 0)

  it.each(taking.map((operation) => [operation.name, operation] as const))(
    '%s knows no more than ids that nobody has, and changes nothing',
    async (_, operation) => {
      const before = await everyRow(test.service)
      for (const name of idsOf(operation)) {
        expect(mine.ids, `tests/security/foreign-ids.test.ts makes no ${name} yet`).toHaveProperty(name)
        const others =
          OF_THE_PARTNER.includes(name) || !('customerId' in operation.input.shape)
            ? [victim]
            : [victim, sibling]
        const missing = await ask(operation, mine, inputWith(operation, mine, name, 'nothing'))
        for (const { ids } of others) {
          const foreign = await ask(operation, mine, inputWith(operation, mine, name, ids[name]))
          expect([name, JSON.parse(JSON.stringify(foreign).replaceAll(ids[name] ?? '', 'nothing'))]).toEqual([
            name,
            missing
          ])
        }
      }
      expect(await everyRow(test.service)).toEqual(before)
    }
  )

  it.each(
    OF_TENANTS.filter(({ annotations: { readOnly, openWorld } }) => readOnly && !openWorld).map(
      (operation) => [operation.name, operation] as const
    )
  )('%s tells nothing of another partner’s', async (_, operation) => {
    const text = JSON.stringify(await ask(operation, mine, inputWith(operation, mine)))
    const theirs = Object.values(victim.ids).filter((id) => text.includes(id))
    expect(theirs).toEqual([])
  })

  // Last: some of it ends what it is about.
  it('are ids that their owner gets at', async () => {
    const found = new Set<string>()
    const names = new Set(taking.flatMap(idsOf))
    for (const operation of taking.toSorted(
      (one, other) => Number(other.annotations.readOnly) - Number(one.annotations.readOnly)
    ))
      for (const name of idsOf(operation).filter((one) => !found.has(one))) {
        const missing = await ask(operation, victim, inputWith(operation, victim, name, 'nothing'))
        const own = await ask(operation, victim, inputWith(operation, victim, name, victim.ids[name]))
        if ('answer' in own && JSON.stringify(own) !== JSON.stringify(missing)) found.add(name)
      }
    expect([...found].toSorted()).toEqual([...names].toSorted())
  })
})
