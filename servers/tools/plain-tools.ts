// A gateway's tools for workflows that speak plain HTTP: `POST {gateway}/tools/{tool}` with the parameters as JSON, and
// the statuses of §7. What holds for the same call over MCP (key, scopes, limits) holds here.
import { type Context, Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import type { Service } from '../../src/service.ts'
import { answerError } from '../middleware/error-answer.ts'
import { hostGuard, ownUrl } from '../middleware/host-guard.ts'
import { readJsonObject } from '../middleware/json-body.ts'
import { authenticateLimited, spendRequest } from '../middleware/rate-limit.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { compactSchema } from './compact-schema.ts'
import type { Gateway } from './gateway.ts'
import { runTool } from './run-tool.ts'
import type { ToolList } from './tool.ts'

/** To mount where the gateway is: `/tools` lists them for a key, `/openapi.json` describes all of them to anybody. */
export function plainTools(service: Service, gateway: Gateway, toolList: ToolList): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>()
  app.onError((error, c) => answerError(c, error))
  for (const path of ['/tools', '/tools/*', '/openapi.json']) {
    app.use(path, function nameChannel(c, next) {
      c.set('channel', 'tools')
      return next()
    })
    app.use(
      path,
      hostGuard(service, (c, message) => refuse(c, 403, message))
    )
  }
  app.get('/openapi.json', (c) => c.json(documentOf(gateway, ownUrl(service, c))))
  app.get('/tools', async (c) => {
    const { scopes } = await paidCaller(c)
    const tools = toolList.definitionsFor(scopes).map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema
    }))
    return c.json({ success: true, data: tools })
  })
  app.post('/tools/:tool', async (c) => {
    const caller = await paidCaller(c)
    const tool = toolList.find(c.req.param('tool'))
    if (!tool)
      throw new ServiceError('not_found', 'There is no tool of that name. GET /tools here lists all.')
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
  app.all('/tools/:tool', (c) => {
    c.header('Allow', 'POST')
    return refuse(c, 405, 'Call a tool by POST, with its parameters as JSON.')
  })
  return app

  async function paidCaller(c: Context<RequestEnv>) {
    const caller = await authenticateLimited(service, c, gateway.authenticate)
    const overdrawn = await spendRequest(service, c, caller)
    if (overdrawn) throw overdrawn
    return caller
  }
}

/** The tools as OpenAPI 3.1, for programs such as n8n that make calls from a document. */
function documentOf({ serverInfo, instructions, tools, credential }: Gateway, url: string) {
  const ok = (schema: unknown) => ({
    description: 'What the tool answers.',
    content: { 'application/json': { schema } }
  })
  const listed = tools.filter(({ operation }) => !operation.isUnlisted)
  const paths = listed.map(({ name, definition, inputSchema, operation }) => {
    const data = compactSchema(operation.output, 'output')
    const post = {
      operationId: name,
      summary: definition.title,
      description: definition.description,
      requestBody: { required: true, content: { 'application/json': { schema: inputSchema } } },
      responses: {
        200: ok({ type: 'object', properties: { success: { const: true }, data } }),
        default: ok({ $ref: '#/components/schemas/Error' })
      }
    }
    return [`/tools/${name}`, { post }] as const
  })
  const texts = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  return {
    openapi: '3.1.0',
    info: {
      title: serverInfo.title ?? serverInfo.name,
      version: serverInfo.version,
      description: instructions.join(' ')
    },
    servers: [{ url: url.replace(/\/openapi\.json$/, '') }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: credential.name } },
      schemas: {
        Error: {
          type: 'object',
          properties: { success: { const: false }, ...texts(['error', 'code', 'field', 'requestId']) }
        }
      }
    }
  }
}

/** A refusal that has no code of its own. */
const refuse = (c: Context<RequestEnv>, status: 403 | 405, message: string) =>
  answerError(c, new ServiceError('not_found', message), status)
