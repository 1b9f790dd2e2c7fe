import { CUSTOMER_SCOPES, MintCustomerToken } from '../../schemas/customer-token.ts'
import {
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../src/keys/operations.ts'
import { commandGroup, commandOfCustomer } from './command.ts'
import { minute } from './output.ts'
import { COLUMNS_OF_KEYS, mintOptions } from './values.ts'

const createCommand = commandOfCustomer('create', {
  about: 'mint a token for the customer gateway; it is shown this once and works at once',
  example: 'mindgate token create --partner acme-voice --customer C-7K2M9PQX --name assistant',
  options: (bare) => mintOptions(bare, 'token', MintCustomerToken, CUSTOMER_SCOPES),
  async run({ operate, customer, printCard }, { name, scopes, expires: expiresAt }) {
    const { message: _, ...minted } = await operate(mintCustomerTokenOperation, { name, scopes, expiresAt })
    printCard(minted, `Token of ${customer.email}, shown this once`, {
      Token: minted.token,
      Id: minted.tokenId,
      Scopes: minted.scopes.join(', '),
      Expires: minute(minted.expiresAt) ?? 'never'
    })
  }
})

const listCommand = commandOfCustomer('list', {
  about: 'list the tokens of a customer, newest first, without their secrets',
  example: 'mindgate token list --customer cus_4f…',
  async run({ operate, customer: { id }, printTable }) {
    const { data } = await operate(listCustomerTokensOperation)
    printTable(data, `No token yet. Make one: mindgate token create --customer ${id} --name first`, {
      Id: ({ tokenId }) => tokenId,
      Name: ({ name }) => name,
      Token: ({ prefix }) => `${prefix}…`,
      ...COLUMNS_OF_KEYS
    })
  }
})

const revokeCommand = commandOfCustomer('revoke', {
  about: 'revoke a token for good; it stops working at once',
  example: 'mindgate token revoke --customer cus_4f… --token tok_8a…',
  options: (bare) => bare.requiredOption('--token <id>', 'id of the token, as `token list` shows it'),
  async run({ operate, customer: { id }, print }, { token: tokenId }) {
    const token_not_found = `${id} has no token ${tokenId} that could be revoked. \`mindgate token list --customer ${id}\` shows its tokens.`
    await operate(revokeCustomerTokenOperation, { tokenId }, { refusals: { token_not_found } })
    print({ tokenId, revoked: true }, () => `${tokenId} is revoked.`)
  }
})

export const tokenCommand = commandGroup(
  'token',
  'mint, list and revoke the tokens of a customer’s agents (mct_…)',
  [createCommand, listCommand, revokeCommand]
)
