// The tool list as the running gateway hands it out, read as a client would.
import { z } from 'zod'
import { type Judge, judgeOf } from './schemas-of.ts'

const Listed = z.object({
  result: z.object({
    tools: z.array(
      z.object({ name: z.string(), inputSchema: z.unknown(), outputSchema: z.unknown().optional() })
    )
  })
})

export interface McpTool {
  name: string
  inputSchema: unknown
  /** Judges `structuredContent`; of a tool that lists no schema REST's document does. */
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
  return result.tools.map(({ name, inputSchema, outputSchema }) => ({
    name,
    inputSchema,
    judgeOutput: outputSchema === undefined ? () => [] : judgeOf(outputSchema)
  }))
}
