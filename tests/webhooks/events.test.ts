// What a partner's own software is told of: each kind of event, by what people and agents really do.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EVENT_TYPES, EVENTS, type EventType, eventOf } from '../../schemas/webhook.ts'
import { databases } from '../support/databases.ts'
import {
  at,
  makeFixture,
  makePartner,
  makeVoiceAgent,
  run,
  stringAt,
  uniqueEmail
} from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { makeOverdueStatement } from '../support/statements.ts'
import { sweepAll } from '../support/sweep.ts'
import { HOOKS_ENV, hook } from './hooks.ts'
import { type Receiver, startReceiver } from './receiver.ts'

describe.each(databases)('a partner with a webhook on %s', (kind) => {
  let test: TestService
  let receiver: Receiver
  let partnerId: string
  beforeAll(async () => {
    test = await openTestService(kind, { ...HOOKS_ENV, CREDITS_INITIAL: '1000' })
    test.service.webhooks.start()
  })
  beforeEach(async () => {
    receiver = await startReceiver()
    partnerId = (await makePartner(test.service)).partnerId
    return () => receiver.close()
  })
  afterAll(() => test.close())

  const act = (name: string, input: Record<string, unknown>) => run(test.service, partnerId, name, input)
  const create = async () =>
    stringAt(
      await act('customer_create', { email: uniqueEmail(), firstName: 'Ada', lastName: 'Byron' }),
      'data',
      'id'
    )
  const told = async () => {
    await test.service.webhooks.drain()
    expect(receiver.complaints).toEqual([])
    return receiver.taken
  }
  const typesTold = async () => (await told()).map(({ type }) => type)

  it('is told of what was done to a customer and its people, with ids', async () => {
    const { agentA, ...made } = await makeFixture(test.service, partnerId)
    const { customerId, teamMemberId, memoryId, mindId } = made
    await hook(test.service, partnerId, receiver)
    const seen: string[] = []
    const expectTold = async (name: string, input: object, type: EventType, data: object) => {
      await act(name, { customerId, ...input })
      const event = (await told()).find(({ id }) => !seen.includes(id))
      expect(event, name).toMatchObject({ type, data: { customerId, ...data } })
      expect(EVENTS[type].data.strict().safeParse(event?.data).error, name).toBeUndefined()
      expect(eventOf(type).safeParse(event).success).toBe(true)
      if (event) seen.push(event.id)
    }
    await expectTold('customer_update', { companyName: 'Sol' }, 'customer.updated', {
      fields: ['companyName']
    })
    await expectTold('customer_enable_portal_access', {}, 'portal_access.changed', { status: 'active' })
    const suspended = { newStatus: 'suspended' }
    await expectTold('customer_toggle_portal_block', suspended, 'portal_access.changed', {
      status: 'suspended'
    })
    await expectTold('team_member_remove', { teamMemberId }, 'team_member.removed', { teamMemberId })
    const person = { email: uniqueEmail(), name: 'Grace' }
    await expectTold('team_member_add', person, 'team_member.invited', { teamMemberId: expect.any(String) })
    const agent = { provider: 'a', agentId: agentA }
    await expectTold('voice_agent_map', { ...agent, profitMultiplier: 2 }, 'voice_agent.mapped', agent)
    await expectTold('voice_agent_unmap', agent, 'voice_agent.unmapped', agent)
    await expectTold('memory_remember', { content: 'The door code is 47-11.' }, 'memory.written', { mindId })
    await expectTold('memory_forget', { memoryId }, 'memory.forgotten', { memoryId })
    await expectTold('memory_forget_mind', { mindId }, 'mind.forgotten', { mindId })
    await expectTold('customer_erase', { confirm: made.code }, 'customer.erased', {})
    expect(receiver.taken).toHaveLength(seen.length)
    expect(JSON.stringify(receiver.taken)).not.toMatch(/47-11|Sol|Grace|@/)
  })

  it('is told of a customer before anything else of it', async () => {
    await hook(test.service, partnerId, receiver, { inOrder: true })
    await act('customer_onboard', { basic: { email: uniqueEmail() }, allowPortalAccess: true })
    expect(await typesTold()).toEqual(['customer.created', 'portal_access.changed'])
  })

  it('is told of each operation that has several names', async () => {
    await hook(test.service, partnerId, receiver)
    const customerId = await create()
    for (const provider of ['a', 'b'] as const) {
      const agentId = await makeVoiceAgent(test.service, partnerId, provider)
      await act(`voice_${provider}_agent_map_customer`, { agentId, customerId, profitMultiplier: 2 })
      await act(`voice_${provider}_agent_unmap_customer`, { agentId, customerId })
    }
    const mapped = ['voice_agent.mapped', 'voice_agent.unmapped']
    expect(await typesTold()).toEqual(['customer.created', ...mapped, ...mapped])
  })

  it('is told of a memory whose forgetting was undone by the id that it has then', async () => {
    const { customerId, mindId, memoryId } = await makeFixture(test.service, partnerId)
    await hook(test.service, partnerId, receiver, { types: ['memory.written'] })
    const { undo } = await act('memory_forget_with_undo', { customerId, mindId, memoryId })
    const back = await act('memory_forget_undo', { customerId, mindId, undo })
    expect((await told()).map(({ data }) => data)).toEqual([{ customerId, mindId, memoryId: back.memoryId }])
  })

  it('is told of statements, by whomever they are closed, and of what becomes of them', async () => {
    const customerId = await create()
    await hook(test.service, partnerId, receiver)
    const statementId = await makeOverdueStatement(test.service, { partnerId, customerId })
    await sweepAll(test.service)
    await act('statement_mark_billed', { statementId })
    await act('statement_void', { statementId })
    expect(await typesTold()).toEqual(['statement.closed', 'statement.billed', 'statement.voided'])
    expect(receiver.taken.map(({ data }) => data)).toEqual(Array(3).fill({ customerId, statementId }))
  })

  it('is told once when a customer’s credits run low', async () => {
    const customerId = await create()
    const low = { aiCreditsEnabled: true, lowCreditNotificationsEnabled: true, lowCreditThreshold: 5 }
    await act('customer_update', { customerId, enableAiMemory: true, ...low })
    await act('credits_grant', { customerId, amount: 6 })
    await hook(test.service, partnerId, receiver, { types: ['credits.low'] })
    for (let i = 0; i < 3; i += 1) await act('memory_remember', { customerId, content: `Number ${i}.` })
    expect((await told()).map(({ type, data }) => [type, data])).toEqual([
      ['credits.low', { customerId, balance: '4' }]
    ])
  })

  it('is told nothing of what was refused, of what it doesn’t want, and of others', async () => {
    const other = await makePartner(test.service)
    await hook(test.service, partnerId, receiver, { types: ['customer.created', 'customer.erased'] })
    const customerId = await create()
    await act('customer_update', { customerId, companyName: 'Sol' })
    await expect(act('customer_erase', { customerId, confirm: 'C-WRONG' })).rejects.toThrow()
    await run(test.service, other.partnerId, 'customer_create', {
      email: uniqueEmail(),
      firstName: 'Eve',
      lastName: 'Else'
    })
    expect((await told()).map(({ type, data }) => [type, data])).toEqual([
      ['customer.created', { customerId }]
    ])
  })

  it('has one event at each of its webhooks, by one id', async () => {
    const second = await startReceiver()
    await hook(test.service, partnerId, receiver)
    await hook(test.service, partnerId, second)
    await create()
    await told()
    expect(second.taken).toEqual(receiver.taken)
    expect(second.taken).toHaveLength(1)
    await second.close()
  })

  it('keeps nothing of a customer that was erased but that it was', async () => {
    await hook(test.service, partnerId, receiver)
    receiver.answerWith(() => ({ status: 500 }))
    const { customerId, code } = await makeFixture(test.service, partnerId)
    await act('customer_erase', { customerId, confirm: code })
    const { untilErased } = await import('../../src/customers/erasing.ts')
    await untilErased(test.service)
    const { read } = test.service.database
    const rows = await read
      .selectFrom('webhookDelivery')
      .where('customerId', '=', customerId)
      .select('type')
      .execute()
    expect(rows).toEqual([{ type: 'customer.erased' }])
  })
})

it('has each kind of event in the OpenAPI document', async () => {
  const { documentRest, openApiDocument } = await import('../../servers/rest/openapi.ts')
  const { webhooks } = openApiDocument(documentRest([]))
  expect(Object.keys(webhooks)).toEqual(EVENT_TYPES)
  const created = at(
    webhooks,
    'customer.created',
    'post',
    'requestBody',
    'content',
    'application/json',
    'schema'
  )
  expect(at(created, 'properties', 'type', 'const')).toBe('customer.created')
})

it('has each kind of event in the page about webhooks', () => {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  expect(EVENT_TYPES.filter((type) => !page.includes(`\`${type}\``))).toEqual([])
})
