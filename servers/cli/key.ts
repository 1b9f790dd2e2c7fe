import { Command } from '@commander-js/extra-typings'
import { ApiKeyList, DEFAULT_SCOPES, MintApiKey, MintedApiKey, SCOPES } from '../../schemas/api-key.ts'
import { Acknowledgement } from '../../schemas/envelope.ts'
import {
  listApiKeysOperation,
  mintApiKeyOperation,
  revokeApiKeyOperation
} from '../../src/keys/operations.ts'
import { operate } from './operate.ts'
import { card, minute, print, table } from './output.ts'
import type { Terminal } from './terminal.ts'
import { scopesOf, textOf, validity } from './values.ts'
import { partnerNamed, withDatabase } from './workplace.ts'

export const keyCommand = (terminal: Terminal) =>
  new Command('key')
    .description('mint, list and revoke partner API keys (pkt_…)')
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(revokeCommand(terminal))

const createCommand = (terminal: Terminal) =>
  new Command('create')
    .description('mint an API key; it is shown this once and works at once')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .requiredOption('--name <name>', 'what the key is for', textOf(MintApiKey.shape.name))
    .option('--scopes <a,b>', `what it may do (default: ${DEFAULT_SCOPES.join(',')})`, scopesOf(SCOPES))
    .option(
      '--expires <time>',
      'when it ends, as 2030-01-31T00:00:00Z (default: never)',
      textOf(MintApiKey.shape.expiresAt.unwrap())
    )
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      `\nScopes: ${SCOPES.join(', ')}\n\nExample:\n  $ mindgate key create --partner acme-voice --name crm --scopes customers:read`
    )
    .action(({ partner: idOrSlug, name, scopes: granted, expires, json }) =>
      withDatabase(terminal, async (place) => {
        const { partnerId, name: partnerName } = await partnerNamed(place.database, idOrSlug)
        const input = { name, scopes: granted, expiresAt: expires }
        const { message: _, ...minted } = await operate(place, mintApiKeyOperation, {
          ...{ partnerId, input, output: MintedApiKey }
        })
        print(terminal, { json }, minted, ({ keyId, key, scopes, expiresAt }) =>
          card(`API key of ${partnerName}, shown this once`, {
            Key: key,
            Id: keyId,
            Scopes: scopes.join(', '),
            Expires: minute(expiresAt) ?? 'never'
          })
        )
      })
    )

const listCommand = (terminal: Terminal) =>
  new Command('list')
    .description('list the keys of a partner, newest first, without their secrets')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate key list --partner acme-voice')
    .action(({ partner: idOrSlug, json }) =>
      withDatabase(terminal, async (place) => {
        const { partnerId, slug } = await partnerNamed(place.database, idOrSlug)
        const keys = await operate(place, listApiKeysOperation, { partnerId, output: ApiKeyList })
        print(terminal, { json }, keys.data, (rows) =>
          table(
            rows,
            {
              Id: ({ keyId }) => keyId,
              Name: ({ name }) => name,
              Key: ({ prefix }) => `${prefix}…`,
              State: validity,
              Scopes: ({ scopes }) => scopes.join(', '),
              Expires: ({ expiresAt }) => minute(expiresAt),
              'Last used': ({ lastUsedAt }) => minute(lastUsedAt),
              Created: ({ createdAt }) => minute(createdAt)
            },
            `No key yet. Make one: mindgate key create --partner ${slug} --name first`
          )
        )
      })
    )

const revokeCommand = (terminal: Terminal) =>
  new Command('revoke')
    .description('revoke a key for good; it stops working at once')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .requiredOption('--key <id>', 'id of the key, as `key list` shows it')
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate key revoke --partner acme-voice --key key_4f…')
    .action(({ partner: idOrSlug, key: keyId, json }) =>
      withDatabase(terminal, async (place) => {
        const { partnerId, slug } = await partnerNamed(place.database, idOrSlug)
        const api_key_not_found = `${slug} has no key ${keyId} that could be revoked. \`mindgate key list --partner ${slug}\` shows its keys.`
        await operate(place, revokeApiKeyOperation, {
          ...{ partnerId, input: { keyId }, output: Acknowledgement, refusals: { api_key_not_found } }
        })
        print(terminal, { json }, { keyId, revoked: true }, () => `${keyId} is revoked.`)
      })
    )
