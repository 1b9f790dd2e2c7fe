// Everything that is kept about a customer, and nothing that lets anybody in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postLines } from '../../src/billing/ledger.ts'
import { now } from '../../src/clock.ts'
import { OWN_TABLES, type OwnRow, rowsAbout } from '../../src/customers/export.ts'
import { getCustomer } from '../../src/customers/store.ts'
import { databases } from '../support/databases.ts'
import { makePartner } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type Everything, makeEverything } from './everything.ts'

describe.each(databases)('the export of a customer on %s', (kind) => {
  let test: TestService
  let ada: Everything
  let bob: Everything
  beforeAll(async () => {
    test = await openTestService(kind)
    const { partnerId } = await makePartner(test.service)
    ada = await makeEverything(test.service, partnerId)
    bob = await makeEverything(test.service, partnerId)
  })
  afterAll(() => test.close())

  const exported = async () => {
    const { read } = test.service.database
    const rows: OwnRow[] = []
    for await (const row of rowsAbout(read, await getCustomer(read, ada.partnerId, ada.customerId)))
      rows.push(row)
    return rows
  }

  it('has every kind of row, and none of another customer', async () => {
    const rows = await exported()
    expect([...new Set(rows.map(({ kind: table }) => table))].toSorted()).toEqual(
      [...OWN_TABLES.map(({ table }) => table), 'identity'].toSorted()
    )
    const of = (table: string) => rows.filter((one) => one.kind === table).map(({ row }) => row)
    expect(of('memory')).toMatchObject([{ content: expect.stringContaining(ada.planted) }])
    expect(of('chatExchange')).toMatchObject([{ message: `Hello from ${ada.planted}`, reply: ada.planted }])
    expect(of('identity')).toMatchObject([{ email: ada.email }])
    expect(
      of('mail')
        .map(({ recipient }) => recipient)
        .toSorted()
    ).toEqual([ada.email, ada.memberEmail, ada.formerEmail].toSorted())
    expect(of('audit').map(({ action }) => action)).toEqual(
      expect.arrayContaining(['customer_onboard', 'team_member_add', 'customer_token_mint'])
    )
    const text = JSON.stringify(rows)
    for (const theirs of [bob.customerId, bob.email, bob.planted, bob.instanceId])
      expect(text).not.toContain(theirs)
  })

  it('has no hash, nothing sealed, and no beginning of a token', async () => {
    const columns = new Set((await exported()).flatMap(({ row }) => Object.keys(row)))
    // When it ends, and that it is to be changed.
    const harmless = ['temporaryPasswordExpiresAt', 'mustChangePassword']
    const telling = [...columns].filter((column) =>
      /hash|seal|secret|password|prefix|privateKey/i.test(column)
    )
    expect(telling.toSorted()).toEqual(harmless.toSorted())
    const { read } = test.service.database
    const secrets = [
      ...(await read.selectFrom('customerToken').select('hash as secret').execute()),
      ...(await read.selectFrom('customerToken').select('prefix as secret').execute()),
      ...(await read.selectFrom('session').select('tokenHash as secret').execute()),
      ...(await read.selectFrom('instance').select('privateKeySealed as secret').execute()),
      ...(await read.selectFrom('mail').select('sealedSecret as secret').execute()),
      ...(await read.selectFrom('identity').select('temporaryPasswordHash as secret').execute())
    ].flatMap(({ secret }) => secret ?? [])
    expect(secrets.length).toBeGreaterThan(6)
    const text = JSON.stringify(await exported())
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  it('tells what the customer is charged for a call, and nothing of what its partner pays', async () => {
    const rows = await exported()
    expect(rows.find(({ kind }) => kind === 'call')?.row).toHaveProperty('chargeMicros')
    const columns = rows.flatMap(({ row }) => Object.keys(row))
    expect(columns.filter((column) => /cost|multiplier|minutePrice/i.test(column))).toEqual([])
  })

  it('comes page by page, each row once', async () => {
    await test.service.database.transaction(async (tx) => {
      const line = {
        kind: 'ai_credits',
        amountMicros: 1,
        description: 'AI credits',
        occurredAt: now()
      } as const
      const lines = Array.from({ length: 120 }, (_, i) => ({ ...line, reference: `mem_${i}` }))
      await postLines(tx, ada, lines)
    })
    const ids = (await exported()).filter((one) => one.kind === 'billingEntry').map(({ row }) => row.seq)
    const { read } = test.service.database
    const kept = await read
      .selectFrom('billingEntry')
      .where('customerId', '=', ada.customerId)
      .select('seq')
      .execute()
    expect(ids).toHaveLength(kept.length)
    expect(new Set(ids)).toEqual(new Set(kept.map(({ seq }) => seq)))
  })
})
