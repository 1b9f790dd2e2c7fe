// Tokens of a customer's own agents (§5); each opens that customer's gateway and nothing else.
import { z } from 'zod'
import { requiredLine, Timestamp } from './primitives.ts'

/** What a token may do: there is nothing else on a customer's gateway. */
export const CUSTOMER_SCOPES = ['memory:read', 'memory:write'] as const
const CustomerScope = z.enum(CUSTOMER_SCOPES)

export const MintCustomerToken = z.strictObject({
  name: requiredLine(100),
  scopes: z
    .array(CustomerScope)
    .min(1)
    .max(CUSTOMER_SCOPES.length)
    .default([...CUSTOMER_SCOPES]),
  expiresAt: Timestamp.optional()
})
