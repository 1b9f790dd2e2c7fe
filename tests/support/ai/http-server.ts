// A small HTTP server on a free port of this machine, for services that the tests stand in for.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface HttpStandIn {
  /** `http://127.0.0.1:port` */
  url: string
  close(): Promise<void>
}

/** Starts it; a handler that throws answers 500 with the reason. */
export async function startHttp(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
): Promise<HttpStandIn> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => send(response, 500, { standIn: String(error) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    }
  }
}

/** The JSON object of a body; `{}` without one. */
export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text === '' ? {} : { ...JSON.parse(text) }
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {}
): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

export const bearerOf = ({ headers }: IncomingMessage): string =>
  headers.authorization?.replace(/^Bearer /, '') ?? ''
