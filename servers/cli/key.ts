import { DEFAULT_SCOPES, MintApiKey, SCOPES } from '../../schemas/api-key.ts'
import {
  listApiKeysOperation,
  mintApiKeyOperation,
  revokeApiKeyOperation
} from '../../src/keys/operations.ts'
import { commandGroup, commandOfPartner } from './command.ts'
import { minute } from './output.ts'
import { COLUMNS_OF_KEYS, mintOptions } from './values.ts'

const createCommand = commandOfPartner('create', {
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

const listCommand = commandOfPartner('list', {
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

const revokeCommand = commandOfPartner('revoke', {
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
  createCommand,
  listCommand,
  revokeCommand
])
