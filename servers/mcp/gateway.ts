// The HTTP side of an MCP gateway: who asks, how much, and from where. What MCP is to it stands in `protocol.ts`; what
// differs between gateways (tools, credential, words) comes in; nothing here knows a tool.
import { setImmediate } from 'node:timers/promises'
import { INVALID_REQUEST, isJsonContentType, PARSE_ERROR } from '@modelcontextprotocol/server'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AnyScope } from '../../schemas/api-key.ts'
import type { Caller } from '../../src/caller.ts'
import { noteStepUp } from '../../src/connected-apps/records.ts'
import { ServiceError, statusOf, toServiceError } from '../../src/errors.ts'
import { parseJson } from '../../src/json-shape.ts'
import type { Service } from '../../src/service.ts'
import { readBody } from '../middleware/body-limit.ts'
import { explainRefusal } from '../middleware/error-answer.ts'
import { hostGuard, ownUrl } from '../middleware/host-guard.ts'
import { membersOf } from '../middleware/json-body.ts'
import { authenticateLimited, spendRequest } from '../middleware/rate-limit.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { resourceMetadataAt } from '../oauth/place.ts'
import { answerConnectPage } from '../portal/connect-page.tsx'
import type { Gateway } from '../tools/gateway.ts'
import { plainTools } from '../tools/plain-tools.ts'
import { createToolList, type ToolList } from '../tools/tool.ts'
import { recordOnRequest, writeToLog } from './call-record.ts'
import { createProtocol, progressTokenOf } from './protocol.ts'

/** The last version with JSON-RPC batches, and what a request without the header speaks. */
const LAST_BATCH_VERSION = '2025-03-26'
/** More calls than that in one HTTP request would pass by every limit that counts requests. */
const MAX_BATCH_LENGTH = 20

interface Refusal {
  status: ContentfulStatusCode
  /** MCP leaves codes outside of JSON-RPC's reserved range to us: without one of theirs it is the status. */
  code?: number | undefined
  message: string
  details?: unknown
}

/**
 * The gateway as an app to mount: MCP where it is mounted, a group of its tools at `/x/{group}`, those that only read at
 * `/readonly` behind either; and the same tools over plain HTTP below `/tools`.
 */
export function mcpGateway(service: Service, gateway: Gateway): Hono<RequestEnv> {
  const { progressIntervalMs = 5_000, groups = {} } = gateway
  const serve = createProtocol({ ...gateway, service, progressIntervalMs })
  const app = new Hono<RequestEnv>()
  const whole = createToolList(gateway.tools)
  app.route('/', plainTools(service, gateway, whole))
  const wanted: NonNullable<Gateway['groups']> = { '/': () => true, ...prefixed(groups) }
  for (const [path, isIn] of Object.entries(wanted)) {
    const tools = gateway.tools.filter(({ operation }) => isIn(operation))
    mount(path, createToolList(tools))
    const reading = tools.filter(({ operation }) => operation.annotations.readOnly)
    mount(`${path === '/' ? '' : path}/readonly`, createToolList(reading))
  }
  app.all('/x/*', (c) =>
    refuse(c, { status: 404, message: `The groups of tools here are ${Object.keys(groups).join(', ')}.` })
  )
  return app

  function mount(path: string, toolList: ToolList): void {
    app.use(path, function nameChannel(c, next) {
      c.set('channel', 'mcp')
      return next()
    })
    app.use(
      path,
      hostGuard(service, (c, message) => refuse(c, { status: 403, message }))
    )
    app.post(path, async (c) => {
      try {
        return await receive(c, toolList)
      } catch (thrown) {
        // Here and not in onError, for which Hono would wrap each middleware and handler of this app once more.
        return refuseThrown(c, thrown, toolList)
      }
    })
    app.all(path, (c) => {
      const isBrowser = c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html')
      if (isBrowser) {
        const url = ownUrl(service, c)
        const documentUrl = `${path === '/' ? url : url.slice(0, -path.length)}/openapi.json`
        const { serverInfo, credential } = gateway
        return answerConnectPage(c, { url, documentUrl, name: serverInfo.name, credential })
      }
      // No session to end and no stream to open: DELETE and GET are what older clients try.
      c.header('Allow', 'POST')
      const message = 'Send messages by POST; this server has no other streams or sessions.'
      return refuse(c, { status: 405, message })
    })
  }

  async function receive(c: Context<RequestEnv>, toolList: ToolList): Promise<Response> {
    const caller = await authenticateLimited(service, c, gateway.authenticate)
    const overdrawn = await spendRequest(service, c, caller)
    if (toolList.definitionsFor(caller.scopes).length === 0) throw overdrawn ?? opensNoTool(toolList)
    const unfit = unfitHeaders(c)
    if (unfit) return refuse(c, unfit)
    const body = parseJson(await readBody(c))
    // Before any of a batch is done.
    if (caller.grantable && !overdrawn)
      for (const message of [body].flat()) await requireScopeOf(service, message, toolList, caller)
    if (!Array.isArray(body)) return answerOne(c, caller, toolList, body, overdrawn)

    const unfitBatch = unfitOfBatch(body, c.req.header('mcp-protocol-version'))
    if (unfitBatch) return refuse(c, unfitBatch)
    const texts: string[] = []
    // The HTTP request has paid for one message; each further one pays for itself. A later message sees what an earlier did.
    let refused = overdrawn
    for (const message of body) {
      // SQLite answers in place: without a pause nobody else would be heard before the last message.
      await setImmediate()
      if (texts.length > 0 && membersOf(message).id !== undefined)
        refused = await spendRequest(service, c, caller)
      const text = await (await answerOne(c, caller, toolList, message, refused, true)).text()
      if (text !== '') texts.push(text)
    }
    return texts.length > 0 ? sendJson(c, `[${texts.join(',')}]`) : c.body(null, 202)
  }

  async function answerOne(
    c: Context<RequestEnv>,
    caller: Caller,
    toolList: ToolList,
    message: unknown,
    overdrawn: ServiceError | undefined,
    isInBatch = false
  ): Promise<Response> {
    const requestId = c.get('requestId')
    if (overdrawn) {
      const { method, id } = membersOf(message)
      const details = { code: overdrawn.code, requestId }
      if (method !== 'tools/call' && id !== undefined)
        return refuse(c, { status: 429, message: overdrawn.message, details }, id)
    }
    const readsStream =
      !isInBatch && !overdrawn && (c.req.header('accept') ?? '').includes('text/event-stream')
    const isStream = readsStream && progressTokenOf(message) !== undefined
    const record = isInBatch || isStream ? writeToLog(service.log, { caller, requestId }) : recordOnRequest(c)
    return serve(c.req.raw, message, {
      caller,
      requestId,
      toolList,
      record,
      readsStream,
      overdrawn
    })
  }

  async function refuseThrown(
    c: Context<RequestEnv>,
    thrown: unknown,
    toolList: ToolList
  ): Promise<Response> {
    const error = toServiceError(thrown)
    if (thrown instanceof Error) c.error = thrown
    const hasCredential =
      c.req.header('authorization') !== undefined || c.req.header('x-api-key') !== undefined
    const scope = thrown instanceof StepUp ? thrown.scope : toolList.scopes.join(' ')
    const isAboutCredential = error.code === 'unauthorized' || error.code === 'missing_scope'
    const metadata = isAboutCredential ? await resourceMetadataAt(service, c, gateway.name) : undefined
    explainRefusal(c, error, hasCredential, scope, metadata)
    const details = { code: error.code, requestId: c.get('requestId') }
    return refuse(c, {
      status: statusOf(error.code),
      code: rpcCodeOf(error),
      message: error.message,
      details
    })
  }
}

/** An app lacks a scope, which whoever connected it can give: by HTTP's own 403, which is what has a client ask them. */
class StepUp extends ServiceError {
  /** What it has, and what it lacks. */
  readonly scope: string

  constructor(caller: Caller, lacked: AnyScope) {
    super(
      'missing_scope',
      `This app was connected without ${lacked}. Connect it again with that, if its user agrees.`
    )
    this.scope = [...caller.scopes, lacked].join(' ')
  }
}

/** @throws StepUp when the message calls a tool that the app lacks the scope for */
async function requireScopeOf(service: Service, message: unknown, toolList: ToolList, caller: Caller) {
  const { method, params } = membersOf(message)
  const tool = method === 'tools/call' ? toolList.find(String(membersOf(params).name)) : undefined
  if (!tool || caller.scopes.has(tool.operation.scope)) return
  if (!caller.grantable?.has(tool.operation.scope)) return
  await noteStepUp(service.database, caller.actor)
  throw new StepUp(caller, tool.operation.scope)
}

const prefixed = (groups: NonNullable<Gateway['groups']>) =>
  Object.fromEntries(Object.entries(groups).map(([name, isIn]) => [`/x/${name}`, isIn]))

function opensNoTool({ scopes }: ToolList): ServiceError {
  const message = `This key opens no tool here. Use a key with one of the scopes ${scopes.join(', ')}.`
  return new ServiceError('missing_scope', message)
}

function unfitHeaders(c: Context): Refusal | undefined {
  if (!isJsonContentType(c.req.header('content-type') ?? null))
    return { status: 415, message: 'The body must be JSON. Send Content-Type: application/json.' }
  const accept = c.req.header('accept')
  if (accept === undefined || /application\/(json|\*)|\*\/\*/i.test(accept)) return undefined
  return { status: 406, message: 'Answers are JSON. Send Accept: application/json, text/event-stream.' }
}

function unfitOfBatch(messages: readonly unknown[], version = LAST_BATCH_VERSION): Refusal | undefined {
  const refused = (message: string) => ({ status: 400, code: INVALID_REQUEST, message }) as const
  if (version > LAST_BATCH_VERSION)
    return refused(`Protocol version ${version} has no batches. Send one message a request.`)
  if (messages.length === 0 || messages.length > MAX_BATCH_LENGTH)
    return refused(`A batch holds 1 to ${MAX_BATCH_LENGTH} messages.`)
  const isUnfit = messages.some((message) => {
    const { jsonrpc, method } = membersOf(message)
    return jsonrpc !== '2.0' || method === 'initialize'
  })
  return isUnfit ? refused('A batch holds JSON-RPC messages, and initialize is not one of them.') : undefined
}

/** A body that can't be read is the protocol's own refusal; everything else is refused by its status. */
function rpcCodeOf({ code, field }: ServiceError): number | undefined {
  if (code !== 'invalid_input') return undefined
  return field === 'body' ? INVALID_REQUEST : PARSE_ERROR
}

const sendJson = (c: Context, body: string, status = 200): Response =>
  c.newResponse(body, status as ContentfulStatusCode, { 'Content-Type': 'application/json' })

function refuse(
  c: Context,
  { status, code = status, message, details }: Refusal,
  id: unknown = null
): Response {
  const body = { jsonrpc: '2.0', id, error: { code, message, data: details } }
  return sendJson(c, JSON.stringify(body), status)
}
