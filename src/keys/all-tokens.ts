// The MCP tokens of all customers of a partner, for whoever wants to know what has access at all.
import type { z } from 'zod'
import {
  ListAllCustomerTokens,
  type OwnedCustomerToken,
  OwnedCustomerTokenPage
} from '../../schemas/customer-token.ts'
import { paginate } from '../../schemas/envelope.ts'
import { nameOf } from '../customers/name.ts'
import type { ReadHandle } from '../database/database.ts'
import { defineOperation } from '../operation.ts'
import { scopeList } from './scope-set.ts'

export const listAllCustomerTokens = defineOperation({
  name: 'customer_token_list_all',
  title: 'List the MCP tokens of all customers',
  summary:
    'Returns the tokens of every customer’s agents, newest first, a page at a time, without what opens a door.',
  scope: 'customers:read',
  channels: ['console'],
  input: ListAllCustomerTokens,
  output: OwnedCustomerTokenPage,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [],
  async handle({ db }, { partnerId }, query) {
    const { tokens, totalCount } = await pageOfTokens(db, partnerId, query)
    return { data: tokens, pagination: paginate(query.page, query.limit, totalCount) }
  }
})

async function pageOfTokens(
  db: ReadHandle,
  partnerId: string,
  { page, limit }: z.output<typeof ListAllCustomerTokens>
): Promise<{ tokens: OwnedCustomerToken[]; totalCount: number }> {
  const [rows, { count }] = await Promise.all([
    db
      .selectFrom('customerToken as token')
      .innerJoin('customer', 'customer.id', 'token.customerId')
      .where('token.partnerId', '=', partnerId)
      .select([
        'token.id',
        'token.customerId',
        'token.name',
        'token.prefix',
        'token.scopes',
        'token.expiresAt'
      ])
      .select(['token.lastUsedAt', 'token.revokedAt', 'token.createdAt'])
      .select(['customer.companyName', 'customer.firstName', 'customer.lastName', 'customer.email'])
      .orderBy('token.createdAt', 'desc')
      .orderBy('token.id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    db
      .selectFrom('customerToken')
      .where('partnerId', '=', partnerId)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ])
  const tokens = rows.map(({ id, scopes, companyName, firstName, lastName, email, ...token }) => ({
    tokenId: id,
    ...token,
    scopes: scopeList(scopes),
    customerName: nameOf({ companyName, firstName, lastName, email })
  }))
  return { tokens, totalCount: count }
}
