// What console and command line offer on a partner's API keys; no key reaches it: it could make a stronger one.
import { ApiKeyList, ApiKeyPath, MintApiKey, MintedApiKey } from '../../schemas/api-key.ts'
import { Acknowledgement, NoInput } from '../../schemas/envelope.ts'
import { ServiceError } from '../errors.ts'
import { ADDS, CHANGES, defineOperation, READS } from '../operation.ts'
import { listApiKeys, mintApiKey, revokeApiKey } from './api-keys.ts'
import { refusePastExpiry } from './token.ts'

export const listApiKeysOperation = defineOperation({
  name: 'api_key_list',
  title: 'List your API keys',
  summary:
    'Returns every API key with its scopes and its last use, revoked ones too; never the keys themselves.',
  scope: 'customers:read',
  channels: ['console', 'operator'],
  input: NoInput,
  output: ApiKeyList,
  annotations: READS,
  async handle({ db }, { partnerId }) {
    return { data: await listApiKeys(db, partnerId) }
  }
})

export const mintApiKeyOperation = defineOperation({
  name: 'api_key_mint',
  title: 'Make an API key',
  summary: 'Makes a key with the scopes given; it works at once and is shown this once.',
  scope: 'customers:write',
  channels: ['console', 'operator'],
  input: MintApiKey,
  output: MintedApiKey,
  annotations: ADDS,
  shownOnce: ['key'],
  async handle(ctx, { partnerId }, key) {
    refusePastExpiry(key.expiresAt)
    return ctx.transaction(async (tx) => {
      const minted = await mintApiKey(tx, partnerId, key)
      await ctx.audit(tx, {
        targetType: 'api_key',
        targetId: minted.keyId,
        fields: ['name', 'scopes', 'expiresAt']
      })
      return { ...minted, message: 'The key is made and works at once.' }
    })
  }
})

export const revokeApiKeyOperation = defineOperation({
  name: 'api_key_revoke',
  title: 'Revoke an API key',
  summary: 'Ends a key for good; it stops working at once.',
  scope: 'customers:write',
  channels: ['console', 'operator'],
  input: ApiKeyPath,
  output: Acknowledgement,
  annotations: CHANGES,
  errors: ['api_key_not_found'],
  async handle(ctx, { partnerId }, { keyId }) {
    return ctx.transaction(async (tx) => {
      if (!(await revokeApiKey(tx, partnerId, keyId))) {
        throw new ServiceError('api_key_not_found', 'You have no API key with this id that still works.', {
          field: 'keyId'
        })
      }
      await ctx.audit(tx, { targetType: 'api_key', targetId: keyId, fields: ['revokedAt'] })
      return { message: 'The key was revoked.' }
    })
  }
})

export const apiKeyOperations = [listApiKeysOperation, mintApiKeyOperation, revokeApiKeyOperation]
