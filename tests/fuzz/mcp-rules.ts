// What holds for every answer of the MCP channel, whatever was asked.
import { expect } from 'vitest'
import { z } from 'zod'
import { unfenced, unmarked } from '../mcp/messages.ts'
import { at } from '../support/fixture.ts'
import type { WireAnswer, WireRequest } from './exchange.ts'
import type { FuzzFixture } from './fixture.ts'
import type { McpTool } from './mcp-document.ts'
import { expectOrderly } from './rest-rules.ts'

const envelope = { jsonrpc: z.literal('2.0') }
const RpcError = z.strictObject({
  ...envelope,
  id: z.union([z.string(), z.number(), z.null()]),
  error: z.strictObject({ code: z.int(), message: z.string().min(1), data: z.unknown().optional() })
})
const RpcResult = z.strictObject({
  ...envelope,
  id: z.union([z.string(), z.number()]),
  result: z.record(z.string(), z.unknown())
})
const RpcAnswer = z.union([RpcResult, RpcError])
type RpcAnswer = z.infer<typeof RpcAnswer>

const ToolError = z.object({
  isError: z.literal(true),
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string().min(1) })]),
  structuredContent: z.never().optional(),
  _meta: z.looseObject({
    'mindgate/error': z.strictObject({
      status: z.int().min(400).max(499),
      code: z.string(),
      message: z.string().min(1),
      field: z.string().optional(),
      retryAfterSeconds: z.number().optional()
    })
  })
})
const ToolSuccess = z.object({
  isError: z.literal(false).optional(),
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown())
})

/** JSON-RPC's "internal error", which is our fault under another name. */
const INTERNAL_ERROR = -32603

/** Which tools answered, and how: `customer_list ok`, `customer_list refused`. */
export function expectRightMcpAnswer(
  { watch }: FuzzFixture,
  tools: ReadonlyMap<string, McpTool>,
  { method, body }: WireRequest,
  answer: WireAnswer
): string[] {
  expectOrderly(answer)
  watch.see(JSON.stringify(answer.headers) + answer.text)
  if (answer.text === '') {
    const isSilent = method === 'HEAD' || [202, 204].includes(answer.status)
    expect(isSilent, `an empty answer with ${answer.status} to ${method}`).toBe(true)
    return []
  }
  const messages = messagesIn(answer)
  // What is at another path than the gateway's is answered by the house, not by the gateway.
  if (answer.status === 404 && messages.every((one) => at(one, 'success') === false)) return []
  if (answer.status >= 400) expect(messages).toHaveLength(1)
  const sent: unknown[] = [parsed(body?.text ?? '')].flat()
  return messages.flatMap((one) => {
    const rpc = RpcAnswer.parse(one)
    if ('error' in rpc) expect(rpc.error.code).not.toBe(INTERNAL_ERROR)
    return expectAnswerTo(sent, rpc, tools)
  })
}

/** The messages of one JSON body or of an event stream, without the notifications on the way. */
function messagesIn({ headers, text }: WireAnswer): unknown[] {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('text/event-stream')) {
    expect(type).toMatch(/^application\/json/)
    return [JSON.parse(text)].flat()
  }
  const events = text.split('\n').filter((line) => line.startsWith('data: '))
  const messages: unknown[] = events.map((line) => JSON.parse(line.slice('data: '.length)))
  return messages.filter((message) => at(message, 'method') !== 'notifications/progress')
}

function expectAnswerTo(
  sent: readonly unknown[],
  rpc: RpcAnswer,
  tools: ReadonlyMap<string, McpTool>
): string[] {
  const asked = sent.filter((message) => rpc.id !== null && at(message, 'id') === rpc.id)
  if (rpc.id !== null) expect(asked.length, `somebody asked under ${rpc.id}`).toBeGreaterThan(0)
  const [message] = asked
  if (asked.length !== 1 || !('result' in rpc) || at(message, 'method') !== 'tools/call') return []
  const tool = tools.get(String(at(message, 'params', 'name')))
  if (!tool) throw new Error('a tool that isn’t listed was called')
  return [`${tool.name} ${expectToolResult(tool, rpc.result)}`]
}

function expectToolResult({ name, judgeOutput }: McpTool, result: Record<string, unknown>): 'ok' | 'refused' {
  if (result.isError) {
    const { content, _meta } = ToolError.parse(result)
    const { status, code } = _meta['mindgate/error']
    expect(content[0].text).toMatch(`${status} ${code}: `)
    return 'refused'
  }
  const { content, structuredContent } = ToolSuccess.parse(result)
  const output = unmarked(structuredContent)
  expect(judgeOutput(output), `${name} fits its output schema`).toEqual([])
  expect(JSON.parse(unfenced(content[0].text))).toEqual(output)
  return 'ok'
}

function parsed(text: string): unknown {
  try {
    // A byte order mark counts for nothing.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
