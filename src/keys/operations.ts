// What the channels offer on partners' API keys and customers' MCP tokens. Neither REST nor MCP has any of it, and no key
// reaches it: it could make a stronger one.
import { ApiKeyList, ApiKeyPath, MintApiKey, MintedApiKey } from '../../schemas/api-key.ts'
import { CustomerPath } from '../../schemas/customer.ts'
import {
  CustomerTokenList,
  CustomerTokenPath,
  ListAllCustomerTokens,
  MintedCustomerToken,
  MintTokenOfCustomer,
  OwnedCustomerTokenPage
} from '../../schemas/customer-token.ts'
import { now } from '../clock.ts'
import { nameOf } from '../customers/name.ts'
import { isLookedFor } from '../customers/search.ts'
import { getCustomer, lockCustomer } from '../customers/store.ts'
import { among, BY_NAME, inOrderOf, pageInOrder } from '../database/page.ts'
import { countedBy } from '../database/row-count.ts'
import { ServiceError } from '../errors.ts'
import { ADDS, CHANGES, defineOperation } from '../operation.ts'
import { lockPartnerUsers } from '../partners/users.ts'
import {
  countLive,
  listApiKeys,
  listCustomerTokens,
  mintApiKey,
  mintCustomerToken,
  newestTokens,
  revokeApiKey,
  revokeCustomerToken
} from './credentials.ts'
import { scopeList } from './token.ts'

/** Returns every API key with its scopes and its last use, revoked ones too; never the keys themselves. */
export const listApiKeysOperation = defineOperation({
  name: 'api_key_list',
  scope: 'settings:read',
  channels: ['console', 'operator'],
  output: ApiKeyList,
  handle: async ({ db }, { partnerId }) => ({ data: await listApiKeys(db, partnerId) })
})

/** Each has a budget of requests of its own: without an end their maker would have none. */
const MAX_KEYS = 100

/** Makes a key with the scopes given; it works at once and is shown this once. */
export const mintApiKeyOperation = defineOperation({
  name: 'api_key_mint',
  title: 'Make an API key',
  scope: 'settings:write',
  channels: ['console', 'operator'],
  input: MintApiKey,
  output: MintedApiKey,
  annotations: ADDS,
  shownOnce: ['key'],
  async write(tx, ctx, { partnerId }, key) {
    refusePastEnd(key.expiresAt)
    await lockPartnerUsers(tx, partnerId)
    if ((await countLive(tx, 'apiKey', { partnerId })) >= MAX_KEYS) {
      const message = `You have ${MAX_KEYS} keys that work. Revoke one that is no longer needed.`
      throw new ServiceError('invalid_input', message)
    }
    const minted = await mintApiKey(tx, partnerId, key)
    await ctx.audit(tx, {
      targetType: 'api_key',
      targetId: minted.keyId,
      fields: ['name', 'scopes', 'expiresAt']
    })
    return { ...minted, message: 'The key is made and works at once.' }
  }
})

/** Ends a key for good; it stops working at once. */
export const revokeApiKeyOperation = defineOperation({
  name: 'api_key_revoke',
  title: 'Revoke an API key',
  scope: 'settings:write',
  channels: ['console', 'operator'],
  input: ApiKeyPath,
  annotations: CHANGES,
  errors: ['api_key_not_found'],
  async write(tx, ctx, { partnerId }, { keyId }) {
    if (!(await revokeApiKey(tx, partnerId, keyId))) throw new ServiceError('api_key_not_found')
    await ctx.audit(tx, { targetType: 'api_key', targetId: keyId, fields: ['revokedAt'] })
    return { message: 'The key was revoked.' }
  }
})

export const apiKeyOperations = [listApiKeysOperation, mintApiKeyOperation, revokeApiKeyOperation]

/** More live tokens of one customer than anybody tells apart. */
const MAX_TOKENS = 100

/** Returns the tokens of a customer’s agents, newest first, without their secrets. */
export const listCustomerTokensOperation = defineOperation({
  name: 'customer_token_list',
  scope: 'customers:read',
  channels: ['console', 'portal', 'operator'],
  input: CustomerPath,
  output: CustomerTokenList,
  async handle({ db }, { partnerId }, { customerId: reference }) {
    const { id: customerId } = await getCustomer(db, partnerId, reference)
    return { data: await listCustomerTokens(db, partnerId, customerId) }
  }
})

/** Makes a token that opens the customer’s own gateway, and returns it this once. */
export const mintCustomerTokenOperation = defineOperation({
  name: 'customer_token_mint',
  title: 'Make an MCP token for a customer',
  scope: 'customers:write',
  channels: ['console', 'portal', 'operator'],
  input: MintTokenOfCustomer,
  output: MintedCustomerToken,
  shownOnce: ['token'],
  annotations: ADDS,
  errors: ['api_access_disabled'],
  async write(tx, ctx, caller, { customerId: reference, ...options }) {
    const { partnerId } = caller
    refusePastEnd(options.expiresAt)
    // The lock makes count and insert one step.
    const customer = await lockCustomer(tx, partnerId, reference)
    if (caller.customerId !== undefined && !customer.enableApiAccess) {
      throw new ServiceError(
        'api_access_disabled',
        'Making tokens is switched off for this customer. Ask your provider for one.'
      )
    }
    if ((await countLive(tx, 'customerToken', { partnerId, customerId: customer.id })) >= MAX_TOKENS) {
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
  }
})

/** Ends a token of a customer’s agents at once and for good. */
export const revokeCustomerTokenOperation = defineOperation({
  name: 'customer_token_revoke',
  title: 'Revoke a customer’s MCP token',
  scope: 'customers:write',
  channels: ['console', 'portal', 'operator'],
  input: CustomerTokenPath,
  annotations: CHANGES,
  errors: ['token_not_found'],
  async write(tx, ctx, { partnerId }, { customerId: reference, tokenId }) {
    const { id: customerId } = await getCustomer(tx, partnerId, reference)
    if (!(await revokeCustomerToken(tx, partnerId, customerId, tokenId)))
      throw new ServiceError('token_not_found')
    await ctx.audit(tx, { targetType: 'customer_token', targetId: tokenId })
    return { message: 'The token was revoked.' }
  }
})

/** Returns the tokens of every customer’s agents, as they are looked for, a page at a time, without their secrets. */
export const listAllCustomerTokens = defineOperation({
  name: 'customer_token_list_all',
  scope: 'customers:read',
  input: ListAllCustomerTokens,
  output: OwnedCustomerTokenPage,
  async handle({ db }, { partnerId }, { search, ...looking }) {
    const isAsked = isLookedFor(db, partnerId, search, 'customerToken', [BY_NAME.name])
    const all = db.selectFrom('customerToken').where(isAsked)
    const counted = search ? undefined : countedBy(db, partnerId, 'customerToken')
    const order = { db, texts: BY_NAME, counted, isFew: Boolean(search) }
    const { rows: ids, pagination } = await pageInOrder(looking, all.select('id'), all, order)
    const rows = await newestTokens(db)
      .innerJoin('customer', 'customer.id', 'held.customerId')
      .where('held.id', 'in', among(ids))
      .select(['held.customerId', 'companyName', 'firstName', 'lastName', 'email'])
      .execute()
    const data = inOrderOf(ids, rows).map(
      ({ id, scopes, companyName, firstName, lastName, email, ...token }) => ({
        tokenId: id,
        ...token,
        scopes: scopeList(scopes),
        customerName: nameOf({ companyName, firstName, lastName, email })
      })
    )
    return { data, pagination }
  }
})

export const customerTokenOperations = [
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation,
  listAllCustomerTokens
]

/** Refuses what would be over before it begins. @throws ServiceError `invalid_input` */
function refusePastEnd(expiresAt: string | undefined): void {
  if (expiresAt === undefined || new Date(expiresAt).toISOString() > now()) return
  const message = 'The end is in the past. Choose a time that is still to come.'
  throw new ServiceError('invalid_input', message, { field: 'expiresAt' })
}
