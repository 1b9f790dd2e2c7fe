// What the console's pages read beyond the partner API: dashboard, labels, prices, voice agents.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DAY_MS, fromNow, now } from '../../src/clock.ts'
import type { WriteHandle } from '../../src/database/database.ts'
import { advanceDue } from '../../src/subscriptions/change.ts'
import { databases } from '../support/databases.ts'
import {
  at,
  makePartner,
  makePlan,
  makeVoiceAgent,
  run,
  stringAt,
  type TestPartner,
  uniqueEmail
} from '../support/fixture.ts'
import { startAtNoon } from '../support/noon.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('the console’s reads on %s', (kind) => {
  let opened: TestService
  let partner: TestPartner

  beforeAll(async () => {
    startAtNoon()
    opened = await openTestService(kind)
    partner = await makePartner(opened.service)
  })
  afterAll(async () => {
    vi.useRealTimers()
    await opened.close()
  })

  const act = (name: string, input: Record<string, unknown> = {}, who = partner) =>
    run(opened.service, who.partnerId, name, input)
  const write = <T>(work: (tx: WriteHandle) => Promise<T>) => opened.service.database.transaction(work)
  const fresh = () => makePartner(opened.service)
  const makeCustomer = async (who = partner, changes: Record<string, unknown> = {}): Promise<string> => {
    const created = await act('customer_create', { email: uniqueEmail() }, who)
    const customerId = stringAt(created, 'data', 'id')
    if (Object.keys(changes).length > 0) await act('customer_update', { customerId, ...changes }, who)
    return customerId
  }

  describe('the dashboard', () => {
    it('of a new partner has nothing in it', async () => {
      const { data } = await act('dashboard_get', {}, await fresh())
      expect(data).toMatchObject({
        customers: {
          total: 0,
          portal: { none: 0, active: 0, suspended: 0 },
          order: { new: 0, active: 0 },
          onTrial: 0
        },
        lowOnCredits: { count: 0, customers: [] },
        failedMails: 0,
        activity: []
      })
      expect(at(data, 'credits', 'daily')).toHaveLength(30)
    })

    it('counts customers by state, and nobody else’s', async () => {
      const own = await fresh()
      const plan = await makePlan(opened.service, own.partnerId, 'subscription', { trialDays: 7 })
      await makeCustomer(own)
      await makeCustomer(own, { deploymentStatus: 'completed' })
      const onboarded = await act(
        'customer_onboard',
        { basic: { email: uniqueEmail() }, allowPortalAccess: true, planId: plan },
        own
      )
      const blocked = await makeCustomer(own)
      await act('customer_enable_portal_access', { customerId: blocked }, own)
      await act('customer_toggle_portal_block', { customerId: blocked }, own)
      await makeCustomer()
      const { data } = await act('dashboard_get', {}, own)
      expect(at(data, 'customers')).toEqual({
        total: 4,
        portal: { none: 2, active: 1, suspended: 1 },
        order: { new: 3, active: 1 },
        onTrial: 1
      })
      // The same filters lead to the same customers.
      const idsOf = async (filter: Record<string, unknown>) =>
        [at(await act('customer_find', filter, own), 'data')].flat().map((item) => at(item, 'id'))
      expect(await idsOf({ isOnTrial: true })).toEqual([stringAt(onboarded, 'data', 'id')])
      expect(await idsOf({ isOnTrial: false })).toHaveLength(3)
      expect(await idsOf({ credentialStatus: 'suspended' })).toEqual([blocked])
      expect(await idsOf({ orderStatus: 'new' })).toHaveLength(3)
      expect(await idsOf({ orderStatus: 'new', credentialStatus: 'none' })).toHaveLength(1)
    })

    it('doesn’t count a trial that has ended', async () => {
      const own = await fresh()
      const plan = await makePlan(opened.service, own.partnerId, 'subscription', { trialDays: 7 })
      const { data } = await act('customer_onboard', { basic: { email: uniqueEmail() }, planId: plan }, own)
      await write((tx) =>
        tx
          .updateTable('subscription')
          .set({ dueAt: fromNow(-1000) })
          .where('customerId', '=', stringAt(data, 'id'))
          .execute()
      )
      await write((tx) => advanceDue(tx, 25))
      expect(at(await act('dashboard_get', {}, own), 'data', 'customers', 'onTrial')).toBe(0)
      expect(at(await act('customer_find', { isOnTrial: true }, own), 'data')).toEqual([])
    })

    it('names who is low on credits, the emptiest first, and who has none, with a threshold or without', async () => {
      const own = await fresh()
      const settings = { aiCreditsEnabled: true, lowCreditThreshold: 20 }
      const never = await makeCustomer(own, settings)
      const some = await makeCustomer(own, settings)
      await act('credits_grant', { customerId: some, amount: 19.5 }, own)
      const enough = await makeCustomer(own, settings)
      await act('credits_grant', { customerId: enough, amount: 20 }, own)
      await makeCustomer(own, { ...settings, aiCreditsEnabled: false })
      const bare = await makeCustomer(own, { aiCreditsEnabled: true })
      const { data } = await act('dashboard_get', {}, own)
      const none = [
        { id: never, balance: 0, threshold: 20, movedAt: null },
        { id: bare, balance: 0, threshold: 0, movedAt: null }
      ]
      expect(at(data, 'lowOnCredits')).toMatchObject({
        count: 3,
        customers: [
          ...none.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
          { id: some, balance: 19.5, threshold: 20, movedAt: expect.any(String) }
        ]
      })
      const { data: found } = await act('customer_find', { need: 'credits', limit: 2 }, own)
      expect([found].flat().map((item) => at(item, 'id'))).toEqual([bare, some])
    })

    it('shows five of those who are low, and counts them all', async () => {
      const own = await fresh()
      for (let n = 0; n < 6; n += 1) {
        await makeCustomer(own, { aiCreditsEnabled: true, lowCreditThreshold: 1 })
      }
      const { data } = await act('dashboard_get', {}, own)
      expect(at(data, 'lowOnCredits', 'count')).toBe(6)
      expect(at(data, 'lowOnCredits', 'customers')).toHaveLength(5)
    })

    it('counts the partner’s own mails that were given up this week', async () => {
      const own = await fresh()
      for (let n = 0; n < 3; n += 1) {
        await act('customer_onboard', { basic: { email: uniqueEmail() }, allowPortalAccess: true }, own)
      }
      const [first, second] = await opened.service.database.read
        .selectFrom('mail')
        .where('partnerId', '=', own.partnerId)
        .select('id')
        .execute()
      const giveUp = (id = '', finishedAt = now()) =>
        write((tx) =>
          tx.updateTable('mail').set({ status: 'failed', finishedAt }).where('id', '=', id).execute()
        )
      await giveUp(first?.id)
      await giveUp(second?.id, fromNow(-8 * DAY_MS))
      expect(at(await act('dashboard_get', {}, own), 'data', 'failedMails')).toBe(1)
      expect(at(await act('dashboard_get', {}, await fresh()), 'data', 'failedMails')).toBe(0)
    })

    it('tells what was done last and by whom', async () => {
      const own = await fresh()
      const customerId = await makeCustomer(own)
      await write((tx) =>
        tx.updateTable('audit').set({ actor: own.keyId }).where('partnerId', '=', own.partnerId).execute()
      )
      const { data } = await act('dashboard_get', {}, own)
      expect(at(data, 'activity')).toMatchObject([
        { action: 'customer_create', targetId: customerId, actor: own.keyId, actorName: 'test' }
      ])
    })

    it('sums what the partner spent today', async () => {
      const own = await fresh()
      const customerId = await makeCustomer(own, { enableAiMemory: true })
      await act('memory_remember', { customerId, content: 'Ada: I moved to Lisbon.' }, own)
      const { data } = await act('dashboard_get', {}, own)
      expect([at(data, 'credits', 'daily')].flat().at(-1)).toMatchObject({ spent: 1 })
    })
  })

  describe('labels', () => {
    it('are those in use, each once, numbers in their order', async () => {
      const own = await fresh()
      for (const monthlyCallVolume of ['10000+', '500-1000', '1000-5000', '500-1000', '', null]) {
        await makeCustomer(own, { monthlyCallVolume, callComplexity: 'high' })
      }
      expect(await act('customer_labels', {}, own)).toEqual({
        data: {
          monthlyCallVolume: ['500-1000', '1000-5000', '10000+'],
          callComplexity: ['high'],
          deploymentTimeline: []
        }
      })
    })
  })

  describe('a price', () => {
    const linesOf = (answer: unknown) => [at(answer, 'data', 'priceLines')].flat()
    const sumOf = (answer: unknown) =>
      linesOf(answer).reduce<number>((total, line) => total + Number(at(line, 'amount')), 0)

    it('has the lines that sum to it, with what was agreed as the difference', async () => {
      const { data } = await act('customer_onboard', {
        basic: { email: uniqueEmail() },
        business: { monthlyCallVolume: '1000-5000' },
        requirements: { callComplexity: 'high', languages: ['English', 'Spanish'] }
      })
      const customerId = stringAt(data, 'id')
      const estimated = await act('customer_get', { customerId })
      expect(linesOf(estimated).length).toBeGreaterThan(2)
      expect(sumOf(estimated)).toBeCloseTo(Number(at(data, 'estimatedPrice')), 6)
      const agreed = await act('customer_update', { customerId, agreedPrice: 599.99 })
      expect(linesOf(agreed).slice(0, -1)).toEqual(linesOf(estimated))
      expect(sumOf(agreed)).toBeCloseTo(599.99, 6)
    })
  })

  describe('voice agents', () => {
    it('are listed with whose they are, by provider, mapping and customer, a page at a time', async () => {
      const own = await fresh()
      const [a1, a2] = [await agent(own, 'a'), await agent(own, 'a')]
      const b1 = await agent(own, 'b')
      const customerId = await makeCustomer(own, { firstName: 'Ada' })
      await act('voice_a_agent_map_customer', { agentId: a1, customerId, profitMultiplier: 1.5 }, own)
      const idsOf = async (filter: Record<string, unknown> = {}) =>
        [at(await act('voice_agent_list', filter, own), 'data')].flat().map((item) => at(item, 'id'))

      expect((await idsOf()).toSorted()).toEqual([a1, a2, b1].toSorted())
      expect((await idsOf({ provider: 'a' })).toSorted()).toEqual([a1, a2].toSorted())
      expect(await idsOf({ isMapped: true })).toEqual([a1])
      expect((await idsOf({ isMapped: false })).toSorted()).toEqual([a2, b1].toSorted())
      expect(await idsOf({ customerId })).toEqual([a1])
      const pages = [await idsOf({ limit: 2 }), await idsOf({ limit: 2, page: 2 })]
      expect(pages.map((ids) => ids.length)).toEqual([2, 1])
      expect(pages.flat()).toEqual(await idsOf())
      expect(await act('voice_agent_list', { customerId }, own)).toMatchObject({
        data: [
          {
            id: a1,
            provider: 'a',
            customer: { id: customerId, firstName: 'Ada', lastName: null },
            profitMultiplier: 1.5
          }
        ],
        pagination: { totalCount: 1, hasNextPage: false }
      })
      expect(await act('voice_agent_list', { provider: 'b' }, own)).toMatchObject({
        data: [{ id: b1, customer: null, profitMultiplier: null }]
      })
    })

    it('of another partner, and of its customers, are not to be seen', async () => {
      const [own, other] = [await fresh(), await fresh()]
      await agent(other, 'a')
      expect(at(await act('voice_agent_list', {}, own), 'data')).toEqual([])
      const customerId = await makeCustomer(other)
      await expect(act('voice_agent_list', { customerId }, own)).rejects.toMatchObject({
        code: 'customer_not_found'
      })
    })

    const agent = (who: TestPartner, provider: 'a' | 'b') =>
      makeVoiceAgent(opened.service, who.partnerId, provider)
  })
})
