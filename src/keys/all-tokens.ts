// The MCP tokens of all customers of a partner, for whoever wants to know what has access at all.
import { ListAllCustomerTokens, OwnedCustomerTokenPage } from '../../schemas/customer-token.ts'
import { nameOf } from '../customers/name.ts'
import { pageOfRows } from '../database/page.ts'
import { defineOperation, READS } from '../operation.ts'
import { scopeList } from './token.ts'

export const listAllCustomerTokens = defineOperation({
  name: 'customer_token_list_all',
  title: 'List the MCP tokens of all customers',
  summary:
    'Returns the tokens of every customer’s agents, newest first, a page at a time, without their secrets.',
  scope: 'customers:read',
  channels: ['console'],
  input: ListAllCustomerTokens,
  output: OwnedCustomerTokenPage,
  annotations: READS,
  async handle({ db }, { partnerId }, page) {
    const newest = db
      .selectFrom('customerToken as token')
      .where('token.partnerId', '=', partnerId)
      .innerJoin('customer', 'customer.id', 'token.customerId')
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
    const counted = db.selectFrom('customerToken').where('partnerId', '=', partnerId)
    const { rows, pagination } = await pageOfRows(page, newest, counted)
    const data = rows.map(({ id, scopes, companyName, firstName, lastName, email, ...token }) => ({
      tokenId: id,
      ...token,
      scopes: scopeList(scopes),
      customerName: nameOf({ companyName, firstName, lastName, email })
    }))
    return { data, pagination }
  }
})
