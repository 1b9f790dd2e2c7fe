// What must hold once a fault is over: everything that was acknowledged is there, once, and nothing else; books balance.
import { expect } from 'vitest'
import { z } from 'zod'
import { expectedRows, keptRows } from '../crash/kept-rows.ts'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import { at, stringAt } from '../support/fixture.ts'
import type { Acknowledged, Kind } from './calls.ts'
import type { Kit } from './kit.ts'

/** Of everything that was ever acknowledged in this database. */
export async function expectBooksToBalance(kit: Kit, acknowledged: readonly Acknowledged[]): Promise<void> {
  const of = (kind: Kind) => acknowledged.filter(({ call }) => call.kind === kind)
  await expectOnboardedOnce(kit, of('onboard'))
  await expectRememberedOnce(kit, of('remember'))
  await expectChargedOnce(kit, of('remember').length, of('ask'))
  await expectToldAndMailed(kit)
}

/** Customer, owner, link, mail, entry in the log and kept answer: one of each. */
async function expectOnboardedOnce(
  { service, writer }: Kit,
  onboarded: readonly Acknowledged[]
): Promise<void> {
  const { letters: _, ...kept } = await keptRows(service.database.read, writer.partnerId)
  // The webhook was added by the operator, before.
  const acts = kept.acts.filter(([, action]) => action !== 'webhook_add')
  const known = onboarded.map(({ call, output }) => ({
    email: stringAt(call.body, 'basic', 'email'),
    idempotencyKey: String(call.idempotencyKey),
    customerId: stringAt(output, 'data', 'id')
  }))
  expect({ ...kept, acts }).toEqual(expectedRows(known))
}

async function expectRememberedOnce(
  { service, customerIds }: Kit,
  remembered: readonly Acknowledged[]
): Promise<void> {
  const rows = await service.database.read
    .selectFrom('memory')
    .innerJoin('mind', 'mind.key', 'memory.mindKey')
    .where('mind.customerId', 'in', customerIds)
    .select(['memory.id', 'memory.content'])
    .execute()
  const said = remembered.map(({ call, output }) => `${at(output, 'data', 'memoryId')} ${call.body.content}`)
  expect(rows.map(({ id, content }) => `${id} ${content}`).toSorted()).toEqual(said.toSorted())
}

const Answer = z.object({ credits: z.number() })

/** Each memory at its price, and each answer at the one that it names; whatever had no answer costs nothing. */
async function expectChargedOnce(
  { service, partner }: Kit,
  memories: number,
  asked: readonly Acknowledged[]
): Promise<void> {
  const { read } = service.database
  await expectCreditsToAddUp(read)
  const settled = await read
    .selectFrom('creditReservation')
    .where('status', '=', 'settled')
    .select('answer')
    .execute()
  const paid = asked
    .map(({ output }) => Answer.parse(at(output, 'data')))
    .filter(({ credits }) => credits > 0)
  expect(settled.map(({ answer }) => Answer.parse(JSON.parse(answer ?? '')).credits).toSorted()).toEqual(
    paid.map(({ credits }) => credits).toSorted()
  )
  const { balanceMicros } = await read
    .selectFrom('creditAccount')
    .where('id', '=', partner.partnerId)
    .select('balanceMicros')
    .executeTakeFirstOrThrow()
  const { initialCreditMicros, creditPrices } = service.config
  const answers = paid.reduce((sum, { credits }) => sum + credits * 1_000_000, 0)
  expect(balanceMicros).toBe(initialCreditMicros - memories * creditPrices.remember - answers)
}

/** Every event and every mail, each under one id; what wasn't acknowledged to us may have come twice. */
async function expectToldAndMailed({ service, receiver, office, writer }: Kit): Promise<void> {
  const events = await service.database.read.selectFrom('webhookDelivery').select('eventId').execute()
  const told = new Set(receiver.taken.map(({ id }) => id))
  expect([...told].toSorted()).toEqual(events.map(({ eventId }) => eventId).toSorted())
  const { letters, customers } = await keptRows(service.database.read, writer.partnerId)
  const created = new Set(
    receiver.taken.filter(({ type }) => type === 'customer.created').map(({ data }) => data.customerId)
  )
  expect(created.size).toBe(customers.length)
  const received = new Set(office.received.map(({ messageId, to }) => `${messageId} ${to?.[0]?.address}`))
  const written = letters.map(({ messageId, recipient }) => `${messageId} ${recipient}`)
  expect([...received].toSorted()).toEqual(written.toSorted())
}
