// What both stand-ins have in common: a real HTTP server that takes one key, and misbehaves on demand or by chance.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROVIDER_KEY } from '../../voice-agents/stand-in.ts'
import { type Dice, makeDice } from './dice.ts'

/** What can go wrong with one answer. */
export type Fault =
  | 'fails'
  | 'is-away'
  | 'is-away-for-seconds'
  | 'limits'
  | 'resets'
  | 'cuts'
  | 'is-slow'
  /** Items come twice in a page. */
  | 'doubles'
  /** The page begins with what the one before ended with. */
  | 'repeats'
  /** A page without items, though there are more. */
  | 'is-empty'

export const FAULTS: readonly Fault[] = [
  'fails',
  'is-away',
  'is-away-for-seconds',
  'limits',
  'resets',
  'cuts',
  'is-slow',
  'doubles',
  'repeats',
  'is-empty'
]

export interface Asked {
  method: string
  url: string
  path: string
  query: URLSearchParams
  body: unknown
}

export interface Reply {
  status: number
  /** JSON. */
  body: string
}

export interface CallsStandIn {
  url: string
  /** What it was asked, oldest first: `GET /call?limit=50`. */
  requests: string[]
  /**
   * Of how many requests one is answered with a fault, by chance: 0 is never. Only what reads calls meets any: who maps an
   * agent is told of it and tries again.
   */
  misbehave(probability: number, faults?: readonly Fault[]): void
  /** The next answers, one each. */
  next(...faults: Fault[]): void
  /** Whether the key that it knows is refused from now on. */
  refuseKey(refuses: boolean): void
  /** Called with each request before it is answered; the answer waits for it. */
  onRequest(listener: ((asked: Asked) => void | Promise<void>) | undefined): void
  close(): Promise<void>
}

export async function startCallsStandIn(
  seed: number,
  answer: (asked: Asked, fault: Fault | undefined, dice: Dice) => Reply
): Promise<CallsStandIn> {
  const dice = makeDice(`faults ${seed}`)
  const wanted: Fault[] = []
  const requests: string[] = []
  let chance = { probability: 0, faults: FAULTS }
  let refusesKey = false
  let listener: ((asked: Asked) => void | Promise<void>) | undefined

  const nextFault = () =>
    wanted.shift() ?? (dice.chance(chance.probability) ? dice.pick(chance.faults) : undefined)
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`)
    const asked = await read(request)
    await listener?.(asked)
    if (refusesKey || request.headers.authorization !== `Bearer ${PROVIDER_KEY}`)
      return send(response, { status: 401, body: '{"message":"Invalid Key."}' })
    const fault = asked.path.includes('call') ? nextFault() : undefined
    const refusal = REFUSALS[fault ?? 'is-slow']
    if (refusal) return send(response, refusal, refusal.headers)
    await deliver(response, answer(asked, fault, dice), fault)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    misbehave: (probability, faults = FAULTS) => {
      chance = { probability, faults }
    },
    next: (...faults) => wanted.push(...faults),
    refuseKey: (refuses) => {
      refusesKey = refuses
    },
    onRequest: (next) => {
      listener = next
    },
    close: () => stop(server)
  }
}

const refusal = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: JSON.stringify({ message: `It is ${status}`, statusCode: status })
})

const REFUSALS: Partial<Record<Fault, ReturnType<typeof refusal>>> = {
  fails: refusal(500),
  'is-away': refusal(503),
  'is-away-for-seconds': refusal(503, { 'retry-after': '2' }),
  limits: refusal(429, { 'retry-after': '3' })
}

async function deliver(response: ServerResponse, reply: Reply, fault: Fault | undefined): Promise<void> {
  const bytes = Buffer.from(reply.body)
  const half = bytes.subarray(0, bytes.length / 2)
  if (fault === 'cuts') return send(response, { ...reply, body: half.toString('latin1') })
  if (fault !== 'resets' && fault !== 'is-slow') return send(response, reply)
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) }
  response.writeHead(reply.status, headers)
  response.write(half)
  await sleep(15)
  if (fault === 'resets') response.socket?.resetAndDestroy()
  else response.end(bytes.subarray(half.length))
}

function send(response: ServerResponse, { status, body }: Reply, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

async function read(request: IncomingMessage): Promise<Asked> {
  const { method = 'GET', url = '/' } = request
  const { pathname: path, searchParams: query } = new URL(url, 'http://provider')
  let text = ''
  for await (const chunk of request) text += chunk
  return { method, url, path, query, body: text === '' ? {} : JSON.parse(text) }
}

export const json = (value: unknown, status = 200): Reply => ({ status, body: JSON.stringify(value) })

/** JSON in which numbers stand as the provider writes them: a text `#0.10` becomes the number 0.10. */
export const withNumbers = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/"#(-?[\d.]+(?:[eE][+-]?\d+)?)"/g, '$1')

/** Every tenth item once more, somewhere behind itself. */
export const doubled = <T>(items: readonly T[]): T[] =>
  items.flatMap((item, index) => (index % 10 === 0 ? [item, item] : [item]))

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
