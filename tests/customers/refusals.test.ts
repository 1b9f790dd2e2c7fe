// Erasing a customer: what it asks for, whom it closes out at once, and what keeps it from happening.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AiGatewayError } from '../../src/ai-gateway/keys.ts'
import { fromNow, MINUTE_MS } from '../../src/clock.ts'
import { finishErasures, untilErased } from '../../src/customers/erasing.ts'
import type { Database } from '../../src/database/database.ts'
import { listCustomerTokens, mintCustomerToken, verifyCustomerToken } from '../../src/keys/credentials.ts'
import { addIdentity, findIdentity } from '../../src/portal-access/identities.ts'
import type { Service } from '../../src/service.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, run } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type Everything, makeEverything } from './everything.ts'

describe.each(databases)('erasing a customer on %s', (kind) => {
  let test: TestService
  let database: Database
  let ada: Everything
  beforeAll(async () => {
    test = await openTestService(kind)
    database = test.service.database
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    const { partnerId } = await makePartner(test.service)
    ada = await makeEverything(test.service, partnerId)
  })

  const erase = (input: Record<string, unknown> = {}, service: Service = test.service, who = ada.partnerId) =>
    run(service, who, 'customer_erase', { customerId: ada.customerId, confirm: ada.code, ...input })

  it('asks for the short code, in either case, and takes no other', async () => {
    const before = await everyRow(test.service)
    for (const confirm of [undefined, '', ' ', 'yes', ada.email, ada.customerId, `${ada.code}X`])
      await expect(erase({ confirm })).rejects.toMatchObject({ code: 'invalid_input', field: 'confirm' })
    expect(await everyRow(test.service)).toEqual(before)
    await erase({ customerId: ada.code, confirm: ` ${ada.code.toLowerCase()} ` })
  })

  it('is another partner’s never, and done once', async () => {
    const { partnerId: mallory } = await makePartner(test.service)
    const before = await everyRow(test.service)
    for (const customerId of [ada.customerId, ada.code])
      await expect(erase({ customerId }, test.service, mallory)).rejects.toMatchObject({
        code: 'customer_not_found'
      })
    expect(await everyRow(test.service)).toEqual(before)
    const outcomes = await Promise.allSettled([erase(), erase(), erase()])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await expect(erase()).rejects.toMatchObject({ code: 'customer_not_found' })
  })

  it('changes nothing while the AI gateway can’t be asked, and can be done again', async () => {
    const revoke = () => Promise.reject(new AiGatewayError('unreachable', 'The proxy is away.'))
    const before = await everyRow(test.service)
    const away = erase({}, { ...test.service, aiKeys: { ...test.service.aiKeys, revoke } })
    await expect(away).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(await everyRow(test.service)).toEqual(before)
    await erase()
  })

  it('closes every channel with its commit, before anything is deleted in the background', async () => {
    const { partnerId, customerId } = ada
    const { token } = await database.transaction((tx) =>
      mintCustomerToken(tx, partnerId, customerId, { name: 'a' })
    )
    const ended: string[] = []
    await erase({}, { ...test.service, ssh: { ...test.service.ssh, end: (id) => void ended.push(id) } })
    expect(ended).toEqual([ada.instanceId])
    await expect(verifyCustomerToken(database.read, token)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await listCustomerTokens(database.read, partnerId, customerId)).toEqual([])
    for (const table of ['session', 'teamMember', 'instance', 'mind', 'aiKey', 'deploy'] as const)
      expect([
        table,
        await database.read.selectFrom(table).where('partnerId', '=', partnerId).selectAll().execute()
      ]).toEqual([table, []])
    for (const [name, more] of [
      ['memory_recall'],
      ['customer_get'],
      ['team_member_list'],
      ['customer_token_mint', { name: 'b' }]
    ] as const)
      await expect(run(test.service, partnerId, name, { customerId, ...more })).rejects.toMatchObject({
        code: 'customer_not_found'
      })
    const agent = database.read.selectFrom('voiceAgent').where('agentId', '=', ada.agentId).selectAll()
    expect(await agent.execute()).toMatchObject([{ customerId: null, multiplierMicros: null }])
    expect(JSON.stringify(await run(test.service, partnerId, 'dashboard_get', {}))).not.toContain(ada.planted)
  })

  it('ends a deploy that is under way, with a key that it has made meanwhile', async () => {
    const revoked: string[] = []
    const change = (columns: Record<string, unknown>) =>
      database.transaction((tx) =>
        tx.updateTable('deploy').set(columns).where('instanceId', '=', ada.instanceId).execute()
      )
    await change({ phase: 'preparing', finishedAt: null, keyAlias: 'dep_first' })
    const revoke = async (alias: string) => {
      revoked.push(alias)
      if (alias === 'dep_first') await change({ keyAlias: 'dep_second' })
    }
    await erase({}, { ...test.service, aiKeys: { ...test.service.aiKeys, revoke } })
    expect(revoked).toEqual(['dep_first', 'dep_second'])
  })

  it('gives credits that were held back to the partner, whose ledger stays as it was', async () => {
    const { partnerId, customerId } = ada
    const account = () =>
      database.read
        .selectFrom('creditAccount')
        .where('id', '=', partnerId)
        .select('balanceMicros')
        .executeTakeFirstOrThrow()
    const before = await account()
    await database.transaction(async (tx) => {
      const held = { partnerMicros: 7_000_000, customerMicros: 5_000_000 }
      const reference = `res_${customerId}`
      for (const [id, micros] of [
        [partnerId, held.partnerMicros],
        [customerId, held.customerMicros]
      ] as const) {
        const moved = await tx
          .updateTable('creditAccount')
          .set((eb) => ({
            balanceMicros: eb('balanceMicros', '-', micros),
            entryCount: eb('entryCount', '+', 1)
          }))
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        await tx
          .insertInto('creditEntry')
          .values({
            accountId: id,
            seq: moved.entryCount,
            partnerId,
            customerId: moved.customerId,
            kind: 'hold',
            amountMicros: -micros,
            balanceAfterMicros: moved.balanceMicros,
            operation: 'memory_ask',
            reference,
            note: null,
            createdAt: fromNow(0)
          })
          .execute()
      }
      await tx
        .insertInto('creditReservation')
        .values({
          id: reference,
          partnerId,
          customerId,
          mindId: ada.mindId,
          operation: 'memory_ask',
          ...held,
          usageMicros: 0,
          status: 'held',
          expiresAt: fromNow(MINUTE_MS),
          createdAt: fromNow(0)
        })
        .execute()
    })
    await erase()
    expect(await account()).toEqual(before)
    await untilErased(test.service)
    const entries = await database.read
      .selectFrom('creditEntry')
      .where('partnerId', '=', partnerId)
      .select(['accountId', 'amountMicros'])
      .execute()
    expect(new Set(entries.map(({ accountId }) => accountId))).toEqual(new Set([partnerId]))
    const sum = entries.reduce((total, { amountMicros }) => total + amountMicros, 0)
    expect(sum).toBe(before.balanceMicros)
  })

  it('leaves whoever signs in to another customer, and takes who was once invited', async () => {
    const { partnerId } = ada
    const other = await makeEverything(test.service, partnerId)
    await run(test.service, partnerId, 'team_member_add', {
      customerId: other.customerId,
      email: ada.memberEmail,
      name: 'Grace'
    })
    await database.transaction((tx) => addIdentity(tx, partnerId, ada.memberEmail))
    const former = `former-${ada.memberEmail}`
    const { data } = await run(test.service, partnerId, 'team_member_add', {
      customerId: ada.customerId,
      email: former,
      name: 'Ed'
    })
    await database.transaction((tx) => addIdentity(tx, partnerId, former))
    await run(test.service, partnerId, 'team_member_remove', {
      customerId: ada.customerId,
      teamMemberId: at(data, 'id')
    })
    await erase()
    const known = async (email: string) => (await findIdentity(database.read, partnerId, email)) !== undefined
    expect(await Promise.all([ada.memberEmail, other.email, ada.email, former].map(known))).toEqual([
      true,
      true,
      false,
      false
    ])
  })

  it('takes kept answers by what names the customer alone', async () => {
    const { partnerId } = ada
    const keep = (key: string, answer: string) => {
      const row = { partnerId, operation: 'customer_create', key, inputHash: '', answer }
      return database.transaction((tx) =>
        tx
          .insertInto('idempotency')
          .values({ ...row, expiresAt: fromNow(MINUTE_MS), createdAt: fromNow(0) })
          .execute()
      )
    }
    await keep(`for-${ada.email.toUpperCase()}`, '{}')
    await keep('his', `{"email":"${ada.email}"}`)
    await keep('theirs', `{"email":"x${ada.email}","phone":"${ada.phone}0"}`)
    await erase()
    await untilErased(test.service)
    const kept = database.read
      .selectFrom('idempotency')
      .where('operation', '=', 'customer_create')
      .where('partnerId', '=', partnerId)
    expect(await kept.select('key').execute()).toEqual([{ key: 'theirs' }])
  })

  it('waits for a mail that is being sent, and sends none that waits', async () => {
    const mails = () =>
      database.read.selectFrom('mail').where('customerId', '=', ada.customerId).select('id').execute()
    const [first] = await mails()
    const lease = (leaseExpiresAt: string) =>
      database.transaction((tx) =>
        tx
          .updateTable('mail')
          .set({ leaseOwner: 'wrk_1', leaseExpiresAt })
          .where('id', '=', first?.id ?? '')
          .execute()
      )
    await lease(fromNow(MINUTE_MS))
    await erase()
    expect(await finishErasures(test.service)).toBe(false)
    expect(await mails()).toEqual([first])
    await lease(fromNow(-1))
    expect(await finishErasures(test.service)).toBe(true)
    expect(await mails()).toEqual([])
  })
})
