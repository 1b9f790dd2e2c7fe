// What console, portal and command line offer on the tokens of a customer's own agents. Neither REST nor MCP has it: a key
// must not be able to make another one.
import { CustomerPath } from '../../schemas/customer.ts'
import {
  CustomerTokenList,
  CustomerTokenPath,
  MintedCustomerToken,
  MintTokenOfCustomer
} from '../../schemas/customer-token.ts'
import { Acknowledgement } from '../../schemas/envelope.ts'
import { getCustomer, lockCustomer } from '../customers/store.ts'
import { ServiceError } from '../errors.ts'
import { ADDS, CHANGES, defineOperation, READS } from '../operation.ts'
import {
  countLiveTokens,
  listCustomerTokens,
  mintCustomerToken,
  revokeCustomerToken
} from './customer-tokens.ts'
import { refusePastExpiry } from './token.ts'

/** More live tokens of one customer than anybody tells apart. */
const MAX_TOKENS = 100

export const listCustomerTokensOperation = defineOperation({
  name: 'customer_token_list',
  title: 'List a customer’s MCP tokens',
  summary: 'Returns the tokens of a customer’s agents, newest first, without their secrets.',
  scope: 'customers:read',
  channels: ['console', 'portal', 'operator'],
  input: CustomerPath,
  output: CustomerTokenList,
  annotations: READS,
  errors: ['customer_not_found'],
  async handle({ db }, { partnerId }, { customerId: reference }) {
    const { id: customerId } = await getCustomer(db, partnerId, reference)
    return { data: await listCustomerTokens(db, partnerId, customerId) }
  }
})

export const mintCustomerTokenOperation = defineOperation({
  name: 'customer_token_mint',
  title: 'Make an MCP token for a customer',
  summary: 'Makes a token that opens the customer’s own gateway, and returns it this once.',
  scope: 'customers:write',
  channels: ['console', 'portal', 'operator'],
  input: MintTokenOfCustomer,
  output: MintedCustomerToken,
  shownOnce: ['token'],
  annotations: ADDS,
  errors: ['customer_not_found', 'api_access_disabled'],
  async handle(ctx, caller, { customerId: reference, ...options }) {
    const { partnerId } = caller
    refusePastExpiry(options.expiresAt, 'expiresAt is in the past. Give a time that is still to come.')
    return ctx.transaction(async (tx) => {
      // The lock makes count and insert one step.
      const customer = await lockCustomer(tx, partnerId, reference)
      if (caller.customerId !== undefined && !customer.enableApiAccess) {
        throw new ServiceError(
          'api_access_disabled',
          'Making tokens is switched off for this customer. Ask your provider for one.'
        )
      }
      if ((await countLiveTokens(tx, partnerId, customer.id)) >= MAX_TOKENS) {
        throw new ServiceError(
          'invalid_input',
          `A customer has at most ${MAX_TOKENS} tokens that work. Revoke one that is no longer needed.`
        )
      }
      const minted = await mintCustomerToken(tx, partnerId, customer.id, {
        ...options,
        isSelfMinted: caller.customerId !== undefined
      })
      await ctx.audit(tx, { targetType: 'customer_token', targetId: minted.tokenId })
      return { message: 'The token was made. It is shown this once.', ...minted }
    })
  }
})

export const revokeCustomerTokenOperation = defineOperation({
  name: 'customer_token_revoke',
  title: 'Revoke a customer’s MCP token',
  summary: 'Ends a token of a customer’s agents at once and for good.',
  scope: 'customers:write',
  channels: ['console', 'portal', 'operator'],
  input: CustomerTokenPath,
  output: Acknowledgement,
  annotations: CHANGES,
  errors: ['customer_not_found', 'token_not_found'],
  async handle(ctx, { partnerId }, { customerId: reference, tokenId }) {
    return ctx.transaction(async (tx) => {
      const { id: customerId } = await getCustomer(tx, partnerId, reference)
      if (!(await revokeCustomerToken(tx, partnerId, customerId, tokenId))) {
        throw new ServiceError(
          'token_not_found',
          'This customer has no token with this id that still works.',
          { field: 'tokenId' }
        )
      }
      await ctx.audit(tx, { targetType: 'customer_token', targetId: tokenId })
      return { message: 'The token was revoked.' }
    })
  }
})

export const customerTokenOperations = [
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
]
