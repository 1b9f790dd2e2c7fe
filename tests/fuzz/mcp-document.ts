// The tool list as the running gateway hands it out, read as a client would.
import { z } from 'zod'
import { at } from '../support/fixture.ts'
import { type Judge, judgeOf } from './schemas-of.ts'

const Listed = z.object({
  result: z.object({ tools: z.array(z.object({ name: z.string(), inputSchema: z.unknown() })) })
})

export interface McpTool {
  name: string
  inputSchema: unknown
  /** Judges what it answers, by the gateway's OpenAPI document: the list has no output schemas. */
  judgeOutput: Judge
}

export const MCP_PATH = '/api/partner-mcp'

/** Fetches the tools and compiles each output schema once. */
export async function fetchTools(url: string, key: string): Promise<McpTool[]> {
  const answer = await fetch(url + MCP_PATH, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  })
  const { result } = Listed.parse(await answer.json())
  const document: unknown = await (await fetch(`${url + MCP_PATH}/openapi.json`)).json()
  return result.tools.map(({ name, inputSchema }) => {
    const answers = at(document, 'paths', `/tools/${name}`, 'post', 'responses', '200', 'content')
    const schema = at(answers, 'application/json', 'schema', 'properties', 'data')
    if (schema === undefined) throw new Error(`${name} isn’t in the gateway’s document`)
    return { name, inputSchema, judgeOutput: judgeOf(schema) }
  })
}
