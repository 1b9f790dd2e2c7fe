// One tools/call: arguments → execute → result.
import type { Caller } from '../../src/caller.ts'
import { type ErrorCode, ServiceError, statusOf, toServiceError } from '../../src/errors.ts'
import { type Answer, execute } from '../../src/execute.ts'
import { fenceStoredText } from '../../src/memory/fence.ts'
import type { Service } from '../../src/service.ts'
import type { Tool } from './tool.ts'
import { toolError } from './tool-error.ts'
import { readToolInput } from './tool-input.ts'

const IDEMPOTENCY_META_KEY = 'mindgate/idempotencyKey'
const REPLAYED_META_KEY = 'mindgate/idempotentReplayed'

export interface ToolCall {
  tool: Tool
  caller: Caller
  requestId: string
  input: Readonly<Record<string, unknown>>
}

/** A call over MCP, with the request's `_meta`. */
type McpCall = ToolCall & { meta: Readonly<Record<string, unknown>> }

export interface ToolAnswer {
  /** The result's members as JSON, without the braces. */
  members: string
  meta?: Readonly<Record<string, unknown>>
  /** What the call was refused with. */
  code?: ErrorCode
  retryAfterSeconds?: number | undefined
}

/** Runs the call. It never throws: a refusal is an answer, and so is a fault of ours, which is logged here. */
export async function callTool(service: Service, call: McpCall): Promise<ToolAnswer> {
  try {
    return success(call.tool, await runTool(service, call, idempotencyKeyOf(call.meta)))
  } catch (thrown) {
    const error = toServiceError(thrown)
    const { code, retryAfterSeconds } = error
    if (statusOf(code) >= 500) logFault(service, call, error)
    return { ...toolError(error, call.caller), code, retryAfterSeconds }
  }
}

/**
 * Runs the operation behind the tool, with the input that the credential decides in its place.
 *
 * @throws ServiceError what `readToolInput` and `execute` throw
 */
export async function runTool(
  service: Service,
  { tool, caller, requestId, input }: ToolCall,
  idempotencyKey: string | undefined
): Promise<Answer> {
  return execute(
    tool.operation,
    service,
    { caller, requestId, idempotencyKey },
    readToolInput(tool, input, tool.fixedInput(caller))
  )
}

function idempotencyKeyOf(meta: McpCall['meta']): string | undefined {
  const key = meta[IDEMPOTENCY_META_KEY]
  if (key === undefined || typeof key === 'string') return key
  throw new ServiceError('invalid_input', `_meta["${IDEMPOTENCY_META_KEY}"] must be a string.`, {
    field: IDEMPOTENCY_META_KEY
  })
}

/** The answer as text, which clients hand to the model, and as structure for programs. */
function success({ operation }: Tool, { output, isReplay }: Answer): ToolAnswer {
  const json = JSON.stringify(output)
  const text = JSON.stringify(operation.storedText ? fenceStoredText(json) : json)
  const members = `"content":[{"type":"text","text":${text}}],"structuredContent":${json}`
  return isReplay ? { members, meta: { [REPLAYED_META_KEY]: true } } : { members }
}

function logFault(service: Service, { tool, caller, requestId }: ToolCall, error: ServiceError): void {
  service.log.error('tool failed', {
    requestId,
    channel: 'mcp',
    operation: tool.operation.name,
    partnerId: caller.partnerId,
    keyId: caller.actor,
    error: error.cause ?? error
  })
}
