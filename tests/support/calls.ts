// Calls as a provider tells of them, recorded as the service does.
import { recordCalls } from '../../src/calls/record.ts'
import type { CallRow } from '../../src/calls/store.ts'
import { now } from '../../src/clock.ts'
import { newId } from '../../src/ids.ts'
import type { Service } from '../../src/service.ts'
import { upsertVoiceAgents } from '../../src/voice-agents/store.ts'

interface Told
  extends Partial<
    Pick<
      CallRow,
      | 'provider'
      | 'agentId'
      | 'startedAt'
      | 'endedAt'
      | 'durationMs'
      | 'outcome'
      | 'recordingUrl'
      | 'costMicros'
    >
  > {
  /** Whose agent it was, ever since. */
  customerId?: string
}

/** What each customer's calls are charged at. */
export const MULTIPLIER_MICROS = 1_400_000

/** A call of the partner's, which cost 0.100001 and is nobody's unless told otherwise. */
export async function makeCall(service: Service, partnerId: string, told: Told = {}): Promise<CallRow> {
  const [call] = await makeCalls(service, partnerId, [told])
  if (!call) throw new Error('It was not kept.')
  return call
}

/** Some calls at one provider, in that order. */
export async function makeCalls(
  service: Service,
  partnerId: string,
  told: readonly Told[]
): Promise<CallRow[]> {
  const provider = told[0]?.provider ?? 'a'
  const agentOf = ({ agentId, customerId }: Told) =>
    agentId === undefined ? `asst-${customerId ?? 'nobody'}` : agentId
  const calls = told.map((call) => ({
    callId: newId('cal'),
    startedAt: null,
    endedAt: now(),
    durationMs: 60_000,
    outcome: 'customer-ended-call',
    recordingUrl: null,
    costMicros: 100_001,
    cost: {},
    ...call,
    agentId: agentOf(call)
  }))
  const callIds = calls.map(({ callId }) => callId)
  const rows = await service.database.transaction(async (tx) => {
    for (const call of told) {
      const [agentId, { customerId }] = [agentOf(call), call]
      if (customerId === undefined || agentId === null) continue
      await upsertVoiceAgents(tx, { partnerId, provider }, [{ id: agentId, name: `Agent ${agentId}` }])
      const period = { partnerId, provider, agentId, customerId, multiplierMicros: MULTIPLIER_MICROS }
      await tx
        .insertInto('voiceAgentPeriod')
        .values({ ...period, startsAt: '1970-01-01T00:00:00.000Z', endsAt: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    await recordCalls(tx, { partnerId, provider }, calls)
    return tx.selectFrom('call').where('callId', 'in', callIds).selectAll().execute()
  })
  return callIds.flatMap((callId) => rows.find((row) => row.callId === callId) ?? [])
}
