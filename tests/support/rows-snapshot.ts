import type { Tables } from '../../src/database/tables.ts'
import type { Service } from '../../src/service.ts'

/**
 * The columns that are written by merely being there (when a key was used, a session seen), or by what goes on in the
 * background (mails on their way, the work behind Minds). `'all'`: the table is nothing else.
 */
const LEFT_OUT: { [Name in keyof Tables]: readonly (keyof Tables[Name])[] | 'all' } = {
  partner: [],
  partnerUser: ['lastSignInAt'],
  providerKey: [],
  brandLogo: [],
  apiKey: ['lastUsedAt'],
  plan: [],
  subscription: [],
  customer: [],
  customerContent: [],
  identity: [],
  teamMember: [],
  accessLink: [],
  customerToken: ['lastUsedAt'],
  connectedApp: ['lastUsedAt'],
  oauthRecord: [],
  session: ['lastSeenAt', 'idleExpiresAt'],
  factor: [],
  signInFailure: 'all',
  knownNetwork: ['lastUsedAt'],
  voiceAgent: ['repriceFrom'],
  // What the looks at its agent have found.
  instance: [
    'checkDueAt',
    'checkedAt',
    'checkTrouble',
    'unreachableSince',
    'toldSince',
    'noticedAt',
    'leaseOwner',
    'leaseExpiresAt'
  ],
  webhook: ['failures', 'lookAt', 'trouble', 'failingSince', 'leaseOwner', 'leaseExpiresAt'],
  webhookDelivery: ['status', 'attempts', 'nextAttemptAt', 'lastError', 'finishedAt'],
  aiKey: [],
  aiUsage: [],
  aiSpending: [],
  deploy: [],
  rollout: ['state', 'finishedAt'],
  chatThread: [],
  chatConversation: [],
  chatExchange: [],
  voiceAgentPeriod: [],
  call: [],
  callDay: [],
  callHint: [],
  usageSync: 'all',
  billingAccount: [],
  statement: [],
  billingEntry: [],
  mind: [],
  mindContent: [],
  memory: [],
  posting: [],
  mindStat: [],
  mindAuthor: [],
  fact: [],
  memoryImport: [],
  embedding: 'all',
  mindJob: 'all',
  mindJobFailure: 'all',
  modelUsage: 'all',
  honchoRemoval: 'all',
  creditAccount: [],
  creditEntry: [],
  creditReservation: [],
  mail: [
    'sealedSecret',
    'status',
    'attempts',
    'nextAttemptAt',
    'leaseOwner',
    'leaseExpiresAt',
    'lastError',
    'finishedAt'
  ],
  mailText: [],
  audit: [],
  idempotency: [],
  rateLimit: 'all',
  rowCount: 'all',
  lowCredit: [],
  creditDay: [],
  setting: []
}

/** Every row of every table as JSON, in one order; without what goes on by itself. */
export async function everyRow(service: Service): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const table of Object.keys(LEFT_OUT) as (keyof Tables)[]) {
    const leftOut: readonly string[] | 'all' = LEFT_OUT[table]
    if (leftOut === 'all') continue
    const found = await service.database.read.selectFrom(table).selectAll().execute()
    const without = (name: string, value: unknown) => (leftOut.includes(name) ? undefined : value)
    // A process that is asked whether it is ready tries to write.
    const kept = found.filter((row) => !('name' in row && row.name === 'lastTriedWrite'))
    rows[table] = kept.map((row) => JSON.stringify(row, leftOut.length > 0 ? without : undefined)).sort()
  }
  return rows
}
