// The same tools on the SDK as its documentation shows it: a server for each request, on which every tool is registered,
// without sessions, answering as JSON in v1 and as it likes in v2.
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import type { Hono } from 'hono'
import { z } from 'zod'
import type { RecallByHand } from './handwritten-recall.ts'

export const ListedTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z.record(z.string(), z.boolean())
})

const serverInfo = { name: 'sdk-as-documented', version: '1' }
const RECALL = /^(internal_)?memory_recall$/

/** Adds `POST {path}/v1` and `{path}/v2` with the listed tools, of which the customer's recall does its work. */
export function addSdk(
  app: Hono,
  path: string,
  listed: readonly z.output<typeof ListedTool>[],
  recall: RecallByHand
): void {
  // Read once, which is kinder than what the documentation shows.
  const tools = listed.map(({ name, inputSchema, ...words }) => {
    return { name, config: { ...words, inputSchema: asObject(z.fromJSONSchema(inputSchema)) } }
  })
  const recalled = async (authorization: string | null | undefined) => {
    const { text, structured } = await recall(authorization)
    return { ...saying(text), structuredContent: { ...structured } }
  }

  const handler = createMcpHandler(({ requestInfo }) => {
    const server = new McpServer(serverInfo)
    const authorization = requestInfo?.headers.get('authorization')
    for (const { name, config } of tools)
      server.registerTool(name, config, () => (RECALL.test(name) ? recalled(authorization) : saying('')))
    return server
  })
  app.post(`${path}/v2`, (c) => handler.fetch(c.req.raw))

  app.post(`${path}/v1`, async (c) => {
    const server = new McpServerV1(serverInfo)
    const authorization = c.req.header('authorization')
    for (const { name, config } of tools) {
      const shaped = { ...config, inputSchema: config.inputSchema.shape }
      server.registerTool(name, shaped, () => (RECALL.test(name) ? recalled(authorization) : saying('')))
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    return transport.handleRequest(c.req.raw)
  })
}

const saying = (text: string) => ({ content: [{ type: 'text' as const, text }] })

function asObject(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema
  throw new Error('A tool takes no object')
}
