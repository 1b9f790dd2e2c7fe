// What the portal knows of the customer whose it is, beyond what every page carries. Owner and admins read it.
import { z } from 'zod'
import { Customer } from '../../../schemas/customer.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { run, type Visit } from '../visit.ts'

/** Prices, notes and stages of the partner's are not the customer's to see. */
const OwnCustomer = z.object({
  data: Customer.pick({ email: true, maxTeamMembers: true, aiCreditsEnabled: true, lowCreditThreshold: true })
})
export type OwnCustomer = z.output<typeof OwnCustomer>['data']

/** @throws ServiceError `missing_scope` for a member */
export const readOwnCustomer = async (visit: Visit): Promise<OwnCustomer> =>
  (await run(visit, getCustomerOperation, OwnCustomer)).data
