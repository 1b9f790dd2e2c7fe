// What the agent meets in the net: an AI gateway that streams one answer, and an MCP server beside it.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

export interface Gateway {
  /** Ends in /v1. */
  baseUrl: string
  mcpUrl: string
  /** Authorization of each request, by its path. */
  seen: { path: string; authorization: string }[]
  /** The next chat completions are refused, each in its way: with a status, or by a connection that breaks. */
  refuse(...ways: readonly (number | 'broken')[]): void
  close(): Promise<void>
}

export async function startGateway(): Promise<Gateway> {
  const seen: Gateway['seen'] = []
  let refusals: (number | 'broken')[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    seen.push({ path, authorization: request.headers.authorization ?? '' })
    request.resume().once('end', () => {
      if (!path.endsWith('/chat/completions')) return json(response, 200, { data: [] })
      const refusal = refusals.shift()
      if (refusal === undefined) return stream(response, ['rea', 'dy'])
      if (refusal === 'broken') return void request.socket.destroy()
      json(response, refusal, { error: { message: 'Not now: sk-leaked-by-a-gateway' } })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return {
    baseUrl: `${url}/v1`,
    mcpUrl: `${url}/api/mcp`,
    seen,
    refuse(...ways) {
      refusals = [...ways]
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}

function json(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function stream(response: ServerResponse, parts: readonly string[]) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const content of parts)
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
  response.end('data: [DONE]\n\n')
}
