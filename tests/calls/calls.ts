// Calls to record, whose they are, and what came of it.
import { now } from '../../src/clock.ts'
import type { Tables } from '../../src/database/tables.ts'
import type { Service } from '../../src/service.ts'
import type { ProviderCall } from '../../src/voice-agents/providers/port.ts'

/** A minute that cost a dollar, at the agent `desk`. */
export const call = (callId: string, given: Partial<ProviderCall> = {}): ProviderCall => ({
  callId,
  agentId: 'desk',
  startedAt: '2026-07-09T11:59:00.000Z',
  endedAt: '2026-07-09T12:00:00.000Z',
  durationMs: 60_000,
  outcome: 'customer-ended-call',
  recordingUrl: null,
  costMicros: 1_000_000,
  cost: {},
  ...given
})

/** Of provider A's agent `desk` from July on, at a multiplier of 1, unless told otherwise. */
export async function period(
  service: Service,
  partnerId: string,
  given: Partial<Tables['voiceAgentPeriod']>
): Promise<void> {
  const agent = { partnerId, provider: given.provider ?? 'a', agentId: given.agentId ?? 'desk' } as const
  const usual = {
    startsAt: '2026-07-01T00:00:00.000Z',
    endsAt: null,
    customerId: null,
    multiplierMicros: 1_000_000
  }
  const { customerId = null, multiplierMicros = 1_000_000 } = given
  const current = { customerId, multiplierMicros, createdAt: now(), updatedAt: now() }
  await service.database.transaction(async (tx) => {
    await tx
      .insertInto('voiceAgent')
      .values({ ...agent, name: 'Front desk', ...current })
      .onConflict((known) => known.columns(['partnerId', 'provider', 'agentId']).doUpdateSet(current))
      .execute()
    await tx
      .insertInto('voiceAgentPeriod')
      .values({ ...usual, ...given, ...agent })
      .execute()
  })
}

/** What a customer owes, and what explains it. */
export async function booksOf({ database }: Service, customerId: string) {
  const entries = database.read.selectFrom('billingEntry').where('customerId', '=', customerId)
  const days = database.read.selectFrom('callDay').where('customerId', '=', customerId)
  const account = database.read.selectFrom('billingAccount').where('customerId', '=', customerId)
  return {
    balanceMicros: (await account.select('balanceMicros').executeTakeFirst())?.balanceMicros ?? 0,
    lines: await entries.select(['kind', 'amountMicros', 'reference', 'durationMs']).orderBy('seq').execute(),
    days: await days
      .select(['day', 'calls', 'durationMs', 'costMicros', 'chargeMicros'])
      .orderBy('day')
      .execute()
  }
}
