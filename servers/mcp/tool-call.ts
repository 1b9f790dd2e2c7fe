// One tools/call: arguments → execute → result.
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Caller } from '../../src/caller.ts'
import { ServiceError, statusOf, toServiceError } from '../../src/errors.ts'
import type { Answer } from '../../src/execute.ts'
import { fenceStoredText, markForTexts } from '../../src/memory/fence.ts'
import { nextStepOf } from '../../src/next-step.ts'
import type { Service } from '../../src/service.ts'
import { membersOf } from '../middleware/json-body.ts'
import { runTool, type ToolCall } from '../tools/run-tool.ts'
import type { Tool, ToolList } from '../tools/tool.ts'

export const IDEMPOTENCY_META_KEY = 'mindgate/idempotencyKey'
const REPLAYED_META_KEY = 'mindgate/idempotentReplayed'

export type McpCall = ToolCall & { meta: Readonly<Record<string, unknown>>; toolList: ToolList }

/** What the call answers, and what it was refused with. */
export interface ToolAnswer {
  result: CallToolResult
  error?: ServiceError
}

/** Runs the call. It never throws: a refusal is an answer, and so is a fault of ours, which is logged here. */
export async function callTool(service: Service, call: McpCall): Promise<ToolAnswer> {
  try {
    return { result: success(call.tool, await runTool(service, call, idempotencyKeyOf(call.meta))) }
  } catch (thrown) {
    const error = toServiceError(thrown)
    if (statusOf(error.code) >= 500) logFault(service, call, error)
    return { result: toolError(error, call.caller, call.toolList), error }
  }
}

function idempotencyKeyOf(meta: McpCall['meta']): string | undefined {
  const key = meta[IDEMPOTENCY_META_KEY]
  if (key === undefined || typeof key === 'string') return key
  throw new ServiceError('invalid_input', `_meta["${IDEMPOTENCY_META_KEY}"] must be a string.`, {
    field: IDEMPOTENCY_META_KEY
  })
}

/** The answer as text and as structure, for clients hand the model either. What others wrote is marked in both. */
function success({ markTexts }: Tool, { output, isReplay }: Answer): CallToolResult {
  const json = JSON.stringify(output)
  const meta = isReplay && { _meta: { [REPLAYED_META_KEY]: true } }
  if (!markTexts) return { content: [{ type: 'text', text: json }], structuredContent: output, ...meta }
  const { notice, mark } = markForTexts(json)
  const marked = markTexts(output, mark)
  return {
    content: [{ type: 'text', text: fenceStoredText(json) }],
    structuredContent: { notice, ...membersOf(marked) },
    ...meta
  }
}

/**
 * A refused call as a result that a model can read: `"<status> <code>: <message>"` and what to do next as text, the same
 * in parts under `_meta`. HTTP stays 200, because clients take a 403 or 404 there for a lost login or session.
 */
export function toolError(error: ServiceError, caller: Caller, toolList: ToolList): CallToolResult {
  const { code, message, field, retryAfterSeconds } = error
  const status = statusOf(code)
  const text = `${status} ${code}: ${refusalText(error, caller, toolList)}`
  return {
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { 'mindgate/error': { status, code, message, field, retryAfterSeconds } }
  }
}

/** What was wrong, and what to do next with the tools that the caller has here. */
export const refusalText = ({ code, message }: ServiceError, caller: Caller, toolList: ToolList): string =>
  `${message} ${nextStepOf(code, caller.customerId !== undefined, toolList.hasFor(caller.scopes))}`

export function logFault(service: Service, { tool, caller, requestId }: ToolCall, error: ServiceError): void {
  service.log.error('tool failed', {
    requestId,
    channel: 'mcp',
    operation: tool.operation.name,
    partnerId: caller.partnerId,
    keyId: caller.actor,
    error: error.cause ?? error
  })
}
