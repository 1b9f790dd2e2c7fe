import { Command } from '@commander-js/extra-typings'
import {
  CUSTOMER_SCOPES,
  CustomerTokenList,
  MintCustomerToken,
  MintedCustomerToken
} from '../../schemas/customer-token.ts'
import { Acknowledgement } from '../../schemas/envelope.ts'
import {
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../src/keys/operations.ts'
import { operate } from './operate.ts'
import { card, minute, print, table } from './output.ts'
import type { Terminal } from './terminal.ts'
import { scopesOf, textOf, validity } from './values.ts'
import { CUSTOMER_OPTION, customerNamed, PARTNER_OPTION, withDatabase } from './workplace.ts'

export const tokenCommand = (terminal: Terminal) =>
  new Command('token')
    .description('mint, list and revoke the tokens of a customer’s agents (mct_…)')
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(revokeCommand(terminal))

const createCommand = (terminal: Terminal) =>
  new Command('create')
    .description('mint a token for the customer gateway; it is shown this once and works at once')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .requiredOption('--name <name>', 'what the token is for', textOf(MintCustomerToken.shape.name))
    .option(
      '--scopes <a,b>',
      `what it may do (default: ${CUSTOMER_SCOPES.join(',')})`,
      scopesOf(CUSTOMER_SCOPES)
    )
    .option(
      '--expires <time>',
      'when it ends, as 2030-01-31T00:00:00Z (default: never)',
      textOf(MintCustomerToken.shape.expiresAt.unwrap())
    )
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ mindgate token create --partner acme-voice --customer C-7K2M9PQX --name assistant'
    )
    .action(({ customer: reference, partner, name, scopes, expires, json }) =>
      withDatabase(terminal, async (place) => {
        const { id: customerId, partnerId, email } = await customerNamed(place.database, reference, partner)
        const input = { customerId, name, scopes, expiresAt: expires }
        const { message: _, ...minted } = await operate(place, mintCustomerTokenOperation, {
          ...{ partnerId, input, output: MintedCustomerToken }
        })
        print(terminal, { json }, minted, ({ tokenId, token, scopes: granted, expiresAt }) =>
          card(`Token of ${email}, shown this once`, {
            Token: token,
            Id: tokenId,
            Scopes: granted.join(', '),
            Expires: minute(expiresAt) ?? 'never'
          })
        )
      })
    )

const listCommand = (terminal: Terminal) =>
  new Command('list')
    .description('list the tokens of a customer, newest first, without their secrets')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate token list --customer cus_4f…')
    .action(({ customer: reference, partner, json }) =>
      withDatabase(terminal, async (place) => {
        const { id, partnerId } = await customerNamed(place.database, reference, partner)
        const input = { customerId: id }
        const tokens = await operate(place, listCustomerTokensOperation, {
          ...{ partnerId, input, output: CustomerTokenList }
        })
        print(terminal, { json }, tokens.data, (rows) =>
          table(
            rows,
            {
              Id: ({ tokenId }) => tokenId,
              Name: ({ name }) => name,
              Token: ({ prefix }) => `${prefix}…`,
              State: validity,
              Scopes: ({ scopes }) => scopes.join(', '),
              Expires: ({ expiresAt }) => minute(expiresAt),
              'Last used': ({ lastUsedAt }) => minute(lastUsedAt),
              Created: ({ createdAt }) => minute(createdAt)
            },
            `No token yet. Make one: mindgate token create --customer ${id} --name first`
          )
        )
      })
    )

const revokeCommand = (terminal: Terminal) =>
  new Command('revoke')
    .description('revoke a token for good; it stops working at once')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .requiredOption('--token <id>', 'id of the token, as `token list` shows it')
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate token revoke --customer cus_4f… --token tok_8a…')
    .action(({ customer: reference, partner, token: tokenId, json }) =>
      withDatabase(terminal, async (place) => {
        const { id, partnerId } = await customerNamed(place.database, reference, partner)
        const token_not_found = `${id} has no token ${tokenId} that could be revoked. \`mindgate token list --customer ${id}\` shows its tokens.`
        const input = { customerId: id, tokenId }
        await operate(place, revokeCustomerTokenOperation, {
          ...{ partnerId, input, output: Acknowledgement, refusals: { token_not_found } }
        })
        print(terminal, { json }, { tokenId, revoked: true }, () => `${tokenId} is revoked.`)
      })
    )
