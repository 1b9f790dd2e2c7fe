import { Command } from '@commander-js/extra-typings'
import { CUSTOMER_SCOPES, MintCustomerToken } from '../../schemas/customer-token.ts'
import { listCustomerTokens, mintCustomerToken, revokeCustomerToken } from '../../src/keys/customer-tokens.ts'
import { CommandError } from './failure.ts'
import { card, minute, print, table } from './output.ts'
import type { Terminal } from './terminal.ts'
import { refusePast, scopesOf, textOf, validity } from './values.ts'
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
      withDatabase(terminal, async ({ database }) => {
        refusePast(expires)
        const { id, partnerId, email } = await customerNamed(database, reference, partner)
        const minted = await database.transaction((tx) =>
          mintCustomerToken(tx, partnerId, id, { name, scopes, expiresAt: expires })
        )
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
    .description('list the tokens of a customer, newest first, without what opens a door')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate token list --customer cus_4f…')
    .action(({ customer: reference, partner, json }) =>
      withDatabase(terminal, async ({ database }) => {
        const { id, partnerId } = await customerNamed(database, reference, partner)
        const tokens = await listCustomerTokens(database.read, partnerId, id)
        print(terminal, { json }, tokens, (rows) =>
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
      withDatabase(terminal, async ({ database }) => {
        const { id, partnerId } = await customerNamed(database, reference, partner)
        const isRevoked = await database.transaction((tx) => revokeCustomerToken(tx, partnerId, id, tokenId))
        if (!isRevoked) {
          throw new CommandError(
            `${id} has no token ${tokenId} that could be revoked. \`mindgate token list --customer ${id}\` shows its tokens.`
          )
        }
        print(terminal, { json }, { tokenId, revoked: true }, () => `${tokenId} is revoked.`)
      })
    )
