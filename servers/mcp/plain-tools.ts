// A gateway's tools for workflows that speak plain HTTP: `POST {gateway}/tools/{tool}` with the parameters as JSON, and
// the statuses of §7. What holds for the same call over MCP (key, scopes, limits) holds here.
import { type Context, Hono } from 'hono'
import type { Caller } from '../../src/caller.ts'
import { ServiceError } from '../../src/errors.ts'
import type { Service } from '../../src/service.ts'
import { answerError } from '../middleware/error-answer.ts'
import { readJsonObject } from '../middleware/json-body.ts'
import { authenticateLimited, spendRequest } from '../middleware/rate-limit.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { hostGuard } from './host-guard.ts'
import type { Tool } from './tool.ts'
import { runTool } from './tool-call.ts'

export function plainTools(
  service: Service,
  authenticate: (headers: Headers) => Promise<Caller>,
  find: (name: string) => Tool | undefined
): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>()
  app.onError((error, c) => answerError(c, error))
  app.use(function nameChannel(c, next) {
    c.set('channel', 'tools')
    return next()
  })
  app.use(hostGuard(service, (c, message) => refuse(c, 403, message)))
  app.post('/:tool', async (c) => {
    const caller = await authenticateLimited(service, c, authenticate)
    const overdrawn = await spendRequest(service, c, caller)
    if (overdrawn) throw overdrawn
    const tool = find(c.req.param('tool'))
    if (!tool) throw new ServiceError('not_found', 'There is no tool of that name. List the tools over MCP.')
    c.set('operation', tool.operation)
    const input = await readJsonObject(c)
    const { output, isReplay } = await runTool(
      service,
      { tool, caller, requestId: c.get('requestId'), input },
      c.req.header('idempotency-key')
    )
    if (isReplay) c.header('Idempotent-Replayed', 'true')
    return c.json({ success: true, data: output })
  })
  app.all('/:tool', (c) => {
    c.header('Allow', 'POST')
    return refuse(c, 405, 'Call a tool by POST, with its parameters as JSON.')
  })
  return app
}

/** A refusal that has no code of its own. */
const refuse = (c: Context<RequestEnv>, status: 403 | 405, message: string) =>
  answerError(c, new ServiceError('not_found', message), status)
