// What the console and the portal offer on a customer's tokens: who may mint, how many, and what is kept of it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Scope } from '../../schemas/api-key.ts'
import type { Caller } from '../../src/caller.ts'
import { execute } from '../../src/execute.ts'
import { verifyCustomerToken } from '../../src/keys/credentials.ts'
import {
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../src/keys/operations.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, stringAt, type TestPartner } from '../support/fixture.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('the operations on a customer’s tokens on %s', (kind) => {
  let opened: TestService
  let partner: TestPartner
  let customerId: string

  beforeAll(async () => {
    opened = await openTestService(kind)
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    partner = await makePartner(opened.service)
    customerId = (await makeCustomerRow(opened.service, partner.partnerId, { enableApiAccess: 1 })).id
  })

  const scopes = new Set<Scope>(['customers:read', 'customers:write'])
  const partnersOwn = (): Caller => ({ partnerId: partner.partnerId, actor: 'usr_1', scopes })
  const customersOwn = (): Caller & { customerId: string } => ({
    ...partnersOwn(),
    actor: 'idn_1',
    customerId
  })
  const call = async (
    operation: AnyOperation,
    caller: Caller,
    input: Record<string, unknown>,
    idempotencyKey?: string
  ) => {
    const requestId = 'req_test'
    return (await execute(operation, opened.service, { caller, requestId, idempotencyKey }, input)).output
  }
  const mint = (caller: Caller, input: Record<string, unknown> = {}, key?: string) =>
    call(mintCustomerTokenOperation, caller, { customerId, name: 'assistant', ...input }, key)
  const refusal = (code: string, field?: string) => expect.objectContaining({ code, field })

  it('mint a token that opens that customer’s gateway, and list nothing that does', async () => {
    const token = stringAt(await mint(customersOwn()), 'token')
    const { caller } = await verifyCustomerToken(opened.service.database.read, token)
    expect(caller).toMatchObject({ partnerId: partner.partnerId, customerId })
    const listed = await call(listCustomerTokensOperation, customersOwn(), { customerId })
    expect(listed).toMatchObject({
      data: [{ name: 'assistant', prefix: token.slice(0, 12), revokedAt: null }]
    })
    expect(JSON.stringify(listed)).not.toContain(token)
    expect(at(listed, 'data', 0, 'hash')).toBeUndefined()
  })

  it('keep no token for a repeated key', async () => {
    expect(stringAt(await mint(customersOwn(), {}, 'k1'), 'token')).toMatch(/^mct_/)
    expect(await mint(customersOwn(), {}, 'k1')).toMatchObject({ token: null })
    expect(at(await call(listCustomerTokensOperation, partnersOwn(), { customerId }), 'data')).toHaveLength(1)
    const kept = await opened.service.database.read
      .selectFrom('idempotency')
      .where('partnerId', '=', partner.partnerId)
      .select('answer')
      .execute()
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toMatch(/mct_/)
  })

  it('record who minted and who revoked, never the token', async () => {
    const minted = await mint(customersOwn())
    const tokenId = stringAt(minted, 'tokenId')
    await call(revokeCustomerTokenOperation, partnersOwn(), { customerId, tokenId })
    const acts = await opened.service.database.read
      .selectFrom('audit')
      .where('partnerId', '=', partner.partnerId)
      .select(['actor', 'action', 'targetType', 'targetId', 'fields'])
      .orderBy('createdAt')
      .execute()
    const target = { targetType: 'customer_token', targetId: tokenId, fields: '[]' }
    expect(acts).toHaveLength(2)
    expect(acts).toContainEqual({ actor: 'idn_1', action: 'customer_token_mint', ...target })
    expect(acts).toContainEqual({ actor: 'usr_1', action: 'customer_token_revoke', ...target })
  })

  it('let a customer mint only where enableApiAccess is on, and its partner always', async () => {
    customerId = (await makeCustomerRow(opened.service, partner.partnerId, { enableApiAccess: 0 })).id
    await expect(mint(customersOwn())).rejects.toEqual(refusal('api_access_disabled'))
    expect(await mint(partnersOwn())).toMatchObject({ token: expect.stringMatching(/^mct_/) })
  })

  it('refuse an end that is over', async () => {
    await expect(mint(customersOwn(), { expiresAt: '2020-01-01T00:00:00Z' })).rejects.toEqual(
      refusal('invalid_input', 'expiresAt')
    )
  })

  it('refuse more than a hundred that work; revoked and expired ones leave room', async () => {
    const minted: string[] = []
    for (let i = 0; i < 100; i += 1) minted.push(stringAt(await mint(customersOwn()), 'tokenId'))
    await expect(mint(customersOwn())).rejects.toEqual(refusal('invalid_input'))
    const [first, second] = minted
    await call(revokeCustomerTokenOperation, customersOwn(), { customerId, tokenId: first })
    await mint(customersOwn())
    await expect(mint(customersOwn())).rejects.toEqual(refusal('invalid_input'))
    await opened.service.database.transaction((tx) =>
      tx
        .updateTable('customerToken')
        .set({ expiresAt: '2020-01-01T00:00:00.000Z' })
        .where('id', '=', second ?? '')
        .execute()
    )
    await mint(customersOwn())
  })

  it('know other customers’ tokens no more than none', async () => {
    const neighbour = (await makeCustomerRow(opened.service, partner.partnerId)).id
    const theirs = stringAt(await mint(partnersOwn(), { customerId: neighbour }), 'tokenId')
    for (const caller of [partnersOwn(), customersOwn()]) {
      for (const tokenId of [theirs, 'tok_none']) {
        await expect(call(revokeCustomerTokenOperation, caller, { customerId, tokenId })).rejects.toEqual(
          refusal('token_not_found', 'tokenId')
        )
      }
    }
    for (const [operation, input] of [
      [listCustomerTokensOperation, {}],
      [mintCustomerTokenOperation, { name: 'x' }],
      [revokeCustomerTokenOperation, { tokenId: theirs }]
    ] as const) {
      const foreign = call(operation, customersOwn(), { customerId: neighbour, ...input })
      await expect(foreign).rejects.toEqual(refusal('customer_not_found', 'customerId'))
      const stranger = { ...partnersOwn(), partnerId: (await makePartner(opened.service)).partnerId }
      await expect(call(operation, stranger, { customerId: neighbour, ...input })).rejects.toEqual(
        refusal('customer_not_found', 'customerId')
      )
    }
    const listed = await call(listCustomerTokensOperation, partnersOwn(), { customerId: neighbour })
    expect(listed).toMatchObject({ data: [{ tokenId: theirs, revokedAt: null }] })
  })

  it('refuse a member’s scopes', async () => {
    const member = { ...customersOwn(), scopes: new Set<Scope>(['memory:read']) }
    for (const operation of [listCustomerTokensOperation, mintCustomerTokenOperation]) {
      await expect(call(operation, member, { customerId })).rejects.toEqual(refusal('missing_scope'))
    }
  })
})
