// How what is told gets there: again where it isn't taken, in order where that is promised, and to public addresses alone.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, fromNow, HOUR_MS } from '../../src/clock.ts'
import { tell } from '../../src/webhooks/events.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, run, stringAt } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { HOOKS_ENV, hook } from './hooks.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const TAKEN = { status: 200 }
const FAILS = { status: 500 }

describe.each(databases)('a delivery on %s', (kind) => {
  let test: TestService
  let receiver: Receiver
  let partnerId: string
  beforeAll(async () => {
    test = await openTestService(kind, HOOKS_ENV)
    test.service.webhooks.start()
  })
  beforeEach(async () => {
    receiver = await startReceiver()
    partnerId = (await makePartner(test.service)).partnerId
    return () => receiver.close()
  })
  afterAll(() => test.close())

  const act = (name: string, input: Record<string, unknown>) => run(test.service, partnerId, name, input)
  /** Something of that customer's happened. */
  const happen = (customerId: string, nth = 0) =>
    test.service.database.transaction((tx) =>
      tell(tx, partnerId, 'team_member.invited', { customerId, teamMemberId: `${nth}` })
    )
  const drained = () => test.service.webhooks.drain()
  const finished = (status: string) =>
    expect.poll(() => log({ status }).then(({ length }) => length), { timeout: 10_000 })
  const log = async (input: Record<string, unknown> = {}): Promise<Record<string, unknown>[]> => {
    const { data } = await act('webhook_delivery_list', { webhookId, limit: 100, ...input })
    return Array.isArray(data) ? data : []
  }
  const one = async () => {
    const { data } = await act('webhook_list', {})
    return at(data, 0)
  }
  /** An attempt is in the log before its turn has ended, which says how the webhook stands. */
  const stands = (as: Record<string, unknown>) => expect.poll(one, { timeout: 5_000 }).toMatchObject(as)
  let webhookId = ''
  const hooked = async (input: Record<string, unknown> = {}) => {
    webhookId = await hook(test.service, partnerId, receiver, input)
  }
  /** As if that much time had gone by. */
  const wait = (ms: number) =>
    test.service.database.transaction((tx) =>
      tx
        .updateTable('webhookDelivery')
        .set({ queuedAt: fromNow(-ms), nextAttemptAt: fromNow(-1) })
        .where('webhookId', '=', webhookId)
        .where('status', '=', 'queued')
        .execute()
    )

  it('comes again with its id until it is taken, and the log says why', async () => {
    receiver.answerWith((nth) => (nth < 3 ? FAILS : TAKEN))
    await hooked()
    await happen('cus_1')
    await finished('sent').toBe(1)
    expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(1)
    expect(await log()).toMatchObject([
      { status: 'sent', attempts: 4, lastError: null, type: 'team_member.invited' }
    ])
    expect(receiver.complaints).toEqual([])
    await stands({ trouble: null, failingSince: null })
  })

  it.each([
    ['says no', { status: 400 }, 'It answered 400.'],
    [
      'leads elsewhere, where nobody goes',
      { status: 302, headers: { location: '/else' } },
      'It answered 302.'
    ],
    ['hangs up', { status: 0, hangsUp: true }, 'It could not be reached.']
  ])('to one that %s is tried for three days, and given up then', async (_, reply, lastError) => {
    receiver.answerWith(() => reply)
    await hooked()
    await happen('cus_1')
    await expect.poll(() => log(), { timeout: 5_000 }).toMatchObject([{ status: 'queued', lastError }])
    await wait(3 * DAY_MS - HOUR_MS)
    await expect.poll(async () => at(await log(), 0, 'attempts')).toBeGreaterThan(1)
    expect(await log()).toMatchObject([{ status: 'queued' }])
    await stands({ trouble: lastError, failingSince: expect.any(String) })
    await wait(3 * DAY_MS)
    await finished('failed').toBe(1)
    receiver.answerWith(() => TAKEN)
    expect(await act('webhook_send_again', { webhookId })).toEqual({ message: 'The event is sent again.' })
    await finished('sent').toBe(1)
    await expect(act('webhook_send_again', { webhookId })).rejects.toMatchObject({
      code: 'delivery_not_found'
    })
    const eventId = stringAt(await log(), 0, 'eventId')
    await act('webhook_send_again', { webhookId, eventId })
    await drained()
    expect(receiver.taken.map(({ id }) => id)).toEqual([eventId, eventId])
  })

  it('waits as long as it is asked to', async () => {
    receiver.answerWith(() => ({ status: 503, headers: { 'retry-after': '600' } }))
    await hooked()
    await happen('cus_1')
    await expect.poll(() => log(), { timeout: 5_000 }).toMatchObject([{ attempts: 1 }])
    expect(stringAt(await log(), 0, 'nextAttemptAt') > fromNow(590_000)).toBe(true)
  })

  it('to one that is gone is the last one, until its owner switches it on', async () => {
    receiver.answerWith(() => ({ status: 410 }))
    await hooked()
    await happen('cus_1')
    await drained()
    expect(await one()).toMatchObject({ isActive: false, trouble: 'It answered 410.' })
    await happen('cus_2')
    await drained()
    expect(receiver.requests).toHaveLength(1)
    receiver.answerWith(() => TAKEN)
    await act('webhook_update', { webhookId, isActive: true })
    await finished('sent').toBe(1)
    expect(receiver.taken.map(({ data }) => data.customerId)).toEqual(['cus_1'])
  })

  it('is signed with both secrets for a day after they were exchanged', async () => {
    await hooked()
    const [former = ''] = receiver.secrets
    const { secret } = await act('webhook_secret_rotate', { webhookId })
    expect(secret).not.toBe(former)
    await happen('cus_1')
    await drained()
    receiver.secrets.splice(0, 1, String(secret))
    await happen('cus_2')
    await drained()
    expect(receiver.complaints).toEqual([])
    await test.service.database.transaction((tx) =>
      tx
        .updateTable('webhook')
        .set({ formerSecretUntil: fromNow(-1) })
        .where('id', '=', webhookId)
        .execute()
    )
    receiver.secrets.splice(0, 1, former)
    await happen('cus_3')
    await drained()
    expect(receiver.complaints).toEqual([`${receiver.requests.at(-1)?.id} isn’t signed`])
  })

  it('is in order for each customer where that is promised, whatever fails meanwhile', async () => {
    const customers = ['cus_1', 'cus_2', 'cus_3']
    let seed = 7
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    receiver.answerWith(() => (random() < 1 / 3 ? FAILS : TAKEN))
    await hooked({ inOrder: true })
    for (let nth = 0; nth < 30; nth += 1) for (const customerId of customers) await happen(customerId, nth)
    await finished('sent').toBe(90)
    for (const customerId of customers) {
      const order = receiver.taken.filter(({ data }) => data.customerId === customerId)
      expect(order.map(({ data }) => Number(data.teamMemberId))).toEqual([...Array(30).keys()])
    }
    expect(receiver.requests.length).toBeGreaterThan(110)
  })

  it('of one customer holds up no other one’s', async () => {
    receiver.answerWith((_, { data }) => (data.customerId === 'cus_1' ? FAILS : TAKEN))
    await hooked({ inOrder: true })
    for (let nth = 0; nth < 3; nth += 1)
      for (const customer of ['cus_1', 'cus_2']) await happen(customer, nth)
    await finished('sent').toBe(3)
    expect(
      receiver.requests.every(({ data }) => data.customerId === 'cus_2' || data.teamMemberId === '0')
    ).toBe(true)
  })

  it('to one that is away costs few attempts, and begins again by itself', async () => {
    receiver.answerWith(() => FAILS)
    await hooked()
    for (let nth = 0; nth < 100; nth += 1) await happen('cus_1', nth)
    await stands({ trouble: 'It answered 500.' })
    await drained()
    const asked = receiver.requests.length
    expect(asked).toBeLessThan(30)
    receiver.answerWith(() => TAKEN)
    await finished('sent').toBe(100)
  })

  it('goes on where the process that had it has ended', async () => {
    await hooked()
    await test.service.database.transaction((tx) =>
      tx
        .updateTable('webhook')
        .set({ leaseOwner: 'gone', leaseExpiresAt: fromNow(-1) })
        .where('id', '=', webhookId)
        .execute()
    )
    await happen('cus_1')
    await finished('sent').toBe(1)
  })

  it('is no longer written down while too much waits, which is said', async () => {
    await hooked()
    const { transaction } = test.service.database
    const waitFor = (count: number, nextAttemptAt: string) =>
      transaction((tx) =>
        sql`with recursive "n" ("i") as (select 1 union all select "i" + 1 from "n" where "i" < ${sql.lit(count)})
          insert into "webhookDelivery" ("eventId", "webhookId", "type", "body", "status", "attempts", "nextAttemptAt",
            "queuedAt", "createdAt")
          select cast(${nextAttemptAt} as text) || "i", ${webhookId}, 'webhook.test', '{"data":{}}', 'queued', 0,
            ${nextAttemptAt}, ${nextAttemptAt}, ${nextAttemptAt} from "n"`.execute(tx)
      )
    await waitFor(50_001, fromNow(HOUR_MS))
    await happen('cus_1')
    await drained()
    expect(await one()).toMatchObject({ fullSince: expect.any(String) })
    await happen('cus_2')
    await transaction((tx) =>
      sql`delete from "webhookDelivery" where "status" = 'queued' and "seq" % 3 > 0`.execute(tx)
    )
    await waitFor(1, fromNow(-1))
    await drained()
    expect(await one()).toMatchObject({ fullSince: null })
    await happen('cus_3')
    await drained()
    expect(receiver.taken.flatMap(({ data }) => data.customerId ?? [])).toEqual(['cus_1', 'cus_3'])
    await transaction((tx) => tx.deleteFrom('webhook').where('id', '=', webhookId).execute())
  })
})
