// A month of calls at both providers: of mapped agents, of one that nobody has, and some whose cost isn't told yet.
import { recordCalls } from '../../../src/calls/record.ts'
import type { Service } from '../../../src/service.ts'
import { upsertVoiceAgents } from '../../../src/voice-agents/store.ts'
import { run } from '../../support/fixture.ts'

const HOUR_MS = 3_600_000
const DAYS = 30

const AGENTS = {
  a: [
    { id: 'asst-reception-es', name: 'Recepción Clínica Sol' },
    { id: 'asst-sales-en', name: 'Sales, English' },
    {
      id: 'asst-notdienst-de',
      name: `Notdienst ${'am Wochenende und an Feiertagen '.repeat(6)}`.slice(0, 190)
    }
  ],
  b: [
    { id: 'agent_ryokan', name: 'Ryokan front desk' },
    { id: 'agent_after_hours', name: 'After hours' }
  ]
}

/** How many calls a day each has. */
const BUSY = { 'asst-reception-es': 5, 'asst-notdienst-de': 1, agent_ryokan: 3, agent_after_hours: 1 }
const OUTCOMES = [
  'customer-ended-call',
  'assistant-ended-call',
  'silence-timed-out',
  'assistant-forwarded-call'
]

/** Agents of both providers, mapped for a month to the clinic and the ryokan. */
export async function seedCalls(
  service: Service,
  partnerId: string,
  customers: { clinic: string; ryokan: string }
): Promise<void> {
  const at = Date.now()
  await service.database.transaction(async (tx) => {
    await upsertVoiceAgents(tx, { partnerId, provider: 'a' }, AGENTS.a)
    await upsertVoiceAgents(tx, { partnerId, provider: 'b' }, AGENTS.b)
    const terms = { timeZone: 'Europe/Madrid', showsRecordings: 1 } as const
    const readAt = new Date(at - 4 * 60_000).toISOString()
    const sync = { partnerId, position: '{}', leaseOwner: null, leaseExpiresAt: null, lastDoneAt: readAt }
    const stopped = {
      dueAt: null,
      syncedTo: readAt,
      failures: 1,
      lastError: 'Retell refuses the key. Set another one.'
    }
    // Nobody reads here: it is due long after.
    const dueAt = new Date(at + 24 * HOUR_MS).toISOString()
    const well = { dueAt, syncedTo: readAt, failures: 0, lastError: null }
    await tx
      .insertInto('usageSync')
      .values([
        { ...sync, ...well, provider: 'a' },
        { ...sync, ...stopped, provider: 'b' }
      ])
      .execute()
    await tx.updateTable('partner').set(terms).where('id', '=', partnerId).execute()
  })
  const since = new Date(at - 2 * DAYS * 24 * HOUR_MS).toISOString()
  const clinics = { agentId: 'asst-reception-es', customerId: customers.clinic, profitMultiplier: 1.4, since }
  await run(service, partnerId, 'voice_a_agent_map_customer', clinics)
  const ryokans = { agentId: 'agent_ryokan', customerId: customers.ryokan, profitMultiplier: 1.6, since }
  await run(service, partnerId, 'voice_b_agent_map_customer', ryokans)
  for (const provider of ['a', 'b'] as const) {
    const calls = Object.entries(BUSY).flatMap(([agentId, busy]) =>
      AGENTS[provider].some(({ id }) => id === agentId) ? callsOf(agentId, busy, at) : []
    )
    await service.database.transaction((tx) => recordCalls(tx, { partnerId, provider }, calls))
  }
}

function callsOf(agentId: string, busy: number, at: number) {
  return Array.from({ length: busy * DAYS }, (_, n) => {
    // Uneven, as days are.
    const ended = at - ((n * 24) / busy + (n % 7)) * HOUR_MS - 5 * 60_000
    const durationMs = 20_000 + ((n * 37) % 400) * 1_000
    return {
      callId: `${agentId}-${n}`,
      agentId,
      startedAt: new Date(ended - durationMs).toISOString(),
      endedAt: new Date(ended).toISOString(),
      durationMs,
      outcome: OUTCOMES[n % OUTCOMES.length] ?? '',
      recordingUrl: n % 3 === 0 ? `https://storage.example.com/recordings/${agentId}-${n}.wav` : null,
      costMicros: n < 2 ? null : Math.round(durationMs * 1.6137),
      cost: {}
    }
  })
}
