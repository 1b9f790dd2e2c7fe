// Tokens of a customer's own agents (§5); each opens that customer's gateway and nothing else.
import { z } from 'zod'
import { PageQuery, pageOf } from './envelope.ts'
import { CustomerId, createdAt, RecordId, requiredLine, StoredTimestamp, Timestamp } from './primitives.ts'

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

export const MintTokenOfCustomer = MintCustomerToken.extend({ customerId: CustomerId })

export const CustomerTokenPath = z.strictObject({ customerId: CustomerId, tokenId: RecordId })

export const CustomerToken = z.object({
  tokenId: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  expiresAt: StoredTimestamp.nullable(),
  lastUsedAt: StoredTimestamp.nullable(),
  revokedAt: StoredTimestamp.nullable(),
  createdAt
})
export type CustomerToken = z.output<typeof CustomerToken>

export const CustomerTokenList = z.object({ data: z.array(CustomerToken) })

/** `token` is there once: a replay of the same request has null. */
export const MintedCustomerToken = z.object({
  message: z.string(),
  tokenId: z.string(),
  token: z.string().nullable(),
  scopes: z.array(z.string()),
  expiresAt: StoredTimestamp.nullable()
})

export const ListAllCustomerTokens = PageQuery

export const OwnedCustomerToken = CustomerToken.extend({ customerId: z.string(), customerName: z.string() })
export type OwnedCustomerToken = z.output<typeof OwnedCustomerToken>

export const OwnedCustomerTokenPage = pageOf(OwnedCustomerToken)
