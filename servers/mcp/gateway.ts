// The HTTP side of an MCP gateway: Streamable HTTP without sessions, both protocol eras on one URL. What differs
// between gateways (tools, credential, words) comes in; nothing here knows a tool.
import { type Implementation, isJsonContentType, type RequestId } from '@modelcontextprotocol/server'
import { type Context, Hono } from 'hono'
import type { Caller } from '../../src/caller.ts'
import { ServiceError, statusOf, toServiceError } from '../../src/errors.ts'
import type { Service } from '../../src/service.ts'
import { explainRefusal, setRetryAfter } from '../middleware/error-answer.ts'
import { authenticateLimited, spendRequest } from '../middleware/rate-limit.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { recordOnRequest, writeToLog } from './call-record.ts'
import { sortInbound } from './eras.ts'
import { hostGuard } from './host-guard.ts'
import { asRequest, errorBody, httpRefusal, type Refusal } from './json-rpc.ts'
import { createMethods, type Reply } from './methods.ts'
import { plainTools } from './plain-tools.ts'
import { progressTokenOf, streamProgress } from './progress.ts'
import { answerBatch, readMessage } from './request-body.ts'
import { createToolList, type Tool } from './tool.ts'

export interface Gateway {
  serverInfo: Implementation
  /** What a model is told about the whole of the tools. */
  instructions: string
  tools: readonly Tool[]
  /** @throws ServiceError for a credential that doesn't open this gateway */
  authenticate(headers: Headers): Promise<Caller>
  progressIntervalMs?: number
}

/** The gateway as an app to mount: MCP where it is mounted, and the same tools over plain HTTP below `/tools`. */
export function mcpGateway(service: Service, gateway: Gateway): Hono<RequestEnv> {
  const { progressIntervalMs: intervalMs = 5_000 } = gateway
  const toolList = createToolList(gateway.tools)
  const answer = createMethods({ ...gateway, service, toolList })
  const app = new Hono<RequestEnv>()

  app.route('/tools', plainTools(service, gateway.authenticate, toolList.find))
  app.use('/', function nameChannel(c, next) {
    c.set('channel', 'mcp')
    return next()
  })
  app.use(
    '/',
    hostGuard(service, (c, message) => refuse(c, httpRefusal(403, message)))
  )
  app.post('/', async (c) => {
    try {
      return await receive(c)
    } catch (thrown) {
      // Here and not in onError, for which Hono would wrap each middleware and handler of this app once more.
      return refuseThrown(c, thrown)
    }
  })
  // No session to end and no stream to open: DELETE and GET are what older clients try.
  app.all('/', (c) => {
    c.header('Allow', 'POST')
    return refuse(c, httpRefusal(405, 'Send messages by POST; this server has no other streams or sessions.'))
  })
  return app

  async function receive(c: Context<RequestEnv>): Promise<Response> {
    const caller = await authenticateLimited(service, c, gateway.authenticate)
    const overdrawn = await spendRequest(service, c, caller)
    if (toolList.jsonFor(caller.scopes) === undefined) throw overdrawn ?? opensNoTool()
    const unfit = unfitHeaders(c)
    if (unfit) return refuse(c, unfit)
    const { body, refusal } = await readMessage(c)
    if (refusal) return refuse(c, refusal)

    const inbound = sortInbound(body, (name) => c.req.header(name))
    const requestId = c.get('requestId')
    switch (inbound.kind) {
      case 'accepted':
        return c.body(null, 202)
      case 'refused':
        return refuse(c, inbound.refusal, asRequest(body)?.id)
      case 'batch': {
        const record = writeToLog(service.log, { caller, requestId })
        // The HTTP request has paid for one message; each further one pays for itself.
        let isPaid = true
        const replies = await answerBatch(inbound.messages, async (request) => {
          const refused = isPaid ? overdrawn : await spendRequest(service, c, caller)
          isPaid = false
          return answer({ era: 'legacy', request, caller, requestId, record, overdrawn: refused })
        })
        return replies === undefined ? c.body(null, 202) : send(c, { status: 200, body: replies })
      }
      case 'request': {
        const exchange = { era: inbound.era, request: inbound.request, caller, requestId, overdrawn }
        // A refusal takes no time to report on.
        const token = overdrawn ? undefined : progressTokenOf(inbound.request, c.req.header('accept') ?? '')
        if (token === undefined) return send(c, await answer({ ...exchange, record: recordOnRequest(c) }))
        const record = writeToLog(service.log, { caller, requestId })
        return streamProgress(c, { token, intervalMs }, answer({ ...exchange, record }))
      }
    }
  }

  function refuseThrown(c: Context<RequestEnv>, thrown: unknown): Response {
    const error = toServiceError(thrown)
    if (thrown instanceof Error) c.error = thrown
    explainRefusal(c, error, true, toolList.scopes.join(' '))
    const details = { code: error.code, requestId: c.get('requestId') }
    return refuse(c, { ...httpRefusal(statusOf(error.code), error.message), details })
  }

  function opensNoTool(): ServiceError {
    const scopes = toolList.scopes.join(', ')
    return new ServiceError(
      'missing_scope',
      `This key opens no tool here. Use a key with one of the scopes ${scopes}.`
    )
  }
}

function unfitHeaders(c: Context): Refusal | undefined {
  if (!isJsonContentType(c.req.header('content-type') ?? null)) {
    return httpRefusal(415, 'The body must be JSON. Send Content-Type: application/json.')
  }
  const accept = c.req.header('accept')
  if (accept === undefined || /application\/(json|\*)|\*\/\*/i.test(accept)) return undefined
  return httpRefusal(406, 'Answers are JSON. Send Accept: application/json, text/event-stream.')
}

function send(c: Context, { status, body, retryAfterSeconds }: Reply): Response {
  setRetryAfter(c, retryAfterSeconds)
  return c.body(body, status, { 'Content-Type': 'application/json' })
}

const refuse = (c: Context, refusal: Refusal, id: RequestId | null = null): Response =>
  send(c, { status: refusal.status, body: errorBody(id, refusal) })
