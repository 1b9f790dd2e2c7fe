import type { Generated } from 'kysely'
import type { z } from 'zod'
import type { UpdateCustomer } from '../../schemas/customer.ts'
import type { Flag } from '../database/tables.ts'

export type CustomerChanges = z.output<typeof UpdateCustomer>
type Fields = typeof UpdateCustomer.shape

type IsAmount<Field> = Field extends z.ZodOptional<infer Inner> | z.ZodNullable<infer Inner>
  ? IsAmount<Inner>
  : Field extends z.ZodNumberFormat
    ? false
    : Field extends z.ZodNumber
      ? true
      : false

type Column<Value> = Value extends boolean ? Flag : Value extends readonly string[] ? string : Value

/** What the fields that PATCH takes are kept in: flags as 0 and 1, lists as JSON, amounts in micro-units. */
export type FieldColumns = {
  [Name in keyof Fields & string as IsAmount<Fields[Name]> extends true ? `${Name}Micros` : Name]: Column<
    Exclude<CustomerChanges[Name], undefined>
  >
}

export interface CustomerTable extends FieldColumns {
  id: string
  partnerId: string
  /** `C-XXXXXXXX`, unique per partner: the wire's `customerId`. */
  code: string
  emailKey: string
  /** Lower-cased names, e-mail, phone and company, one a line: what `search` looks in. */
  searchText: string
  estimatedPriceMicros: number
  /** JSON array of line items. */
  priceBreakdown: string
  orderStatus: string
  dealStatus: string
  isOnboardingCompleted: Flag
  /** Of the plan in force, which `planId` names; `none` before the first one. */
  subscriptionStatus: 'none' | 'trialing' | 'active' | 'past_due' | 'canceled'
  credentialStatus: 'none' | 'active' | 'suspended'
  /** The identity that signs in as this customer's owner, once portal access was enabled. */
  ownerIdentityId: string | null
  createdAt: string
  updatedAt: string
}

declare module '../database/tables.ts' {
  interface Tables {
    customer: CustomerTable
    /**
     * What hangs on a customer in large numbers hangs on this row: it comes with the customer's, by a trigger, and outlives
     * it until all of that is deleted.
     */
    customerContent: Owned & {
      isErased: Generated<Flag>
      /** JSON of what an erased customer is known by elsewhere, see src/customers/erasing.ts. */
      traces: string | null
    }
  }
}
