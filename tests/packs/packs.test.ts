// Packs that customers buy on account: credits and a line on the statement, once a click.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import { makePortalCustomer, makeTeamMate } from '../portal/customer-visitors.ts'
import { act, type Subscribers, subscribersOf } from '../subscriptions/fixture.ts'
import { databases } from '../support/databases.ts'
import { at } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

describe.each(databases)('a pack on %s', (kind) => {
  let server: TestServer
  let own: Subscribers
  let planId: string
  let customerId: string
  beforeAll(async () => {
    server = await startTestServer(kind)
  })
  afterAll(async () => {
    await expectCreditsToAddUp(server.service.database.read)
    await server.close()
  })
  beforeEach(async () => {
    own = await subscribersOf(server.service)
    planId = await own.plan({ name: '500 credits', kind: 'credit', credits: 500, price: 49 })
    customerId = await own.customer()
    await own.patch(customerId, { aiCreditsEnabled: true, creditPlanIds: [planId] })
  })

  const buy = (input: Record<string, unknown> = {}, by: Record<string, string> = {}) =>
    act(server.service, 'pack_buy', { customerId, planId, version: 1, ...input }, { ...own, ...by })
  const offered = async (id = customerId) =>
    at(await act(server.service, 'pack_list', { customerId: id }, { ...own, customerId: id }), 'data')
  const bought = (times: number) => ({
    account:
      times === 0 ? undefined : { balanceMicros: times * 500_000_000, paidMicros: times * 500_000_000 },
    lines: Array.from({ length: times }, () => ({
      kind: 'pack',
      amountMicros: 49_000_000,
      description: '500 credits'
    }))
  })
  const books = async (id = customerId) => ({ account: await own.account(id), lines: await own.lines(id) })

  it('is offered with its price, and bought by the customer itself', async () => {
    expect(await offered()).toEqual([
      { planId, name: '500 credits', credits: 500, price: 49, currency: 'USD', version: 1 }
    ])
    expect(await buy({}, { customerId })).toMatchObject({ data: { balance: 500, price: 49 } })
    expect(await books()).toEqual(bought(1))
    const entries = await act(server.service, 'customer_credits_entries', { customerId }, own)
    expect(entries).toMatchObject({ data: [{ kind: 'purchase', amount: 500, note: '500 credits' }] })
  })

  it('is charged once for a double click, twice for two forms, and again for its partner’s', async () => {
    const idempotencyKey = randomUUID()
    const clicks = await Promise.all([1, 2, 3].map(() => buy({}, { customerId, idempotencyKey })))
    expect(new Set(clicks.map((click) => JSON.stringify(click))).size).toBe(1)
    expect(await books()).toEqual(bought(1))
    await Promise.all([1, 2].map(() => buy({}, { customerId, idempotencyKey: randomUUID() })))
    await buy({}, { idempotencyKey })
    expect(await books()).toEqual(bought(4))
  })

  it('is refused where the customer may not buy it: not named, archived, another’s, or no pack', async () => {
    const other = await subscribersOf(server.service)
    const theirs = await other.plan({ kind: 'credit', credits: 1 })
    const unnamed = await own.plan({ kind: 'credit', credits: 1 })
    const old = await own.plan({ kind: 'credit', price: undefined })
    const subscription = await own.plan()
    await own.patch(customerId, { creditPlanIds: [planId, old] })
    expect(await offered()).toMatchObject([{ planId }])
    for (const wrong of [theirs, unnamed, old, subscription, 'pln_none'])
      await expect(buy({ planId: wrong }, { customerId })).rejects.toMatchObject({ code: 'plan_not_found' })
    await act(server.service, 'plan_update', { planId, isArchived: true }, own)
    await expect(buy()).rejects.toMatchObject({ message: expect.stringContaining('is archived') })
    expect(await offered()).toEqual([])
    await expect(
      act(server.service, 'pack_buy', { customerId, planId, version: 1 }, other)
    ).rejects.toMatchObject({
      code: 'customer_not_found'
    })
    expect(await books()).toEqual(bought(0))
  })

  it('isn’t offered to a customer without AI credits of its own', async () => {
    await own.patch(customerId, { aiCreditsEnabled: false })
    expect(await offered()).toEqual([])
    await expect(buy()).rejects.toMatchObject({ code: 'plan_not_found' })
  })

  it('is refused at a price that wasn’t shown', async () => {
    await act(server.service, 'plan_update', { planId, price: 490 }, own)
    await expect(buy({}, { customerId })).rejects.toMatchObject({ code: 'invalid_input', field: 'version' })
    expect(await buy({ version: 2 })).toMatchObject({ data: { price: 490 } })
  })

  it('is bought for nobody but who buys it', async () => {
    const another = await own.customer()
    await own.patch(another, { aiCreditsEnabled: true, creditPlanIds: [planId] })
    const attempt = buy({ customerId: another }, { customerId })
    await expect(attempt).rejects.toMatchObject({ code: 'customer_not_found' })
    expect(await books(another)).toEqual(bought(0))
  })

  it('is bought twenty times a day at most', async () => {
    for (let times = 0; times < 20; times += 1) await buy()
    await expect(buy()).rejects.toMatchObject({ code: 'rate_limited' })
    expect(await books()).toEqual(bought(20))
  })

  it('needs credits and a price, or neither', async () => {
    const create = (given: Record<string, unknown>) =>
      act(server.service, 'plan_create', { name: 'P', kind: 'credit', features: {}, ...given }, own)
    await expect(create({ price: 5 })).rejects.toMatchObject({ code: 'invalid_input', field: 'credits' })
    await expect(create({ credits: 5 })).rejects.toMatchObject({ code: 'invalid_input', field: 'price' })
    await expect(create({ price: 0.0000001, credits: 5 })).rejects.toMatchObject({ field: 'price' })
    await expect(create({ price: 5, credits: 0 })).rejects.toMatchObject({ field: 'credits' })
    const change = act(server.service, 'plan_update', { planId, credits: null }, own)
    await expect(change).rejects.toMatchObject({ field: 'credits' })
  })

  it('is bought in the portal by who manages, once for two clicks at once, and by no member', async () => {
    const { partner } = server
    const sold = { name: '10 credits', kind: 'credit', features: {}, price: 3.5, credits: 10 }
    const made = await act(server.service, 'plan_create', sold, partner)
    const id = String(at(made, 'data', 'planId'))
    const terms = { aiCreditsEnabled: true, creditPlanIds: [id] }
    const customer = await makePortalCustomer(server, partner, terms)
    const page = await customer.owner.get('/packs')
    expect(page.html).toContain('$3.50, 10 credits')
    expect((await customer.owner.get('')).html).toContain('Buy credits')
    const form = { planId: id, version: '1', idempotencyKey: randomUUID() }
    const answers = await Promise.all([1, 2].map(() => customer.owner.post('/packs/buy', form)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    expect(await own.lines(customer.customerId)).toMatchObject([{ kind: 'pack', amountMicros: 3_500_000 }])
    const { browser: member } = await makeTeamMate(server, partner, customer.customerId, 'member')
    expect((await member.get('/packs')).status).toBe(403)
    expect((await member.post('/packs/buy', { ...form, idempotencyKey: randomUUID() })).status).toBe(403)
    expect(await own.lines(customer.customerId)).toHaveLength(1)
  })
})
