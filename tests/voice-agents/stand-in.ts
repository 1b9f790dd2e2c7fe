// A real HTTP server that speaks a voice-agent provider's documented protocol, its faults included.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Provider } from '../../schemas/voice-agent.ts'

/** What the provider does with the next requests. */
export type Behaviour =
  | 'good'
  | 'silent'
  | 'dripping'
  | 'refuses-key'
  | 'limits'
  | 'fails'
  | 'cuts-off'
  | 'floods'
  | 'not-json'
  | 'wrong-shape'
  | 'other-agent'
  | 'redirects'
  | 'hangs-up'

export interface StandIn {
  url: string
  /** What it was asked, oldest first: `GET /assistant/x`. */
  requests: string[]
  /** Bytes written to the longest answer since it behaves so; a flood that is cut off stays small, whoever else asks, too. */
  written(): number
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

export interface KnownAgent {
  id: string
  name: string | null
  createdAt?: string
}

/** The key that the provider accepts. */
export const PROVIDER_KEY = 'provider-key-that-must-never-show'

export async function startStandIn(provider: Provider, agents: readonly KnownAgent[]): Promise<StandIn> {
  let behaviour: Behaviour = 'good'
  let written = 0
  const requests: string[] = []
  const answer = provider === 'a' ? answerLikeVapi : answerLikeRetell
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (request.headers.authorization !== `Bearer ${PROVIDER_KEY}`)
      return send(response, 401, { message: 'Invalid key' })
    const misbehave = FAULTS[behaviour]
    let ofThis = 0
    const count = (bytes: number) => {
      ofThis += bytes
      written = Math.max(written, ofThis)
    }
    if (misbehave) return misbehave(response, count)
    void readBody(request).then((body) => {
      const reply = answer(agents, request, body)
      send(response, reply.status, reply.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    written: () => written,
    behave: (next) => {
      behaviour = next
      written = 0
    },
    close: () => stop(server)
  }
}

type Misbehave = (response: ServerResponse, count: (bytes: number) => void) => void

const FAULTS: Partial<Record<Behaviour, Misbehave>> = {
  silent: () => undefined,
  dripping: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  },
  'refuses-key': (response) => send(response, 401, { message: 'Unauthorized' }),
  limits: (response) => send(response, 429, { message: 'Too many requests' }, { 'retry-after': '17' }),
  fails: (response) => send(response, 500, { message: `upstream broke for ${PROVIDER_KEY}` }),
  'cuts-off': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"id":"half')
    setTimeout(() => response.destroy(), 20)
  },
  floods: (response, count) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(256 * 1024, 'x')
    const pour = () => {
      let hasRoom = true
      while (hasRoom && !response.destroyed) {
        count(chunk.length)
        hasRoom = response.write(chunk)
      }
      response.once('drain', pour)
    }
    pour()
  },
  'not-json': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>Sign in to the hotel Wi-Fi</html>')
  },
  'wrong-shape': (response) => send(response, 200, { hello: ['world'] }),
  'other-agent': (response) =>
    send(response, 200, { id: 'other', agent_id: 'other', name: 'Other', agent_name: 'Other' }),
  redirects: (response) => send(response, 302, {}, { location: 'http://127.0.0.1:1/steal' }),
  'hangs-up': (response) => response.destroy()
}

interface Reply {
  status: number
  body: unknown
}

/** https://docs.vapi.ai/api-reference/assistants: newest first, pages by `createdAtLt`. */
export function answerLikeVapi(
  agents: readonly KnownAgent[],
  request: Pick<IncomingMessage, 'method' | 'url'>
): Reply {
  const url = new URL(request.url ?? '/', 'http://provider')
  if (request.method === 'GET' && url.pathname === '/assistant') {
    const before = url.searchParams.get('createdAtLt') ?? '9'
    const page = agents
      .filter(({ createdAt = '' }) => createdAt < before)
      .toSorted((a, b) => ((a.createdAt ?? '') < (b.createdAt ?? '') ? 1 : -1))
      .slice(0, Number(url.searchParams.get('limit') ?? 100))
    return {
      status: 200,
      body: page.map((agent) => ({ ...agent, orgId: 'org', model: { provider: 'openai' } }))
    }
  }
  // Of an account without any.
  if (url.pathname === '/call') return { status: 200, body: [] }
  const agent = agents.find(({ id }) => url.pathname === `/assistant/${id}`)
  if (agent) return { status: 200, body: { ...agent, orgId: 'org' } }
  return { status: 404, body: { message: 'Not Found', statusCode: 404 } }
}

/** https://docs.retellai.com: pages by `pagination_key`; every version of an agent is an item. */
export function answerLikeRetell(
  agents: readonly KnownAgent[],
  request: Pick<IncomingMessage, 'method' | 'url'>,
  body: unknown
): Reply {
  const items = agents.map(({ id, name }) => ({
    agent_id: id,
    agent_name: name,
    version: 0,
    channel: 'voice'
  }))
  if (request.method === 'POST' && request.url === '/v2/list-agents') {
    const { limit = 1000, pagination_key: after } = body as { limit?: number; pagination_key?: string }
    const start = after === undefined ? 0 : items.findIndex(({ agent_id }) => agent_id === after) + 1
    const page = items.slice(start, start + limit)
    const hasMore = start + limit < items.length
    const cursor = hasMore ? page.at(-1)?.agent_id : null
    return { status: 200, body: { items: page, has_more: hasMore, pagination_key: cursor } }
  }
  const agent = items.find(({ agent_id }) => request.url === `/get-agent/${agent_id}`)
  if (agent) return { status: 200, body: agent }
  return { status: 404, body: { status: 'error', message: 'Item not found' } }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : JSON.parse(text)
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {}
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
