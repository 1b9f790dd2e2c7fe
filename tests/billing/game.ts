// A partner whose books are played with, and the model that plays along.
import { vi } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { execute } from '../../src/execute.ts'
import { toMicros } from '../../src/money.ts'
import { operations } from '../../src/operations.ts'
import { insertPlan } from '../../src/plans/store.ts'
import { upsertVoiceAgents } from '../../src/voice-agents/store.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import type { TestService } from '../support/service.ts'
import { createOwedModel, type OwedModel } from './owed-model.ts'
import { createSubscriptionModel, type PricedPlan } from './subscription-model.ts'

export const PLANS = [
  [99.990001, 'month'],
  [7.5, 'quarter']
] as const

export const AGENTS = ['front-desk', 'night-line'] as const

/** The last hour of a month in half of the world, before a change of the clocks. */
const BEGIN = Date.parse('2026-02-28T23:30:00.000Z')

export interface Game {
  partnerId: string
  customers: readonly string[]
  zone: string
  model: OwedModel
  subscriptions: ReturnType<typeof createSubscriptionModel>
  plans: readonly PricedPlan[]
  packId: string
  /** Of calls, as told last. */
  ends: Map<string, string>
  /** What stood on each statement when it was closed. */
  closed: Map<string, unknown>
  references: number
}

export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

/** A partner with two customers, two agents, two plans and a pack, as the clock stands at the beginning. */
export async function newGame({ service }: TestService): Promise<Game> {
  vi.setSystemTime(BEGIN)
  const { id: partnerId } = await makePartnerRow(service)
  const { database } = service
  const make = (kindOfPlan: 'subscription' | 'credit', price: number, terms: object) =>
    database.transaction((tx) =>
      insertPlan(tx, partnerId, { name: 'Plan', kind: kindOfPlan, features: {}, price, ...terms })
    )
  const pack = await make('credit', 10.000001, { credits: 5 })
  const plans = []
  for (const [price, period] of PLANS) {
    const { planId } = await make('subscription', price, { period })
    plans.push({ planId, priceMicros: toMicros(price), period })
  }
  const buyer = { aiCreditsEnabled: 1, creditPlanIds: JSON.stringify([pack.planId]) } as const
  const customers = [
    await makeCustomerRow(service, partnerId, buyer),
    await makeCustomerRow(service, partnerId, buyer)
  ]
  const agents = AGENTS.map((id) => ({ id, name: id }))
  await database.transaction((tx) => upsertVoiceAgents(tx, { partnerId, provider: 'b' }, agents))
  const ids = customers.map(({ id }) => id)
  const model = createOwedModel()
  return {
    partnerId,
    customers: ids,
    zone: 'UTC',
    model,
    subscriptions: createSubscriptionModel(model.owe),
    plans,
    packId: pack.planId,
    closed: new Map(),
    ends: new Map(),
    references: 0
  }
}

/** Runs an operation of the list by its name, as the partner. */
export function actAs(
  { service }: TestService,
  { partnerId }: Game,
  name: string,
  input: object,
  idempotencyKey?: string
) {
  const operation = operations.find((one) => one.name === name)
  if (!operation) throw new Error(`There is no operation ${name}`)
  const caller = { partnerId, actor: 'key_test', scopes: new Set(SCOPES) }
  return execute(operation, service, { caller, requestId: 'req_test', idempotencyKey }, input)
}
