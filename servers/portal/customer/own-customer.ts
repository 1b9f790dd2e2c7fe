// What the portal knows of the customer whose it is, beyond what every page carries. Owner and admins read it.
import type { Context } from 'hono'
import { z } from 'zod'
import { Customer } from '../../../schemas/customer.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import type { Service } from '../../../src/service.ts'
import type { PageEnv } from '../env.ts'
import { perform } from '../perform.ts'

/** Prices, notes and stages of the partner's are not the customer's to see. */
const OwnCustomer = z.object({
  data: Customer.pick({ email: true, maxTeamMembers: true, aiCreditsEnabled: true, lowCreditThreshold: true })
})
export type OwnCustomer = z.output<typeof OwnCustomer>['data']

/** @throws ServiceError `missing_scope` for a member */
export async function readOwnCustomer(service: Service, c: Context<PageEnv>): Promise<OwnCustomer> {
  const { caller, customerId } = c.get('visitor')
  const { data } = await perform(service, c, getCustomerOperation, {
    caller,
    input: { customerId },
    output: OwnCustomer
  })
  return data
}
