// What was under way when a customer was erased: a key that was being made, a mail that waited, a write.
import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getCustomer } from '../../src/customers/store.ts'
import { createDeploys } from '../../src/instances/deploy/deploys.ts'
import { mintCustomerToken } from '../../src/keys/credentials.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import { mailRow } from '../mail/letters.ts'
import { databases } from '../support/databases.ts'
import { entitle } from '../support/deploys.ts'
import { makeInstance } from '../support/instances.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

const BUSINESS = { businessName: 'Sol', telegram: undefined, memoryScopes: [] }

describe.each(databases)('beside the erasing of a customer on %s', (kind) => {
  let test: TestService
  let partnerId: string
  let customerId: string
  beforeEach(async () => {
    test = await openTestService(kind)
    ;({ id: partnerId } = await makePartnerRow(test.service))
    ;({ id: customerId } = await makeCustomerRow(test.service, partnerId))
  })
  afterEach(() => test.close())

  const erase = () =>
    test.service.database.transaction((tx) =>
      tx.deleteFrom('customer').where('id', '=', customerId).execute()
    )

  it('a key that the gateway makes too late is ended by whoever asked for it', async () => {
    const { service } = test
    await entitle(service, partnerId)
    const instance = await makeInstance(service, partnerId, customerId, { status: 'deploying:cli-agent' })
    const calls: string[] = []
    const done = { exitCode: 0, stdout: Buffer.from(''), stderr: Buffer.from('') }
    const deploys = createDeploys({
      ...service,
      ssh: { ...service.ssh, run: async () => done, writeFile: async () => undefined },
      aiKeys: {
        ...service.aiKeys,
        baseUrl: () => 'https://gateway.example/v1',
        async mint({ alias }) {
          await erase()
          calls.push(`mint ${alias}`)
          return 'sk-late'
        },
        revoke: async (alias) => void calls.push(`revoke ${alias}`)
      }
    })
    const { id } = await service.database.transaction((tx) => deploys.enqueue(tx, { instance, ...BUSINESS }))
    deploys.start('https://mindgate.example')
    await vi.waitFor(() => expect(calls).toEqual([`mint ${id}-1`, `revoke ${id}-1`]), 15_000)
    await deploys.stop()
  })

  it('a notice that waits isn’t sent', async () => {
    const { service } = test
    const params = { balance: '1', threshold: '2' }
    const notice = {
      partnerId,
      customerId,
      template: 'low_credit',
      recipient: 'ada@example.com',
      params
    } as const
    await service.database.transaction((tx) => service.outbox.enqueue(tx, notice))
    await erase()
    const { id } = await service.database.read.selectFrom('mail').select('id').executeTakeFirstOrThrow()
    const outbox = createOutbox(service, { pollMs: 50 })
    outbox.start('https://mindgate.example')
    await vi.waitFor(async () => expect((await mailRow(service, id)).status).toBe('dropped'), 15_000)
    await outbox.stop()
    expect(readdirSync(service.config.dataDir)).not.toContain('outbox')
  })

  it.runIf(kind === 'postgres')('a write finds, run again, that the customer is gone', async () => {
    const { database } = test.service
    let runs = 0
    let reached = () => {}
    // Begun out here: the guard takes what is called in there for a part of the transaction.
    const erased = new Promise<void>((resolve) => {
      reached = resolve
    }).then(erase)
    const minted = database.transaction(async (tx) => {
      runs += 1
      const { id } = await getCustomer(tx, partnerId, customerId)
      reached()
      await erased
      return mintCustomerToken(tx, partnerId, id, { name: 'late' })
    })
    await expect(minted).rejects.toMatchObject({ code: 'customer_not_found' })
    expect(runs).toBe(2)
  })
})
