// The few methods of a server that has tools and keeps no sessions, each answered from what was written at start.
import { type Implementation, INVALID_PARAMS, METHOD_NOT_FOUND } from '@modelcontextprotocol/server'
import type { Caller } from '../../src/caller.ts'
import type { ServiceError } from '../../src/errors.ts'
import { onceForText } from '../../src/once.ts'
import type { Service } from '../../src/service.ts'
import type { RecordCall } from './call-record.ts'
import { type Era, LEGACY_VERSIONS, MODERN_VERSIONS } from './eras.ts'
import {
  errorBody,
  httpRefusal,
  membersOf,
  type Refusal,
  type RpcRequest,
  resultBody,
  resultBytes
} from './json-rpc.ts'
import { type ResultWriter, resultWriter } from './result.ts'
import type { ToolList } from './tool.ts'
import { callTool, type ToolAnswer, toolError } from './tool-call.ts'
import { readArguments } from './tool-input.ts'

export interface ServedRequest {
  era: Era
  request: RpcRequest
  caller: Caller
  requestId: string
  record: RecordCall
  /** Why nothing is done: the caller has spent its budget of requests. */
  overdrawn?: ServiceError | undefined
}

export interface Reply {
  status: 200 | Refusal['status']
  body: string | Uint8Array<ArrayBuffer>
  retryAfterSeconds?: number | undefined
}

/** Of a reply that becomes part of something else. */
export const textOf = ({ body }: Reply): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString()

interface ServedMethods {
  service: Service
  serverInfo: Implementation
  instructions: string
  toolList: ToolList
}

/** Answers one request; never throws. */
export function createMethods(served: ServedMethods): (asked: ServedRequest) => Promise<Reply> {
  const { serverInfo, instructions, toolList } = served
  const writer = resultWriter(serverInfo)
  const common = { capabilities: { tools: { listChanged: false } }, instructions }
  const discovery = membersJson({ supportedVersions: MODERN_VERSIONS, ...common })
  const handshake = (protocolVersion = '') => JSON.stringify({ protocolVersion, serverInfo, ...common })
  const handshakes = new Map(LEGACY_VERSIONS.map((version) => [version, handshake(version)]))
  const newest = handshake(LEGACY_VERSIONS[0])

  /** Some 20 kB, so they are put into UTF-8 once for each of the few lists that there are. */
  const toolsResultIn = (era: Era) =>
    onceForText((tools) => Buffer.from(writer.cacheable(era, `"tools":${tools}`)))
  const toolsResult = { legacy: toolsResultIn('legacy'), modern: toolsResultIn('modern') }

  return async (asked) => {
    const { era, request, caller, overdrawn } = asked
    if (overdrawn) return refuseOverdrawn(served, writer, asked, overdrawn)
    const { id, method, params } = request
    switch (`${era} ${method}`) {
      case 'legacy initialize': {
        const { protocolVersion } = params
        if (typeof protocolVersion !== 'string')
          return invalidParams(request, 'protocolVersion must be a string')
        // A version that we don't speak is answered with the newest that we do; the client decides.
        return ok(id, handshakes.get(protocolVersion) ?? newest)
      }
      case 'legacy ping':
        return ok(id, '{}')
      case 'modern server/discover':
        return ok(id, writer.cacheable(era, discovery))
      case 'legacy tools/list':
      case 'modern tools/list':
        // The list is one page, so no cursor is ever ours.
        if (params.cursor !== undefined) return invalidParams(request, 'the cursor is not valid')
        return {
          status: 200,
          body: resultBytes(id, toolsResult[era](toolList.jsonFor(caller.scopes) ?? '[]'))
        }
      case 'legacy tools/call':
      case 'modern tools/call':
        return call(served, writer, asked)
      default:
        return refuse(request, {
          status: era === 'modern' ? 404 : 200,
          code: METHOD_NOT_FOUND,
          message: 'Method not found'
        })
    }
  }
}

async function call({ service, toolList }: ServedMethods, writer: ResultWriter, asked: ServedRequest) {
  const { request, caller, requestId, record } = asked
  const { name, arguments: sent, _meta } = request.params
  if (typeof name !== 'string') return invalidParams(request, 'name must be a string')
  const tool = toolList.find(name)
  if (!tool) return invalidParams(request, `unknown tool ${JSON.stringify(name.slice(0, 100))}`)
  const input = readArguments(sent)
  if (!input) return invalidParams(request, 'arguments must be an object')
  const startedAt = performance.now()
  const answer = await callTool(service, { tool, caller, requestId, input, meta: membersOf(_meta) })
  record(tool.operation, Math.round((performance.now() - startedAt) * 10) / 10, answer.code)
  return toolReply(writer, asked, answer)
}

/** Clients take HTTP 429 for a broken connection, so a tool call is answered with a result that a model can read. */
function refuseOverdrawn(
  { toolList }: ServedMethods,
  writer: ResultWriter,
  asked: ServedRequest,
  overdrawn: ServiceError
): Reply {
  const { request, caller, requestId, record } = asked
  const { code, message, retryAfterSeconds } = overdrawn
  if (request.method !== 'tools/call') {
    const details = { code, requestId }
    return { ...refuse(request, { ...httpRefusal(429, message), details }), retryAfterSeconds }
  }
  const { name } = request.params
  const tool = typeof name === 'string' ? toolList.find(name) : undefined
  if (tool) record(tool.operation, 0, code)
  return toolReply(writer, asked, toolError(overdrawn, caller))
}

const toolReply = (
  writer: ResultWriter,
  { era, request }: ServedRequest,
  { members, meta, retryAfterSeconds }: ToolAnswer
): Reply => ({ ...ok(request.id, writer.complete(era, members, meta)), retryAfterSeconds })

const membersJson = (value: object): string => JSON.stringify(value).slice(1, -1)

const ok = (id: RpcRequest['id'], result: string): Reply => ({ status: 200, body: resultBody(id, result) })

const refuse = ({ id }: RpcRequest, refusal: Refusal): Reply => ({
  status: refusal.status,
  body: errorBody(id, refusal)
})

const invalidParams = (request: RpcRequest, problem: string): Reply =>
  refuse(request, { status: 200, code: INVALID_PARAMS, message: `Invalid params: ${problem}` })
