// The partner gateway on a real port, as the app mounts it, with a partner and its key.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { Scope } from '../../schemas/api-key.ts'
import { partnerGateway } from '../../servers/mcp/partner-gateway.ts'
import type { RequestEnv } from '../../servers/middleware/request-env.ts'
import { requestId } from '../../servers/middleware/request-id.ts'
import { requestLog } from '../../servers/middleware/request-log.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { operations as allOperations } from '../../src/operations.ts'
import type { Service } from '../../src/service.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { makeKey, makePartner, type TestPartner } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The parsed body, or `undefined` when it isn't JSON. */
  json: unknown
}

export interface GatewayServer extends TestService {
  url: URL
  partner: TestPartner
  keyWith(...scopes: Scope[]): Promise<string>
  /** Sends exactly these headers and this body; `fetch` would not let a test choose its Host. */
  send(options: {
    method?: string
    headers?: Record<string, string>
    body?: string | Buffer | readonly string[]
  }): Promise<HttpAnswer>
  /** Posts one message as a client of the older era does, with the partner's key unless told otherwise. */
  post(message: unknown, headers?: Record<string, string>): Promise<HttpAnswer>
}

interface GatewayOptions {
  operations?: readonly AnyOperation[]
  env?: Record<string, string>
  /** Another gateway than the partner's, at the same path. */
  mount?: (service: Service) => Hono<RequestEnv>
}

export async function startGateway(
  kind: DatabaseKind,
  { operations = allOperations, env = {}, mount }: GatewayOptions = {}
): Promise<GatewayServer> {
  const opened = await openTestService(kind, env)
  const { service } = opened
  const app = new Hono<RequestEnv>()
  app.use(requestId)
  app.use(requestLog(service.log))
  app.route('/api/partner-mcp', mount ? mount(service) : partnerGateway(service, operations))
  const { server, port } = await listen(app)
  const partner = await makePartner(service)
  const url = new URL(`http://127.0.0.1:${port}/api/partner-mcp`)
  const send: GatewayServer['send'] = ({ method = 'POST', headers = {}, body }) =>
    exchange(url, method, headers, body)
  return {
    ...opened,
    url,
    partner,
    keyWith: async (...scopes) => (await makeKey(service, partner.partnerId, { scopes })).key,
    send,
    post: (message, headers = {}) =>
      send({ headers: { ...clientHeaders(partner.key), ...headers }, body: JSON.stringify(message) }),
    async close() {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
      await opened.close()
    }
  }
}

/** What the older era's clients send with every message. */
export const clientHeaders = (key: string): Record<string, string> => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream'
})

async function listen(app: Hono<RequestEnv>) {
  return new Promise<{ server: ReturnType<typeof httpServer>; port: number }>((resolve) => {
    const server = httpServer(app, (port) => resolve({ server, port }))
  })
}

function httpServer(app: Hono<RequestEnv>, onListening: (port: number) => void) {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => onListening(port))
  if (!('closeAllConnections' in server)) throw new Error('Expected an HTTP/1 server')
  return server
}

function exchange(
  url: URL,
  method: string,
  headers: Record<string, string>,
  body: string | Buffer | readonly string[] = ''
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) })
      })
    })
    request.on('error', reject)
    if (typeof body === 'string' || Buffer.isBuffer(body)) request.end(body)
    else {
      // Several chunks, so that no Content-Length is sent.
      for (const chunk of body) request.write(chunk)
      request.end()
    }
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
