// Messages as the clients of both eras write them, and a look into the answers.
import { at } from '../support/fixture.ts'

export const MODERN_VERSION = '2026-07-28'

export const request = (method: string, params: Record<string, unknown> = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params
})

export const call = (
  name: string,
  args: unknown = {},
  meta?: Record<string, unknown>
): ReturnType<typeof request> =>
  request('tools/call', { name, arguments: args, ...(meta ? { _meta: meta } : {}) })

/** The same message as 2026-07-28 has it: what the handshake said before is now in every request. */
export const modern = (
  message: ReturnType<typeof request>,
  version: string = MODERN_VERSION
): ReturnType<typeof request> => ({
  ...message,
  params: {
    ...message.params,
    _meta: {
      ...(typeof message.params._meta === 'object' ? message.params._meta : {}),
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {}
    }
  }
})

/** The headers that a 2026-07-28 request needs beside the key. */
export const modernHeaders = (
  { method, params }: ReturnType<typeof request>,
  version: string = MODERN_VERSION
): Record<string, string> => ({
  'MCP-Protocol-Version': version,
  'Mcp-Method': method,
  ...(typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {})
})

export const errorCode = (body: unknown): unknown => at(body, 'error', 'code')
export const toolNames = (body: unknown): unknown[] => {
  const tools = at(body, 'result', 'tools')
  return Array.isArray(tools) ? tools.map((tool: unknown) => at(tool, 'name')) : []
}

/** A structure without the marks around what others wrote, and without the sentence that tells of them. */
export function unmarked(structure: unknown): unknown {
  const notice = at(structure, 'notice')
  const mark = /<(\w+)>/.exec(String(notice ?? ''))?.[1]
  if (mark === undefined) return structure
  const { notice: _, ...rest }: Record<string, unknown> = JSON.parse(
    JSON.stringify(structure).replaceAll(`<${mark}>`, '').replaceAll(`</${mark}>`, '')
  )
  return rest
}

/** A tool's text without the fence around what others wrote. */
export const unfenced = (text: string): string => FENCED.exec(text)?.[2] ?? text
const FENCED = /^Between the two (\w+) lines [^\n]+\n<stored-text \1>\n(.*)\n<\/stored-text \1>$/s
