// Keys of partners, and the tokens of their customers' agents.
import type { Command } from '@commander-js/extra-typings'
import type { z } from 'zod'
import { type ApiKey, DEFAULT_SCOPES, MintApiKey, SCOPES } from '../../schemas/api-key.ts'
import { CUSTOMER_SCOPES, type CustomerToken, MintCustomerToken } from '../../schemas/customer-token.ts'
import { now } from '../../src/clock.ts'
import {
  listApiKeysOperation,
  listCustomerTokensOperation,
  mintApiKeyOperation,
  mintCustomerTokenOperation,
  revokeApiKeyOperation,
  revokeCustomerTokenOperation
} from '../../src/keys/operations.ts'
import { commandGroup, commandOfCustomer, commandOfPartner } from './command.ts'
import { minute } from './output.ts'
import { scopesOf, textOf } from './values.ts'

const mintOptions = <Name extends string>(
  bare: Command,
  what: string,
  { shape }: typeof MintApiKey | typeof MintCustomerToken,
  known: readonly Name[],
  byDefault = known
) =>
  bare
    .requiredOption('--name <name>', `what the ${what} is for`, textOf(shape.name))
    .option('--scopes <a,b>', `what it may do (default: ${byDefault.join(',')})`, scopesOf(known))
    .option(
      '--expires <time>',
      'when it ends, as 2030-01-31T00:00:00Z (default: never)',
      textOf(shape.expiresAt.unwrap())
    )

type Listed = z.output<typeof ApiKey> | z.output<typeof CustomerToken>

const COLUMNS_OF_KEYS = {
  State: ({ revokedAt, expiresAt }: Listed) => {
    if (revokedAt) return 'revoked'
    return expiresAt && expiresAt <= now() ? 'expired' : 'valid'
  },
  Scopes: ({ scopes }: Listed) => scopes.join(', '),
  Expires: ({ expiresAt }: Listed) => minute(expiresAt),
  'Last used': ({ lastUsedAt }: Listed) => minute(lastUsedAt),
  Created: ({ createdAt }: Listed) => minute(createdAt)
}

const createKey = commandOfPartner('create', {
  about: 'mint an API key; it is shown this once and works at once',
  note: `Scopes: ${SCOPES.join(', ')}`,
  example: 'mindgate key create --partner acme-voice --name crm --scopes customers:read',
  options: (bare) => mintOptions(bare, 'key', MintApiKey, SCOPES, DEFAULT_SCOPES),
  async run({ operate, partner, printCard }, { name, scopes, expires: expiresAt }) {
    const { message: _, ...minted } = await operate(mintApiKeyOperation, { name, scopes, expiresAt })
    printCard(minted, `API key of ${partner.name}, shown this once`, {
      Key: minted.key,
      Id: minted.keyId,
      Scopes: minted.scopes.join(', '),
      Expires: minute(minted.expiresAt) ?? 'never'
    })
  }
})

const listKeys = commandOfPartner('list', {
  about: 'list the keys of a partner, newest first, without their secrets',
  example: 'mindgate key list --partner acme-voice',
  async run({ operate, partner: { slug }, printTable }) {
    const { data } = await operate(listApiKeysOperation)
    printTable(data, `No key yet. Make one: mindgate key create --partner ${slug} --name first`, {
      Id: ({ keyId }) => keyId,
      Name: ({ name }) => name,
      Key: ({ prefix }) => `${prefix}…`,
      ...COLUMNS_OF_KEYS
    })
  }
})

const revokeKey = commandOfPartner('revoke', {
  about: 'revoke a key for good; it stops working at once',
  example: 'mindgate key revoke --partner acme-voice --key key_4f…',
  options: (bare) => bare.requiredOption('--key <id>', 'id of the key, as `key list` shows it'),
  async run({ operate, partner: { slug }, print }, { key: keyId }) {
    const api_key_not_found = `${slug} has no key ${keyId} that could be revoked. \`mindgate key list --partner ${slug}\` shows its keys.`
    await operate(revokeApiKeyOperation, { keyId }, { refusals: { api_key_not_found } })
    print({ keyId, revoked: true }, () => `${keyId} is revoked.`)
  }
})

export const keyCommand = commandGroup('key', 'mint, list and revoke partner API keys (pkt_…)', [
  createKey,
  listKeys,
  revokeKey
])

const createToken = commandOfCustomer('create', {
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

const listTokens = commandOfCustomer('list', {
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

const revokeToken = commandOfCustomer('revoke', {
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
  [createToken, listTokens, revokeToken]
)
