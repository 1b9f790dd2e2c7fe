// Where voice-agent providers tell that a call has ended.
import { Hono } from 'hono'
import { endedCallIn, findHook, isFromProvider } from '../src/calls/hooks.ts'
import { noteHint } from '../src/calls/sync-store.ts'
import { ServiceError } from '../src/errors.ts'
import type { Service } from '../src/service.ts'
import { readBody } from './middleware/body-limit.ts'
import { authenticateLimited, spendRequest } from './middleware/rate-limit.ts'
import type { RequestEnv } from './middleware/request-env.ts'

/** What was said in a call comes with it. */
const MAX_REPORT_BYTES = 2 * 1_048_576

export function callHooks(service: Service): Hono<RequestEnv> {
  const { database, secrets, usageSync } = service
  const routes = new Hono<RequestEnv>()
  routes.post('/:hookToken', async (c) => {
    const hook = await findHook(database.read, c.req.param('hookToken'))
    const actor = hook ? `hook:${hook.partnerId}:${hook.provider}` : ''
    const caller = { partnerId: hook?.partnerId ?? '', actor, scopes: new Set<never>() }
    // Before it costs anything: who isn't the provider, but knows the address, can do no more than fill this.
    const refusal = hook && (await spendRequest(service, c, caller))
    if (refusal) throw refusal
    const body = hook && (await readBody(c, MAX_REPORT_BYTES))
    await authenticateLimited(service, c, async (headers) => {
      if (hook && body && isFromProvider(secrets, hook, headers, body)) return caller
      const text = 'There is no such address, or this isn’t signed as it has to be.'
      throw new ServiceError('unauthorized', text)
    })
    const callId = hook && body && endedCallIn(hook.provider, body)
    if (hook && callId) {
      await database.transaction((tx) => noteHint(tx, hook, callId), hook.partnerId)
      usageSync.wake()
    }
    return c.body(null, 204)
  })
  return routes
}
