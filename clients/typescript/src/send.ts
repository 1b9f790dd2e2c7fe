// One request in as many attempts as it takes, and its answer or a MindgateError.
import { setTimeout as sleep } from 'node:timers/promises'
import { MindgateError, networkFault } from './error.ts'
import type { components } from './openapi.ts'

export interface SendOptions {
  /** How often a call is sent at most. Default 4. */
  attempts?: number
  /** How long an attempt may take until its answer is there, in ms; of files and lines, until it begins. Default 65,000: a chat waits for 55 s. */
  timeoutMs?: number
  /** The longest `Retry-After` that is waited for, in ms; what asks for more is thrown at once. Default 60,000. */
  longestWaitMs?: number
}

const KEY = 'Idempotency-Key'
/** Answers that are passed on while they come. */
const STREAMED = /^application\/(?:x-ndjson|gzip)/
const FIRST_WAIT_MS = 250

/** Sends a request until it is answered. A POST has one `Idempotency-Key` over all attempts. @throws MindgateError */
export function createSend({ attempts = 4, timeoutMs = 65_000, longestWaitMs = 60_000 }: SendOptions) {
  return async function send(request: Request): Promise<Response> {
    if (request.method === 'POST' && !request.headers.has(KEY)) request.headers.set(KEY, crypto.randomUUID())
    // What a PUT brings is a file, which isn't kept in memory for a second time.
    if (request.method === 'PUT') request.headers.set('Content-Type', 'application/gzip')
    const last = request.method === 'PUT' ? 1 : attempts
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptOnce(attempt === last ? request : request.clone(), timeoutMs)
      } catch (error) {
        const waitMs = error instanceof MindgateError ? waitBefore(error, request.method, attempt) : undefined
        if (attempt === last || waitMs === undefined || waitMs > longestWaitMs) throw error
        await sleep(waitMs, undefined, { signal: request.signal }).catch(() =>
          request.signal.throwIfAborted()
        )
      }
    }
  }
}

/** How long to wait before the same request may succeed, in ms; `undefined` when it would fail again, or be done twice. */
function waitBefore({ code, status = 0, retryAfterSeconds }: MindgateError, method: string, attempt: number) {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000
  const isProxy = code === 'unexpected_answer' && status >= 502
  // A DELETE that was done would be answered 404.
  if (method === 'DELETE' || !(isProxy || code === 'network' || code === 'timeout')) return undefined
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random())
}

async function attemptOnce(request: Request, timeoutMs: number): Promise<Response> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const idempotencyKey = request.headers.get(KEY) ?? undefined
  try {
    const answer = await fetch(request, { signal: AbortSignal.any([request.signal, timeout.signal]) })
    const isStreamed = answer.ok && STREAMED.test(answer.headers.get('Content-Type') ?? '')
    return isStreamed ? answer : await readAnswer(answer, idempotencyKey)
  } catch (error) {
    request.signal.throwIfAborted()
    if (error instanceof MindgateError) throw error
    if (!timeout.signal.aborted) throw networkFault(error, idempotencyKey)
    throw new MindgateError('timeout', `No answer within ${timeoutMs} ms.`, { idempotencyKey })
  } finally {
    clearTimeout(timer)
  }
}

/** The same answer, wholly read. @throws MindgateError when it is a refusal, or none of the API's */
async function readAnswer(answer: Response, idempotencyKey: string | undefined): Promise<Response> {
  const { status, headers } = answer
  const text = await answer.text()
  const body = parsed(text)
  if (answer.ok && body) return new Response(text, answer)
  const retryAfter = Number.parseInt(headers.get('Retry-After') ?? '', 10)
  const details = {
    ...body,
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: retryAfter >= 0 ? retryAfter : undefined,
    idempotencyKey
  }
  if (body?.code && body.error) throw new MindgateError(body.code, body.error, details)
  throw new MindgateError(
    'unexpected_answer',
    `An answer with status ${status} is none of Mindgate’s.`,
    details
  )
}

function parsed(text: string): Partial<components['schemas']['Error']> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
