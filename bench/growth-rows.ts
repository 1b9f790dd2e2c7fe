// A partner with very many customers, each with one of everything that lists show.
import type { Insertable } from 'kysely'
import { DAY_MS, fromNow } from '../src/clock.ts'
import { usualColumns } from '../src/customers/columns.ts'
import { searchTextOf } from '../src/customers/store.ts'
import type { CustomerTable } from '../src/customers/table.ts'
import type { Tables } from '../src/database/tables.ts'
import { newCustomerCode, newId } from '../src/ids.ts'
import { insertPartner } from '../src/partners/store.ts'
import type { Service } from '../src/service.ts'

/** What one of the customers alone has in its name. */
export const NEEDLE = 'Quillfeather'

const BATCH = 200
const YEAR_MS = 365 * DAY_MS
const MINUTES_MS = 300_000
const FIRST = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Alan', 'Hedy', 'Kurt', 'Emmy', 'Sofia', 'Niels', 'Rosa']
const LAST = [
  'Lovelace',
  'Hopper',
  'Dijkstra',
  'Liskov',
  'Turing',
  'Lamarr',
  'Noether',
  'Kovalevskaya',
  'Parks'
]
const TRADES = ['Dental', 'Engines', 'Roofing', 'Law', 'Bakery', 'Physiotherapy', 'Movers']

/** Fills the database; whose rows, and a customer among them. */
export async function growTo(service: Service, size: number, isBurst = false) {
  const { partnerId } = await service.database.transaction((tx) =>
    insertPartner(tx, { name: 'Bench Voice', email: 'ops@bench.example' })
  )
  let targetId = ''
  for (let done = 0; done < size; done += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, size - done) }, (_, index) => done + index)
    const sets = numbers.map((number) => {
      const ageMs = ((size - number) / size) * (isBurst ? MINUTES_MS : YEAR_MS)
      return rowsOf(partnerId, number, fromNow(-ageMs), number === Math.floor(size / 2))
    })
    await service.database.transaction(async (tx) => {
      const insert = async <Name extends keyof Tables>(table: Name, rows: Insertable<Tables[Name]>[]) => {
        await tx.insertInto(table).values(rows).execute()
      }
      await insert(
        'identity',
        sets.map(({ identity }) => identity)
      )
      await insert(
        'customer',
        sets.map(({ customer }) => customer)
      )
      await insert(
        'creditAccount',
        sets.map(({ creditAccount }) => creditAccount)
      )
      await insert(
        'audit',
        sets.map(({ audit }) => audit)
      )
      await insert(
        'mail',
        sets.map(({ mail }) => mail)
      )
      await insert(
        'customerToken',
        sets.map(({ customerToken }) => customerToken)
      )
      await insert(
        'voiceAgent',
        sets.map(({ voiceAgent }) => voiceAgent)
      )
      await insert(
        'instance',
        sets.map(({ instance }) => instance)
      )
      await insert(
        'statement',
        sets.map(({ statement }) => statement)
      )
      await insert(
        'call',
        sets.map(({ call }) => call)
      )
    })
    targetId = sets[0]?.customer.id ?? ''
  }
  return { partnerId, targetId }
}

function rowsOf(partnerId: string, number: number, createdAt: string, isNeedle: boolean) {
  const pick = <Value>(from: readonly Value[], by = number) => from[by % from.length] as Value
  const id = newId('cus')
  const owned = { partnerId, customerId: id, createdAt }
  const tokenId = newId('tok')
  const named = {
    firstName: pick(FIRST),
    lastName: isNeedle ? NEEDLE : pick(LAST, Math.floor(number / 7)),
    email: `owner-${number}@clinic.example`,
    businessPhone: `+1 555 ${String(number).padStart(7, '0')}`,
    companyName: `${pick(LAST, number * 3)} ${pick(TRADES)} ${number}`
  }
  const customer: CustomerTable = {
    ...usualColumns(),
    ...named,
    id,
    partnerId,
    code: newCustomerCode(),
    emailKey: named.email,
    searchText: searchTextOf(named),
    monthlyCallVolume: pick(['0-500', '500-1000', '1000-5000']),
    callComplexity: pick(['low', 'medium', 'high']),
    deploymentTimeline: pick(['1 month', '3 months']),
    estimatedPriceMicros: 0,
    priceBreakdown: '{"items":[],"total":0}',
    orderStatus: pick(['new', 'active']),
    dealStatus: 'won',
    isOnboardingCompleted: 1,
    allowedApps: '[]',
    // Of a thousand ten are low on credits, ten blocked and twenty on trial.
    aiCreditsEnabled: number % 2 === 0 ? 1 : 0,
    lowCreditThresholdMicros: 1_000_000,
    subscriptionStatus: number % 50 === 0 ? 'trialing' : 'active',
    credentialStatus: number % 100 === 0 ? 'suspended' : 'active',
    customerPortalEnabled: 1,
    ownerIdentityId: id,
    createdAt,
    updatedAt: createdAt
  }
  const month = `${createdAt.slice(0, 7)}-01T00:00:00.000Z`
  const serverKeys = { hostKey: '', publicKey: '', privateKeySealed: '', settings: '{}' }
  // Nobody took the invite; of a hundred servers one is silent and one failed.
  const identity = {
    ...{ id, partnerId, email: named.email, emailKey: named.email, passwordHash: null, createdAt },
    ...{ temporaryPasswordHash: null, temporaryPasswordExpiresAt: createdAt, updatedAt: createdAt }
  }
  return {
    identity,
    customer,
    creditAccount: {
      ...owned,
      id,
      balanceMicros: number % 100 === 0 ? number : 5_000_000,
      entryCount: 0,
      noticedThresholdMicros: null,
      updatedAt: createdAt
    },
    audit: {
      id: newId('aud'),
      partnerId,
      actor: tokenId,
      action: number % 100 === 0 ? 'customer_update' : 'customer_create',
      targetType: 'customer',
      targetId: id,
      fields: '[]',
      requestId: '',
      createdAt
    },
    mail: {
      ...owned,
      id: newId('mal'),
      template: 'portal_invite' as const,
      recipient: named.email,
      messageId: id,
      params: '{}',
      sealedSecret: null,
      status: number % 100 === 0 ? ('failed' as const) : ('sent' as const),
      attempts: 1,
      nextAttemptAt: createdAt,
      leaseOwner: null,
      leaseExpiresAt: null,
      lastError: null,
      finishedAt: createdAt
    },
    customerToken: {
      ...owned,
      id: tokenId,
      name: 'bench',
      prefix: id,
      hash: id,
      scopes: '[]',
      isSelfMinted: 0 as const,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null
    },
    voiceAgent: {
      ...owned,
      provider: 'a' as const,
      agentId: id,
      name: named.companyName,
      searchText: named.companyName.toLowerCase(),
      multiplierMicros: 1_000_000,
      updatedAt: createdAt
    },
    instance: {
      ...owned,
      id: newId('ins'),
      name: 'bench',
      host: `${number}.example`,
      username: 'root',
      root: '',
      status: 'registered' as const,
      port: 22,
      unreachableSince: number % 100 === 0 ? createdAt : null,
      failedAt: number % 100 === 1 ? createdAt : null,
      ...serverKeys,
      updatedAt: createdAt
    },
    statement: {
      ...owned,
      id: newId('stm'),
      startsAt: month,
      endsAt: createdAt,
      status: number % 100 === 0 ? ('draft' as const) : ('billed' as const),
      currency: 'USD',
      totalMicros: 0,
      entryCount: 0
    },
    call: {
      ...owned,
      id: newId('cal'),
      provider: 'a' as const,
      callId: id,
      agentId: id,
      startedAt: createdAt,
      endedAt: createdAt,
      day: createdAt.slice(0, 10),
      durationMs: 60_000,
      outcome: 'ended',
      cost: '{}',
      costMicros: 0,
      minutePriceMicros: null,
      multiplierMicros: 1_000_000,
      chargeMicros: 0,
      recordingUrl: null,
      revision: 1,
      updatedAt: createdAt
    }
  }
}
