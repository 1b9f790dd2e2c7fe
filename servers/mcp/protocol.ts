// MCP itself, in both of its eras, is the SDK's: a server and a transport for each message, and nothing kept between two.
import {
  type CallToolResult,
  createMcpHandler,
  INVALID_PARAMS,
  isInitializeRequest,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  type ProgressToken,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerOptions,
  WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { namesOnly } from '../../src/next-step.ts'
import type { Service } from '../../src/service.ts'
import { membersOf } from '../middleware/json-body.ts'
import type { Gateway } from '../tools/gateway.ts'
import { readArguments } from '../tools/tool-input.ts'
import { askFirst, mayAsk } from './confirmation.ts'
import type { Exchange } from './exchange.ts'
import { answerList } from './kept-lists.ts'
import { createKnownCalls, plainCallOf } from './known-calls.ts'
import { offerMind } from './mind-resource.ts'
import { callTool, type McpCall, toolError } from './tool-call.ts'

/** How long clients may keep a list or a discovery, in milliseconds; lists change with a release or another key. */
const KEPT = { ttlMs: 300_000, cacheScope: 'private' } as const

type Served = Pick<Gateway, 'serverInfo' | 'instructions'> & { service: Service; progressIntervalMs: number }

/** Answers the message, as a stream if it asks for progress. */
export type Serve = (request: Request, message: unknown, exchange: Exchange) => Promise<Response>

/** Given to the SDK because what doesn't fit its own schemas of these is answered as a fault of ours, −32603. */
const ListParams = z.looseObject({ cursor: z.string().optional() })
const CallParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional()
})

export function createProtocol(served: Served): Serve {
  const { serverInfo, instructions, service } = served
  const options: ServerOptions = {
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      prompts: { listChanged: false }
    },
    // Input is parsed by the operations' own schemas, and to build the SDK's validator takes longer than a call.
    jsonSchemaValidator: {
      getValidator() {
        throw new Error('Nothing here is validated by JSON Schema')
      }
    },
    cacheHints: {
      'server/discover': KEPT,
      'tools/list': KEPT,
      'resources/list': KEPT,
      'resources/templates/list': KEPT,
      'prompts/list': KEPT
    }
  }
  const exchanges = new WeakMap<Request, Exchange>()
  const known = createKnownCalls()
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo)
      if (!exchange) throw new Error('A message came past the gateway')
      return serverFor(exchange, requestInfo.headers.get('mcp-method'))
    },
    // What the SDK says of a message may quote it, so its kind alone is noted.
    { legacy: 'reject', onerror: ({ name }) => service.log.debug('mcp message refused', { error: name }) }
  )

  return (request, message, exchange) => {
    if (membersOf(message).method !== 'tools/list') return answerCall(request, message, exchange)
    const listed = exchange.toolList.definitionsFor(exchange.caller.scopes)
    return answerList(request, message, listed, () => answer(request, message, exchange))
  }

  /** As the SDK did for the first call of its shape, where there was one. */
  async function answerCall(request: Request, message: unknown, exchange: Exchange): Promise<Response> {
    const call = exchange.overdrawn ? undefined : plainCallOf(request, message)
    const tool = call && exchange.toolList.find(call.name)
    if (!tool || mayAsk(tool)) return answer(request, message, exchange)
    const { id, input, meta, shape } = call
    const write = known.find(shape)
    if (write) {
      const text = write(id, await callAndRecord(service, exchange, { tool, input, meta }))
      return new Response(text, { headers: { 'Content-Type': 'application/json' } })
    }
    let own: CallToolResult | undefined
    const onResult: Exchange['onResult'] = (result) => {
      own = result
    }
    const response = await answer(request, message, { ...exchange, onResult })
    if (own === undefined || response.headers.get('content-type') !== 'application/json') return response
    const text = await response.text()
    known.note(shape, own, JSON.parse(text))
    return new Response(text, response)
  }

  async function answer(request: Request, sent: unknown, exchange: Exchange): Promise<Response> {
    const message = withArgumentsAsObject(sent)
    const { method, id = null } = membersOf(message)
    const refuse = (status: number, code: number, message: string) =>
      Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })
    if (!(await isLegacyRequest(request, message))) {
      // The SDK would hold the stream open, though nothing here ever changes in a way that could be told.
      if (method === 'subscriptions/listen') return refuse(404, METHOD_NOT_FOUND, 'Method not found')
      exchanges.set(request, exchange)
      return modern.fetch(request, { parsedBody: message })
    }
    // The SDK would answer −32603, as if it were a fault of ours.
    if (method === 'initialize' && !isInitializeRequest(message))
      return refuse(200, INVALID_PARAMS, 'Invalid params of initialize')
    // This transport wants both in Accept, but many clients that read only JSON do name only that.
    request.headers.set('accept', 'application/json, text/event-stream')
    const enableJsonResponse = !exchange.readsStream || progressTokenOf(message) === undefined
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse })
    await serverFor(exchange, method).connect(transport)
    return transport.handleRequest(request, { parsedBody: message })
  }

  /** Only what the method may need: to make handlers takes some microseconds each. */
  function serverFor(exchange: Exchange, method: unknown): Server {
    const { caller, toolList } = exchange
    const isShown = (sentence: string) => namesOnly(sentence, toolList.hasFor(caller.scopes))
    const isAsked = method === 'initialize' || method === 'server/discover'
    const told = isAsked ? { instructions: instructions.filter(isShown).join(' ') } : {}
    const server = new Server(serverInfo, { ...options, ...told })
    server.setRequestHandler('tools/list', { params: ListParams }, ({ cursor }) => {
      // The list is one page, so no cursor is ever ours.
      if (cursor !== undefined) throw invalidParams('the cursor is not valid')
      return { tools: toolList.definitionsFor(caller.scopes) }
    })
    server.setRequestHandler('tools/call', { params: CallParams }, (params, ctx) =>
      call(served, exchange, params, ctx)
    )
    if (method !== 'tools/call') offerMind(server, service, exchange)
    return server
  }
}

async function call(
  { service, progressIntervalMs }: Served,
  exchange: Exchange,
  { name, arguments: input = {} }: z.output<typeof CallParams>,
  ctx: ServerContext
) {
  const { toolList, caller, record, readsStream, overdrawn } = exchange
  const tool = toolList.find(name)
  if (overdrawn) {
    if (tool) record(tool.operation, 0, overdrawn)
    return toolError(overdrawn, caller, toolList)
  }
  if (!tool) throw invalidParams(`unknown tool ${JSON.stringify(name.slice(0, 100))} at this address`)
  const question = askFirst(tool, caller, input, ctx)
  if (question) return question
  const { _meta: meta = {} } = ctx.mcpReq
  const { progressToken } = meta
  const stopReporting =
    readsStream && progressToken !== undefined
      ? reportProgress(ctx, progressToken, progressIntervalMs)
      : () => undefined
  const result = await callAndRecord(service, exchange, { tool, input, meta })
  stopReporting()
  exchange.onResult?.(result)
  return result
}

async function callAndRecord(
  service: Service,
  { caller, requestId, toolList, record }: Exchange,
  called: Pick<McpCall, 'tool' | 'input' | 'meta'>
): Promise<CallToolResult> {
  const startedAt = performance.now()
  const { result, error } = await callTool(service, { ...called, caller, requestId, toolList })
  record(called.tool.operation, Math.round((performance.now() - startedAt) * 10) / 10, error)
  return result
}

/**
 * Notifies at once and every `intervalMs` of how long it has taken: clients start their timeout anew at each. One that
 * hangs up hears no more; what it asked for is finished all the same.
 */
function reportProgress({ mcpReq }: ServerContext, progressToken: ProgressToken, intervalMs: number) {
  const startedAt = performance.now()
  let progress = -1
  const report = () => {
    // Each progress must be more than the last.
    progress = Math.max(progress + 1, Math.round((performance.now() - startedAt) / 1000))
    const params = { progressToken, progress, message: `Working for ${progress} s` }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => clearInterval(timer))
  }
  const timer = setInterval(report, intervalMs)
  report()
  return () => clearInterval(timer)
}

/** Some models send the arguments as their JSON text, or null for none. */
function withArgumentsAsObject(message: unknown): unknown {
  const { method, params } = membersOf(message)
  const { arguments: sent } = membersOf(params)
  if (method !== 'tools/call' || (typeof sent !== 'string' && sent !== null)) return message
  return { ...membersOf(message), params: { ...membersOf(params), arguments: readArguments(sent) ?? sent } }
}

/** What a call names its progress, if it wants to hear of any. */
export function progressTokenOf(message: unknown): unknown {
  const { method, params } = membersOf(message)
  return method === 'tools/call' ? membersOf(membersOf(params)._meta).progressToken : undefined
}

const invalidParams = (problem: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params: ${problem}`)
