// Plans that customers have: what they charge, give, take back, and when.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { APP_IDS } from '../../schemas/app.ts'
import { advanceDue } from '../../src/subscriptions/change.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { sweepAll } from '../support/sweep.ts'
import { act, type Subscribers, subscribersOf } from './fixture.ts'

const charged = (amountMicros: number, description: string) => ({
  kind: 'subscription',
  amountMicros,
  description
})

describe.each(databases)('a subscription on %s', (kind) => {
  let test: TestService
  let own: Subscribers
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime('2026-10-15T10:00:00.000Z')
    own = await subscribersOf(test.service)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  describe('with a price', () => {
    it('charges each period at its start, by the clocks of the partner’s zone', async () => {
      const id = await own.customer({ planId: await own.plan() })
      expect(await own.lines(id)).toEqual([charged(31_000_000, 'Pro, 15 Oct 2026 to 15 Nov 2026')])
      // The clocks went back on 25 October.
      await own.until('2026-11-15T10:59:59.999Z')
      expect(await own.lines(id)).toHaveLength(1)
      await own.until('2026-11-15T11:00:00.000Z')
      expect(await own.lines(id)).toHaveLength(2)
      expect(await own.history(id)).toMatchObject([
        {
          status: 'active',
          price: 31,
          period: 'month',
          currency: 'USD',
          nextChargeAt: '2026-12-15T11:00:00.000Z'
        }
      ])
      expect(await own.get(id)).toMatchObject({ unbilledAmount: 62 })
    })

    it('charges every period that was missed, each once, also when two processes look at once', async () => {
      const ids = [
        await own.customer({ planId: await own.plan() }),
        await own.customer({ planId: await own.plan() })
      ]
      vi.setSystemTime('2027-01-20T00:00:00.000Z')
      const look = () => test.service.database.transaction((tx) => advanceDue(tx, 25))
      await Promise.all([look(), look(), look()])
      for (const id of ids) expect(await own.balance(id)).toBe(4 * 31_000_000)
      await look()
      expect(await own.lines(ids[0] ?? '')).toHaveLength(4)
    })

    it('is looked for by the sweeps', async () => {
      const id = await own.customer({ planId: await own.plan({ period: 'quarter' }) })
      vi.setSystemTime('2027-01-15T11:00:00.000Z')
      await sweepAll(test.service)
      expect((await own.lines(id)).at(-1)).toEqual(charged(31_000_000, 'Pro, 15 Jan 2027 to 15 Apr 2027'))
    })

    it('is charged also while another partner’s can’t be', async () => {
      const stuck = await own.customer({ planId: await own.plan() })
      await own.inZone('Mars/Olympus')
      const other = await subscribersOf(test.service)
      const id = await other.customer({ planId: await other.plan() })
      vi.setSystemTime('2026-11-15T11:00:00.000Z')
      const look = () => test.service.database.transaction((tx) => advanceDue(tx, 25))
      await expect(look()).rejects.toThrow()
      await look()
      expect(await other.balance(id)).toBe(62_000_000)
      await expect(look()).rejects.toThrow()
      await own.inZone('Europe/Berlin')
      await look()
      await look()
      expect(await own.balance(stuck)).toBe(62_000_000)
    })

    it('is overridden by the price that was agreed, from the next charge on', async () => {
      const id = await own.customer({ planId: await own.plan() })
      await own.patch(id, { agreedPrice: 20.5 })
      await own.until('2026-11-16T00:00:00.000Z')
      await own.patch(id, { agreedPrice: 0 })
      await own.until('2026-12-16T00:00:00.000Z')
      expect((await own.lines(id)).map(({ amountMicros }) => amountMicros)).toEqual([31_000_000, 20_500_000])
      expect(await own.listed(id)).toMatchObject({ subscriptionStatus: 'active', subscriptions: 1 })
    })

    it('keeps its terms when the plan is changed, and later customers get the new ones', async () => {
      const planId = await own.plan({ features: { maxTeamMembers: 9 } })
      const first = await own.customer({ planId })
      const changes = { price: 40, name: 'Pro 2', features: { maxTeamMembers: 2 } }
      const { data } = await act(test.service, 'plan_update', { planId, ...changes }, own)
      expect(data).toMatchObject({ ...changes, version: 2, currency: 'USD' })
      const second = await own.customer({ planId })
      await own.until('2026-11-16T00:00:00.000Z')
      expect(await own.balance(first)).toBe(62_000_000)
      expect(await own.balance(second)).toBe(80_000_000)
      expect(await own.get(first)).toMatchObject({ maxTeamMembers: 9, planId })
      expect(await own.get(second)).toMatchObject({ maxTeamMembers: 2, planId })
    })
  })

  describe('that ends or is changed', () => {
    it('gives back what is left of the period, to the micro-unit', async () => {
      const id = await own.customer({ planId: await own.plan({ price: 10 }) })
      await own.until('2026-10-22T10:00:00.000Z')
      expect(await own.patch(id, { planId: null })).toMatchObject({ planId: null })
      // 31 days and the hour of October 25; 24 days and that hour are left.
      const left = Math.round((10_000_000 * (24 * 24 + 1)) / (31 * 24 + 1))
      expect(await own.lines(id)).toEqual([
        charged(10_000_000, 'Pro, 15 Oct 2026 to 15 Nov 2026'),
        charged(-left, 'Pro, unused from 22 Oct 2026')
      ])
      await own.until('2027-10-22T10:00:00.000Z')
      expect(await own.balance(id)).toBe(10_000_000 - left)
      expect(await own.listed(id)).toMatchObject({ subscriptionStatus: 'canceled', subscriptions: 0 })
    })

    it('charges the new plan at once, and keeps the old one as history', async () => {
      const id = await own.customer({ planId: await own.plan({ price: 10 }) })
      const large = await own.plan({ price: 100, name: 'Large', period: 'year' })
      await own.patch(id, { planId: large })
      expect((await own.lines(id)).map(({ amountMicros }) => amountMicros)).toEqual([
        10_000_000, -10_000_000, 100_000_000
      ])
      expect(await own.history(id)).toMatchObject([
        { planName: 'Large', status: 'active', endedAt: null, periodEndsAt: '2027-10-15T10:00:00.000Z' },
        { planName: 'Pro', status: 'canceled', endedAt: '2026-10-15T10:00:00.000Z', nextChargeAt: null }
      ])
    })

    it('changes nothing when the same plan is given again, or none to who has none', async () => {
      const planId = await own.plan({ features: { trialDays: 3 }, credits: 5 })
      const [id, none] = [await own.customer({ planId }), await own.customer()]
      const before = [await own.history(id), await own.account(id)]
      await own.until('2026-10-16T10:00:00.000Z')
      await own.patch(id, { planId })
      await own.patch(none, { planId: null })
      expect([await own.history(id), await own.account(id)]).toEqual(before)
      expect(await own.listed(none)).toMatchObject({ subscriptionStatus: 'none' })
    })

    it('takes back what it gave, but for what was changed since', async () => {
      const features = { enableAiMemory: true, maxTeamMembers: 20, allowedApps: [], lowCreditThreshold: 7.5 }
      const id = await own.customer({ planId: await own.plan({ features }) })
      expect(await own.get(id)).toMatchObject(features)
      await own.patch(id, { maxTeamMembers: 6 })
      const next = await own.plan({ name: 'Next', features: { allowedApps: [], showIntegration: false } })
      await own.patch(id, { planId: next })
      const kept = { enableAiMemory: false, maxTeamMembers: 6, lowCreditThreshold: null }
      expect(await own.get(id)).toMatchObject({ ...kept, allowedApps: [], showIntegration: false })
      await own.patch(id, { planId: null })
      expect(await own.get(id)).toMatchObject({ ...kept, allowedApps: [...APP_IDS], showIntegration: true })
    })
  })

  describe('with a trial', () => {
    const features = { trialDays: 14, enableAiMemory: true }
    const OVER = '2026-10-29T10:00:00.000Z'

    it('charges a postpaid customer when it ends', async () => {
      const id = await own.customer({ planId: await own.plan({ features }) })
      expect(await own.listed(id)).toMatchObject({ isOnTrial: true, subscriptionStatus: 'trialing' })
      await own.until('2026-10-29T09:59:59.999Z')
      expect(await own.lines(id)).toEqual([])
      await own.until(OVER)
      expect(await own.lines(id)).toEqual([charged(31_000_000, 'Pro, 29 Oct 2026 to 29 Nov 2026')])
      expect(await own.listed(id)).toMatchObject({ isOnTrial: false, subscriptionStatus: 'active' })
      expect(await own.get(id)).toMatchObject({ enableAiMemory: true })
      expect(await act(test.service, 'dashboard_get', {}, own)).toMatchObject({
        data: { customers: { onTrial: 0 } }
      })
    })

    it('takes back what it gave to a prepaid customer until it is given again, and paid', async () => {
      const planId = await own.plan({ features, credits: 5 })
      const id = await own.customer({ planId })
      await own.patch(id, { billingType: 'prepaid' })
      await own.until(OVER)
      expect(await own.listed(id)).toMatchObject({ subscriptionStatus: 'past_due', isOnTrial: false })
      expect(await own.get(id)).toMatchObject({ enableAiMemory: false, planId })
      expect(await own.lines(id)).toEqual([])

      await own.until('2026-11-02T11:00:00.000Z')
      // Whatever has become of the plan: what the customer has goes on.
      await act(test.service, 'plan_update', { planId, price: 99, features: {}, isArchived: true }, own)
      await own.patch(id, { planId })
      expect(await own.lines(id)).toEqual([charged(31_000_000, 'Pro, 2 Nov 2026 to 2 Dec 2026')])
      expect(await own.get(id)).toMatchObject({ enableAiMemory: true })
      expect(await own.account(id)).toMatchObject({ balanceMicros: 5_000_000 })

      await own.until('2026-12-02T11:00:00.000Z')
      expect(await own.listed(id)).toMatchObject({ subscriptionStatus: 'past_due' })
      expect(await own.get(id)).toMatchObject({ enableAiMemory: false })
      expect(await own.balance(id)).toBe(31_000_000)
      await own.patch(id, { planId: null })
      expect(await own.balance(id)).toBe(31_000_000)
    })

    it('goes on where there is no price, whatever the billing type', async () => {
      const id = await own.customer({ planId: await own.plan({ features, price: undefined }) })
      await own.patch(id, { billingType: 'prepaid' })
      await own.until('2026-12-31T00:00:00.000Z')
      expect(await own.listed(id)).toMatchObject({ subscriptionStatus: 'active' })
      expect(await own.get(id)).toMatchObject({ enableAiMemory: true })
      expect(await own.lines(id)).toEqual([])
    })

    it('has one trial with its first plan, and none after that', async () => {
      const id = await own.customer({ planId: await own.plan({ features }) })
      await own.patch(id, { planId: await own.plan({ features, name: 'Second' }) })
      expect(await own.listed(id)).toMatchObject({ subscriptionStatus: 'active' })
      expect(await own.balance(id)).toBe(31_000_000)
    })
  })

  it('is refused where the plan is archived, unknown, a pack, or another partner’s', async () => {
    const other = await subscribersOf(test.service)
    const id = await own.customer()
    const theirs = await other.plan()
    const pack = await own.plan({ kind: 'credit', credits: 5 })
    for (const planId of [theirs, pack, 'pln_none'])
      await expect(own.patch(id, { planId })).rejects.toMatchObject({
        code: 'plan_not_found',
        field: 'planId'
      })
    const planId = await own.plan()
    await act(test.service, 'plan_update', { planId, isArchived: true }, own)
    await expect(own.patch(id, { planId })).rejects.toMatchObject({
      message: expect.stringContaining('is archived')
    })
    await expect(own.customer({ planId })).rejects.toMatchObject({
      message: expect.stringContaining('is archived')
    })
    expect(await own.listed(id)).toMatchObject({ subscriptionStatus: 'none' })
    await act(test.service, 'plan_update', { planId, isArchived: false }, own)
    expect(await own.patch(id, { planId })).toMatchObject({ planId })
    // Nor does anybody change another partner's plan, or read its customers' plans.
    const change = act(test.service, 'plan_update', { planId: theirs, price: 1 }, own)
    await expect(change).rejects.toMatchObject({ code: 'plan_not_found' })
    await expect(other.history(id)).rejects.toMatchObject({ code: 'customer_not_found' })
  })

  it('starts with the credits of the plan, and with those that onboarding gives', async () => {
    const planId = await own.plan({ credits: 40 })
    const id = await own.customer({ planId, startingCredits: 2.5 })
    expect(await own.account(id)).toEqual({ balanceMicros: 42_500_000, paidMicros: 42_500_000 })
    const entries = await act(test.service, 'customer_credits_entries', { customerId: id }, own)
    expect(entries).toMatchObject({
      data: [
        { kind: 'initial', amount: 40, note: 'Pro' },
        { kind: 'initial', amount: 2.5 }
      ]
    })
  })
})
