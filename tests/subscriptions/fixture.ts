// A partner's customers with plans, on a clock that stands still until a test moves it.
import { vi } from 'vitest'
import { ALL_SCOPES } from '../../schemas/api-key.ts'
import { execute } from '../../src/execute.ts'
import { operations } from '../../src/operations.ts'
import { insertPlan } from '../../src/plans/store.ts'
import type { Service } from '../../src/service.ts'
import { advanceDue } from '../../src/subscriptions/change.ts'
import { at, stringAt, uniqueEmail } from '../support/fixture.ts'
import { makePartnerRow } from '../support/rows.ts'

export type NewPlan = Partial<Parameters<typeof insertPlan>[2]>
export type Subscribers = Awaited<ReturnType<typeof subscribersOf>>

/** `customerId` makes it the customer's own caller. */
export async function act(
  service: Service,
  name: string,
  input: Record<string, unknown>,
  by: { partnerId: string; customerId?: string; idempotencyKey?: string }
): Promise<Record<string, unknown>> {
  const operation = operations.find((one) => one.name === name)
  if (!operation) throw new Error(`There is no operation ${name}`)
  const { idempotencyKey, ...who } = by
  const caller = { ...who, actor: 'key_test', scopes: new Set(ALL_SCOPES) }
  return (await execute(operation, service, { caller, requestId: '', idempotencyKey }, input)).output
}

/** A partner in Berlin. */
export async function subscribersOf(service: Service) {
  const { id: partnerId } = await makePartnerRow(service, { timeZone: 'Europe/Berlin' })
  const write = service.database.transaction
  const read = service.database.read
  return {
    partnerId,
    plan: async (given: NewPlan = {}): Promise<string> => {
      const plan = { name: 'Pro', kind: 'subscription', features: {}, price: 31, ...given } as const
      return (await write((tx) => insertPlan(tx, partnerId, plan))).planId
    },
    customer: async (given: Record<string, unknown> = {}): Promise<string> => {
      const onboarded = { basic: { email: uniqueEmail() }, ...given }
      return stringAt(await act(service, 'customer_onboard', onboarded, { partnerId }), 'data', 'id')
    },
    patch: async (customerId: string, changes: Record<string, unknown>) =>
      at(await act(service, 'customer_update', { customerId, ...changes }, { partnerId }), 'data'),
    get: async (customerId: string) =>
      Object(at(await act(service, 'customer_get', { customerId }, { partnerId }), 'data')),
    listed: async (customerId: string) => {
      const { data } = await act(service, 'customer_list', { limit: 100 }, { partnerId })
      return [data].flat().find((item) => at(item, 'id') === customerId)
    },
    history: async (customerId: string) => {
      const { data } = await act(service, 'subscription_list', { customerId }, { partnerId })
      return [data].flat().map((one) => Object(one))
    },
    inZone: (timeZone: string) =>
      write((tx) => tx.updateTable('partner').set({ timeZone }).where('id', '=', partnerId).execute()),
    /** What happens by itself until then. */
    async until(instant: string) {
      vi.setSystemTime(instant)
      while ((await write((tx) => advanceDue(tx, 2))) > 0);
    },
    lines: async (customerId: string) =>
      read
        .selectFrom('billingEntry')
        .where('customerId', '=', customerId)
        .orderBy('seq')
        .select(['kind', 'amountMicros', 'description'])
        .execute(),
    /** Of the account, and the sum of its lines: they are the same. */
    async balance(customerId: string) {
      const lines = await this.lines(customerId)
      const sum = lines.reduce((total, { amountMicros }) => total + amountMicros, 0)
      const accounts = read.selectFrom('billingAccount').where('customerId', '=', customerId)
      const account = await accounts.select('balanceMicros').executeTakeFirst()
      if ((account?.balanceMicros ?? 0) !== sum) throw new Error(`${account?.balanceMicros} isn't ${sum}`)
      return sum
    },
    account: async (customerId: string) =>
      read
        .selectFrom('creditAccount')
        .where('id', '=', customerId)
        .select(['balanceMicros', 'paidMicros'])
        .executeTakeFirst()
  }
}
