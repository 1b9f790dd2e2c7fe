// How the language model's stand-in goes wrong, each way as gateways were seen to.
import type { ServerResponse } from 'node:http'
import { send } from './http-server.ts'
import { asksForUsage, chunkOf, deltaOf } from './model.ts'

/** What it does with the next requests. */
export type LlmBehaviour =
  | 'good'
  /** Half an answer, and the rest when it is released. */
  | 'waits'
  /** Not even headers. */
  | 'silent'
  /** Half a stream, then the connection breaks. */
  | 'cuts-off'
  /** A stream that ends, in order, without a finish_reason. */
  | 'ends-early'
  /** finish_reason length, in the middle. */
  | 'cut-at-limit'
  /** Half a stream, then an event that tells of an error. */
  | 'tells-error'
  /** A page, with 200. */
  | 'not-json'
  /** A stream in order, whose content is no JSON. */
  | 'nonsense'
  | 'refuses-key'
  /** 429, for 17 seconds. */
  | 'limits'
  | 'overloaded'
  /** 400, whatever the parameters. */
  | 'rejects'
  | 'redirects'
  | 'hangs-up'
  | 'too-large'
  /** A byte now and then, and never an end. */
  | 'drips'

export interface LlmRequest {
  path: string
  key: string
  body: Record<string, unknown>
  system: string
  /** What the user's messages say, one after the other. */
  user: string
  /** Of response_format, or of the system text. */
  answerName: string
}

type Fault = (response: ServerResponse, request: LlmRequest) => void

export const LLM_FAULTS: Record<Exclude<LlmBehaviour, 'good' | 'waits' | 'nonsense'>, Fault> = {
  silent: () => undefined,
  'cuts-off': (response, { body }) => {
    begin(response, body, '{"half": "of an')
    // Once what was written has left.
    response.write(': going\n\n', () => response.destroy())
  },
  'ends-early': (response, { body }) => {
    begin(response, body, '{}')
    response.end('data: [DONE]\n\n')
  },
  'cut-at-limit': (response, { body }) => {
    begin(response, body, '{"half": "of an')
    response.write(chunkOf(body.model, [{ index: 0, delta: {}, finish_reason: 'length' }]))
    response.end('data: [DONE]\n\n')
  },
  'tells-error': (response, { body, key }) => {
    begin(response, body, '{"half": "of an')
    response.end(`data: ${JSON.stringify({ error: { message: `No worker for ${key}`, code: 500 } })}\n\n`)
  },
  'not-json': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>Sign in to the hotel Wi-Fi</html>')
  },
  'refuses-key': refuseKey,
  limits: (response, { key }) =>
    fail(response, 429, 'rate_limit_exceeded', `Rate limit reached for ${key}`, { 'retry-after': '17' }),
  overloaded: (response) => {
    response.writeHead(503, { 'content-type': 'text/html' })
    response.end('<h1>Service Unavailable</h1>')
  },
  rejects: (response) => fail(response, 400, 'content_filter', 'The prompt was rejected'),
  redirects: (response) => send(response, 307, {}, { location: 'http://127.0.0.1:1/steal' }),
  'hangs-up': (response) => response.destroy(),
  'too-large': (response, { body }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = chunkOf(body.model, deltaOf('too much '.repeat(10_000)))
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', pour)
    }
    pour()
  },
  drips: (response, { body }) => {
    begin(response, body, '{')
    const dripping = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(dripping))
  }
}

/** The first event of a stream. */
export function begin(response: ServerResponse, body: Record<string, unknown>, content: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunkOf(body.model, deltaOf(content), asksForUsage(body) ? { usage: null } : {}))
}

export const refuseParameter = (response: ServerResponse, parameter: string): void =>
  send(response, 400, {
    error: {
      message: `Unsupported parameter: '${parameter}' is not supported with this model.`,
      type: 'invalid_request_error',
      param: parameter,
      code: 'unsupported_parameter'
    }
  })

export function refuseKey(response: ServerResponse, { key }: LlmRequest): void {
  fail(response, 401, 'invalid_api_key', `Incorrect API key provided: ${key}`)
}

function fail(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {}
): void {
  send(response, status, { error: { message, type: 'invalid_request_error', param: null, code } }, headers)
}
