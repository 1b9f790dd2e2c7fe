// Tokens of a customer's own agents (§5); each opens that customer's gateway and nothing else.
import { z } from 'zod'
import { Credential, mintingOf } from './api-key.ts'
import { lookingBy, PageQuery, pageOf } from './envelope.ts'
import { CustomerId, RecordId } from './primitives.ts'

/** What a token may do: there is nothing else on a customer's gateway. */
export const CUSTOMER_SCOPES = ['memory:read', 'memory:write'] as const

export const MintCustomerToken = mintingOf(CUSTOMER_SCOPES)

export const MintTokenOfCustomer = MintCustomerToken.extend({ customerId: CustomerId })

export const CustomerTokenPath = z.strictObject({ customerId: CustomerId, tokenId: RecordId })

export const CustomerToken = z.object({ tokenId: z.string(), ...Credential.shape })
export type CustomerToken = z.output<typeof CustomerToken>

export const CustomerTokenList = z.object({ data: z.array(CustomerToken) })

/** `token` is there once: a replay of the same request has null. */
export const MintedCustomerToken = z.object({
  message: z.string(),
  tokenId: z.string(),
  token: z.string().nullable(),
  ...Credential.pick({ scopes: true, expiresAt: true }).shape
})

export const ListAllCustomerTokens = PageQuery.extend(lookingBy('name'))

export const OwnedCustomerToken = CustomerToken.extend({ customerId: z.string(), customerName: z.string() })
export type OwnedCustomerToken = z.output<typeof OwnedCustomerToken>

export const OwnedCustomerTokenPage = pageOf(OwnedCustomerToken)
