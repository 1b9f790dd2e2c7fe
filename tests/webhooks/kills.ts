// Many events to a receiver that fails a third of the time, delivered by processes that are killed meanwhile.
import { expect } from 'vitest'
import { tell } from '../../src/webhooks/events.ts'
import { bundle } from '../crash/bundle.ts'
import { startSender } from '../mail/sender.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { makePartner } from '../support/fixture.ts'
import { openTestService } from '../support/service.ts'
import { HOOKS_ENV, hook } from './hooks.ts'
import { startReceiver } from './receiver.ts'

const CUSTOMERS = 50
/** Events of a transaction. */
const AT_ONCE = 100

/** How many requests it took, once all have arrived. @throws AssertionError where one is lost or out of order */
export async function deliverThroughKills(
  kind: DatabaseKind,
  { events, kills, withinMs }: { events: number; kills: number; withinMs: number }
): Promise<number> {
  const test = await openTestService(kind, HOOKS_ENV)
  const program = await bundle(new URL('./sender-process.ts', import.meta.url).pathname)
  let seed = 11
  const receiver = await startReceiver({
    answer: () => {
      seed = (seed * 48_271) % 2_147_483_647
      return { status: seed % 3 === 0 ? 503 : 200 }
    }
  })
  const { partnerId } = await makePartner(test.service)
  await hook(test.service, partnerId, receiver, { inOrder: true })
  const customerOf = (nth: number) => `cus_${nth % CUSTOMERS}`
  for (let from = 0; from < events; from += AT_ONCE)
    await test.service.database.transaction(async (tx) => {
      for (let nth = from; nth < Math.min(from + AT_ONCE, events); nth += 1)
        await tell(tx, partnerId, 'team_member.accepted', {
          customerId: customerOf(nth),
          teamMemberId: String(nth)
        })
    })
  const start = () => startSender(program, test.env)
  let senders = [start(), start()]
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      const enough = (events * kill) / (kills + 1)
      await expect.poll(() => receiver.taken.length, { timeout: withinMs }).toBeGreaterThan(enough)
      // Whichever has the lease is one of them.
      await Promise.all(senders.map((sender) => sender.close()))
      senders = [start(), start()]
    }
    const arrived = () => new Set(receiver.taken.map(({ id }) => id)).size
    await expect.poll(arrived, { timeout: withinMs, interval: 200 }).toBe(events)
    const left = () =>
      test.service.database.read
        .selectFrom('webhookDelivery')
        .where('status', '<>', 'sent')
        .select('seq')
        .execute()
    await expect.poll(left, { timeout: 10_000 }).toEqual([])
  } finally {
    await Promise.all(senders.map((sender) => sender.close()))
  }
  expect(receiver.complaints).toEqual([])
  for (let customer = 0; customer < CUSTOMERS; customer += 1) {
    const seen = receiver.taken.filter(({ data }) => data.customerId === customerOf(customer))
    const firsts = [...new Set(seen.map(({ data }) => Number(data.teamMemberId)))]
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b))
  }
  await Promise.all([receiver.close(), test.close(), program.remove()])
  return receiver.requests.length
}
