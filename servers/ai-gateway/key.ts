import type { Context } from 'hono'
import { type VerifiedAiKey, verifyAiKey } from '../../src/ai-gateway/embedded/keys.ts'
import { ServiceError } from '../../src/errors.ts'
import type { Service } from '../../src/service.ts'
import { bearerToken } from '../middleware/authentication.ts'
import { authenticateLimited, spendRequest } from '../middleware/rate-limit.ts'
import type { RequestEnv } from '../middleware/request-env.ts'

/** Whose agent calls. @throws ServiceError `unauthorized`, `partner_inactive`, `access_closed`, `rate_limited` */
export async function authenticateAgent(service: Service, c: Context<RequestEnv>): Promise<VerifiedAiKey> {
  const caller = await authenticateLimited(service, c, async (headers) => {
    const token = bearerToken(headers.get('authorization'))
    if (token === undefined)
      throw new ServiceError('unauthorized', 'An AI key is missing. Send `Authorization: Bearer sk-…`.')
    const key = await verifyAiKey(service.database.read, token)
    return { partnerId: key.partnerId, actor: key.keyId, scopes: new Set<never>(), key }
  })
  const overdrawn = await spendRequest(service, c, caller)
  if (overdrawn) throw overdrawn
  return caller.key
}
