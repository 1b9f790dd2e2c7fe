// A real HTTP server that speaks OpenAI's chat completions, its faults included. What it is told, it says back.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearerOf, readJson, send, startHttp } from './http-server.ts'
import { answerAsModel, asksForUsage, chunkOf, deltaOf, lastMessage, USAGE } from './model.ts'

/** The key that it accepts. */
export const UPSTREAM_KEY = 'sk-upstream-key-that-must-never-show'

/** What it does with the next completions. */
export type Behaviour =
  | 'good'
  | 'silent'
  | 'stops-midway'
  | 'cuts-off'
  | 'breaks-event'
  | 'waits'
  | 'refuses-key'
  | 'limits'
  | 'rejects'
  | 'overloaded'
  | 'redirects'
  | 'hangs-up'
  | 'not-json'
  | 'shows-key'
  | 'usage-on-last-choice'
  | 'lingers'

export interface Upstream {
  /** For AI_UPSTREAM_URL. */
  url: string
  /** What it was asked, oldest first. */
  requests: { path: string; key: string; body: Record<string, unknown> }[]
  behave(behaviour: Behaviour): void
  /** Lets a stream that `waits` go on. */
  release(): void
  /** Resolves when the next caller leaves before its answer is complete. */
  abandoned(): Promise<void>
  close(): Promise<void>
}

/** @param reply what it says; by default what it was told */
export async function startUpstream(reply: (told: string) => string = (told) => told): Promise<Upstream> {
  let behaviour: Behaviour = 'good'
  let release = () => {}
  const waiting: (() => void)[] = []
  const requests: Upstream['requests'] = []

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => {
      if (!response.writableFinished) for (const tell of waiting.splice(0)) tell()
    })
    const body = await readJson(request)
    requests.push({ path: request.url ?? '', key: bearerOf(request), body })
    if (bearerOf(request) !== UPSTREAM_KEY) return refuseKey(response)
    if (request.url === '/v1/models') return send(response, 200, { object: 'list', data: [] })
    if (request.url !== '/v1/chat/completions') return send(response, 404, {})
    if (behaviour === 'good') return answerAsModel(response, body, reply(lastMessage(body)))
    if (behaviour === 'waits') {
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      begin(response, body)
      await released
      response.end(chunkOf(body.model, deltaOf('second')))
      return undefined
    }
    return FAULTS[behaviour](response, body)
  }
  const { url, close } = await startHttp(handle)
  return {
    url: `${url}/v1`,
    requests,
    behave: (next) => {
      behaviour = next
    },
    release: () => release(),
    abandoned: () => new Promise((resolve) => waiting.push(resolve)),
    close
  }
}

type Fault = (response: ServerResponse, body: Record<string, unknown>) => void

const FAULTS: Record<Exclude<Behaviour, 'good' | 'waits'>, Fault> = {
  silent: () => undefined,
  'stops-midway': begin,
  'cuts-off': (response, body) => {
    begin(response, body)
    // Once what was written has left.
    response.write(': going\n\n', () => response.destroy())
  },
  'breaks-event': (response, body) => {
    begin(response, body)
    response.end('data: {"id":"chatcmpl-1","cho')
  },
  'refuses-key': refuseKey,
  limits: (response) =>
    send(
      response,
      429,
      {
        error: {
          message: `Rate limit reached for ${UPSTREAM_KEY}`,
          type: 'tokens',
          param: null,
          code: 'rate_limit_exceeded'
        }
      },
      { 'retry-after': '17' }
    ),
  rejects: (response) =>
    send(response, 400, {
      error: {
        message: 'Unsupported value for temperature',
        type: 'invalid_request_error',
        param: 'temperature',
        code: 'unsupported_value'
      }
    }),
  overloaded: (response) => {
    response.writeHead(503, { 'content-type': 'text/html' })
    response.end('<h1>Service Unavailable</h1>')
  },
  redirects: (response) => send(response, 307, {}, { location: 'http://127.0.0.1:1/steal' }),
  'hangs-up': (response) => response.destroy(),
  'not-json': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>Sign in to the hotel Wi-Fi</html>')
  },
  'shows-key': (response, body) => answerAsModel(response, body, `The key is ${UPSTREAM_KEY}`),
  'usage-on-last-choice': (response, body) => {
    begin(response, body)
    response.write(chunkOf(body.model, [{ index: 0, delta: {}, finish_reason: 'stop' }], { usage: USAGE }))
    response.end('data: [DONE]\n\n')
  },
  // All is said, and the connection stays open.
  lingers: (response, body) => {
    begin(response, body)
    response.write(chunkOf(body.model, [], { usage: USAGE }))
    response.write('data: [DONE]\n\n')
  }
}

/** The first event of a stream. */
function begin(response: ServerResponse, body: Record<string, unknown>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunkOf(body.model, deltaOf('first'), asksForUsage(body) ? { usage: null } : {}))
}

function refuseKey(response: ServerResponse): void {
  send(response, 401, {
    error: {
      message: `Incorrect API key provided: ${UPSTREAM_KEY.slice(0, 11)}****show.`,
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key'
    }
  })
}
