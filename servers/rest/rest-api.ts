// The partner API (§4A): every operation of the list as a REST route.
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { AgentBackup } from '../../schemas/instance.ts'
import { ServiceError } from '../../src/errors.ts'
import { execute } from '../../src/execute.ts'
import { onceFor } from '../../src/once.ts'
import type { AnyOperation } from '../../src/operation.ts'
import type { Service } from '../../src/service.ts'
import { authenticate, usesLegacyHeader } from '../middleware/authentication.ts'
import { holdFile } from '../middleware/body-limit.ts'
import { authenticateLimited, spendRequest } from '../middleware/rate-limit.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { FILE_TYPE } from './documented-route.ts'
import { readInput } from './input.ts'
import { JSON_LINES, jsonLines } from './json-lines.ts'
import { documentRest, openApiDocument, type RestDocumentation } from './openapi.ts'
import { referencePages } from './reference/pages.tsx'
import { REST_PREFIX, type RestRoute, restRoutes } from './routes.ts'

/** The routes below `/api/v1/mcp`: the operations, `openapi.json` and the reference. The table is made once. */
export function restApi(service: Service, operations: readonly AnyOperation[]): Hono<RequestEnv> {
  const { publicUrl } = service.config
  const routes = routesOf(operations)
  const openApiOf = onceFor((made: RestDocumentation) => JSON.stringify(openApiDocument(made, publicUrl)))
  const api = new Hono<RequestEnv>()
  api.get('/openapi.json', (c) =>
    c.body(openApiOf(documentationOf(routes)), 200, {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=300'
    })
  )
  api.route(
    '/reference',
    referencePages(() => documentationOf(routes), service.config)
  )
  api.use(legacyKeyNotice(publicUrl))
  const methodsByPattern = new Map<string, string[]>()
  for (const route of routes) {
    const { method, pattern } = route
    api.on(method, pattern, (c) => answer(service, route, c))
    const others = methodsByPattern.get(pattern) ?? []
    methodsByPattern.set(pattern, [
      ...others,
      method === 'GET' && !route.operation.file ? 'GET, HEAD' : method
    ])
  }
  for (const [pattern, methods] of methodsByPattern) {
    const allowed = ['OPTIONS', ...methods].join(', ')
    api.options(pattern, (c) => c.body(null, 204, { Allow: allowed }))
  }
  return api
}

/** The same for every server of the process. */
const routesOf = onceFor(restRoutes)
/** Made when it is first asked for: many a process never is. */
const documentationOf = onceFor(documentRest)

async function answer(service: Service, route: RestRoute, c: Context<RequestEnv>): Promise<Response> {
  const { operation } = route
  c.set('channel', 'rest')
  c.set('operation', operation)
  const caller = await authenticateLimited(service, c, (headers) => authenticate(service, 'partner', headers))
  const overdrawn = await spendRequest(service, c, caller)
  if (overdrawn) throw overdrawn
  const isFileAsked = operation.file !== undefined && !route.takesFile
  if (isFileAsked) {
    // Its server would make the whole file, and nobody would take it.
    if (c.req.method === 'HEAD') throw new ServiceError('invalid_input', 'Ask for a file by GET.')
    holdFile(c)
  }
  const input = await readInput(route, c)
  const call = { caller, requestId: c.get('requestId'), idempotencyKey: c.req.header('idempotency-key') }
  const { output, isReplay } = await execute(operation, service, call, input)
  if (isReplay) c.header('Idempotent-Replayed', 'true')
  if (isFileAsked) return fileAnswer(c, AgentBackup.parse(output))
  const { lines, name, http } = operation
  if (!lines) return c.json({ success: true, ...output }, http?.status ?? 200)
  const pageAt = async (position: Record<string, unknown>) =>
    (await execute(operation, service, call, { ...input, ...position })).output
  const onFailure = (error: unknown) =>
    service.log.error('an answer broke off', {
      requestId: call.requestId,
      channel: 'rest',
      operation: name,
      partnerId: caller.partnerId,
      keyId: caller.actor,
      error
    })
  return c.body(jsonLines(lines, output, pageAt, onFailure), 200, {
    'Content-Type': JSON_LINES,
    'Content-Disposition': `attachment; filename="${name}.jsonl"`
  })
}

const fileAnswer = (c: Context, { file: { name, size, pieces } }: AgentBackup): Response =>
  c.body(ReadableStream.from(pieces), 200, {
    'Content-Type': FILE_TYPE,
    'Content-Length': String(size),
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store'
  })

/** Since when the bearer header is the one to use: 2026-01-01 (RFC 9745). */
const DEPRECATION = `@${Date.UTC(2026, 0, 1) / 1000}`

/** §5, §9: `X-API-Key` still works; its answers say that it is deprecated, and link to what replaces it. */
function legacyKeyNotice(publicUrl: string | undefined): MiddlewareHandler<RequestEnv> {
  const link = `<${publicUrl ?? ''}${REST_PREFIX}/reference#authentication>; rel="deprecation"; type="text/html"`
  return function legacyKeyNotice(c, next) {
    if (usesLegacyHeader(c.req.raw.headers)) {
      c.header('Deprecation', DEPRECATION)
      c.header('Link', link)
    }
    return next()
  }
}
