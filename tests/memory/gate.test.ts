// The switch of the partner and of the customer. What the gateways answer stands in tests/mcp/memory-refusals.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { databases } from '../support/databases.ts'
import { stringAt } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type MemoryCaller, makeMemoryCaller } from './caller.ts'

describe.each(databases)('the gate on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  let mindId: string
  let memoryId: string
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
    const remembered = await ada.call('remember', { content: 'Ada: I like tea.' })
    mindId = stringAt(remembered, 'mindId')
    memoryId = stringAt(remembered, 'memoryId')
  })

  const setCustomer = (enableAiMemory: 0 | 1) =>
    test.service.database.transaction((tx) =>
      tx.updateTable('customer').set({ enableAiMemory }).where('id', '=', ada.customerId).execute()
    )
  const setPartner = (hasAiMemory: boolean) =>
    test.service.database.transaction((tx) => updatePartner(tx, ada.partnerId, { hasAiMemory }))

  const gated = (): [string, Record<string, unknown>][] => [
    ['list_minds', {}],
    ['create_mind', { name: 'Contracts' }],
    ['remember', { content: 'I like coffee.' }],
    ['recall', {}],
    ['ask', { question: 'What does Ada like?' }],
    ['forget', { memoryId }]
  ]

  it('closes every tool when either switch is off, says no more than that, and changes nothing', async () => {
    const refusals = new Set<string>()
    for (const close of [() => setCustomer(0), () => setPartner(false)]) {
      await close()
      const before = await everyRow(test.service)
      for (const [name, input] of gated()) {
        const { code, message, field } = await ada.refusal(name, input)
        expect([name, code, field]).toEqual([name, 'memory_not_enabled', undefined])
        refusals.add(message)
      }
      expect(await everyRow(test.service)).toEqual(before)
      await setCustomer(1)
      await setPartner(true)
    }
    expect([...refusals]).toEqual(['Memory is not enabled for this customer.'])
    for (const [name, input] of gated()) await ada.call(name, input)
  })

  it('lets what is kept be taken out and deleted while it is closed', async () => {
    await setCustomer(0)
    expect(await ada.call('export', { mindId })).toMatchObject({ memories: [{ id: memoryId }] })
    expect(await ada.call('forget_mind', { mindId })).toEqual({
      message: 'The Mind was forgotten with its 1 memories.'
    })
  })

  it.each(['remember', 'ask', 'create_mind', 'forget'])(
    'holds inside the transaction: %s writes nothing after the switch was turned off',
    async (name) => {
      const input = Object.fromEntries(gated())[name] ?? {}
      const { database } = test.service
      const overtaken = ada.through({
        database: {
          ...database,
          async transaction(work) {
            await setCustomer(0)
            return database.transaction(work)
          }
        }
      })
      const before = await rowsBut(test, 'customer')
      expect((await overtaken.refusal(name, input)).code).toBe('memory_not_enabled')
      expect(await rowsBut(test, 'customer')).toEqual(before)
    }
  )

  it('comes after the customer and before the Mind, the limit and the credits', async () => {
    await setCustomer(0)
    const nobody = await ada.refusal('ask', { customerId: 'cus_none', question: 'x' })
    const closed = await ada.refusal('ask', { mindId: 'mnd_none', question: 'x' })
    await setCustomer(1)
    const noMind = await ada.refusal('ask', { mindId: 'mnd_none', question: 'x' })
    expect([nobody.code, closed.code, noMind.code]).toEqual([
      'customer_not_found',
      'memory_not_enabled',
      'mind_not_found'
    ])
  })
})

async function rowsBut({ service }: TestService, table: string): Promise<Record<string, unknown>> {
  const { [table]: _, ...rows } = await everyRow(service)
  return rows
}
