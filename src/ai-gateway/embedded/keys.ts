import { z } from 'zod'
import { refuseBlocked } from '../../customers/blocked.ts'
import type { Database, ReadHandle } from '../../database/database.ts'
import { ServiceError } from '../../errors.ts'
import { randomToken } from '../../keys/token.ts'
import { AiGatewayError, type AiKeys, requireModels } from '../keys.ts'
import { OwnAiBudgets } from '../variables.ts'
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

const ModelList = z.array(z.string())

export type VerifiedAiKey = Awaited<ReturnType<typeof verifyAiKey>>

/** @throws ServiceError `unauthorized` for a malformed, unknown or revoked key; `partner_inactive`, `access_closed` */
export async function verifyAiKey(db: ReadHandle, key: string) {
  const found = KEY_SHAPE.test(key) ? await findAiKey(db, key) : undefined
  if (!found) throw new ServiceError('unauthorized', 'This AI key is not valid.')
  if (found.revokedAt !== null) throw new ServiceError('unauthorized', 'This AI key was revoked.')
  if (found.isActive === 0) throw new ServiceError('partner_inactive', 'The partner account is inactive.')
  refuseBlocked(found.credentialStatus)
  const { keyId, partnerId, instanceId, customerId } = found
  // As they are now, not as they were when the key was made: `auto` and entitlement follow the partner at once.
  const models = ModelList.parse(JSON.parse(found.models))
  const ownBudgets = OwnAiBudgets.parse(JSON.parse(found.aiBudgets ?? '{}'))
  return { keyId, partnerId, instanceId, customerId, models, ownBudgets }
}
