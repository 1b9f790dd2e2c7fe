import { refuseBlocked } from '../../customers/blocked.ts'
import type { Database, ReadHandle } from '../../database/database.ts'
import { ServiceError } from '../../errors.ts'
import { randomToken } from '../../keys/token.ts'
import { AiGatewayError, type AiKeys, requireModels } from '../keys.ts'
import { findAiKey, insertAiKey, revokeAiKey } from './store.ts'

/** Stands for the primary model, so that an agent needs no new configuration when the partner's models change. */
export const AUTO = 'auto'

/** @param gatewayUrl where servers reach the gateway, without `/v1` */
export function embeddedKeys(database: Database, gatewayUrl: () => string): AiKeys {
  return {
    baseUrl: () => `${gatewayUrl()}/v1`,
    async mint(request) {
      requireModels(request.models)
      const key = `sk-${randomToken()}`
      const isNew = await database.transaction((tx) => insertAiKey(tx, request, key))
      if (!isNew) throw new AiGatewayError('alias_taken', 'A key of this name was minted before.')
      return key
    },
    revoke: (alias) => database.transaction((tx) => revokeAiKey(tx, alias)),
    defaultModel(models) {
      requireModels(models)
      return AUTO
    }
  }
}

/** `sk-` and what `mint` puts behind it; anything else isn't looked up. */
const KEY_SHAPE = /^sk-[0-9A-Za-z]{43}$/

/** @throws ServiceError `unauthorized` for a malformed, unknown or revoked key; `partner_inactive`, `access_closed` */
export async function verifyAiKey(db: ReadHandle, key: string) {
  const found = KEY_SHAPE.test(key) ? await findAiKey(db, key) : undefined
  if (!found) throw new ServiceError('unauthorized', 'This AI key is not valid.')
  if (found.isRevoked) throw new ServiceError('unauthorized', 'This AI key was revoked.')
  if (!found.isPartnerActive) throw new ServiceError('partner_inactive')
  refuseBlocked(found.credentialStatus)
  return found
}
