import type { Context } from 'hono'
import { verifyAiKey } from '../../src/ai-gateway/embedded/keys.ts'
import type { FoundAiKey } from '../../src/ai-gateway/embedded/store.ts'
import { ServiceError } from '../../src/errors.ts'
import type { Service } from '../../src/service.ts'
import { bearerToken } from '../middleware/authentication.ts'
import { authenticateLimited, spendRequest } from '../middleware/rate-limit.ts'
import type { RequestEnv } from '../middleware/request-env.ts'

/** Whose agent calls. @throws ServiceError `unauthorized`, `partner_inactive`, `access_closed`, `rate_limited` */
export async function authenticateAgent(service: Service, c: Context<RequestEnv>): Promise<FoundAiKey> {
  const token = bearerToken(c.req.header('authorization') ?? null)
  let found: FoundAiKey | undefined
  const caller = await authenticateLimited(service, c, async () => {
    found = token === undefined ? undefined : await verifyAiKey(service.database.read, token)
    if (!found) throw keyMissing()
    return { partnerId: found.partnerId, actor: found.keyId, scopes: new Set() }
  })
  const overdrawn = await spendRequest(service, c, caller)
  if (overdrawn) throw overdrawn
  if (!found) throw keyMissing()
  return found
}

const keyMissing = () =>
  new ServiceError('unauthorized', 'An AI key is missing. Send `Authorization: Bearer sk-…`.')
