// A deadline over headers and body, a cap on what is read, no redirects, and an error that says which of them it was.
import type { z } from 'zod'
import { inCall } from '../trace.ts'
import { readCapped } from './capped.ts'
import { withDeadline } from './deadline.ts'

/** What kept an answer from being usable. `status` has the HTTP status beside it. */
export type UpstreamFault = 'timeout' | 'unreachable' | 'redirect' | 'too_large' | 'malformed' | 'status'

export class UpstreamError extends Error {
  readonly fault: UpstreamFault
  readonly status: number | undefined
  /** What the service asked for in `Retry-After`, in seconds. */
  readonly retryAfterSeconds: number | undefined
  /** The JSON of a refusal, where it was asked for and there is any. */
  readonly said: unknown

  constructor(
    fault: UpstreamFault,
    options: { status?: number; retryAfterSeconds?: number | undefined; said?: unknown; cause?: unknown } = {}
  ) {
    super(options.status === undefined ? fault : `${fault} ${options.status}`, { cause: options.cause })
    this.name = 'UpstreamError'
    this.fault = fault
    this.status = options.status
    this.retryAfterSeconds = options.retryAfterSeconds
    this.said = options.said
  }
}

interface JsonRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  bearer: string | undefined
  body?: unknown
  timeoutMs: number
  signal?: AbortSignal | undefined
  maxBytes: number
  readsRefusals?: boolean
}

/** Of 204 `undefined`. @throws UpstreamError for whatever isn't 2xx and what the schema wants, within `timeoutMs` */
export const fetchJson = <T>(url: string, schema: z.ZodType<T>, request: JsonRequest): Promise<T> =>
  inCall(request.method ?? 'GET', url, () => fetchWhole(url, schema, request))

function fetchWhole<T>(url: string, schema: z.ZodType<T>, request: JsonRequest): Promise<T> {
  const { method = 'GET', body, timeoutMs, maxBytes } = request
  const cap = { maxBytes, refusal: () => new UpstreamError('too_large') }
  return withDeadline({ timeoutMs, signals: [request.signal] }, async (signal) => {
    try {
      const response = await fetch(url, {
        method,
        headers: headersOf(request),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // Following one would send the key wherever the answer says.
        redirect: 'manual',
        signal
      })
      const isWanted = response.ok || request.readsRefusals
      if (!isWanted) await response.body?.cancel()
      const bytes = isWanted ? await readCapped(response.body ?? [], cap) : undefined
      if (!response.ok) throw refusalOf(response, bytes)
      return read(schema, response.status === 204 ? undefined : bytes)
    } catch (error) {
      if (error instanceof UpstreamError) throw error
      throw new UpstreamError(signal.aborted ? 'timeout' : 'unreachable', { cause: error })
    }
  })
}

/** What is thrown over a key that no header can have would quote it. */
function headersOf({ bearer, body }: JsonRequest): Headers {
  try {
    return new Headers({
      accept: 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    })
  } catch {
    throw new UpstreamError('unreachable')
  }
}

function refusalOf({ status, headers }: Response, bytes: Uint8Array | undefined): UpstreamError {
  const retryAfterSeconds = secondsOf(headers.get('retry-after'))
  const isRedirect = status >= 300 && status < 400
  let said: unknown
  try {
    said = bytes && jsonOf(bytes)
  } catch {
    // A page, or nothing: then the status has to do.
  }
  return new UpstreamError(isRedirect ? 'redirect' : 'status', { status, retryAfterSeconds, said })
}

function read<T>(schema: z.ZodType<T>, bytes: Uint8Array | undefined): T {
  try {
    return schema.parse(bytes && jsonOf(bytes))
  } catch (error) {
    throw new UpstreamError('malformed', { cause: error })
  }
}

const jsonOf = (bytes: Uint8Array): unknown =>
  JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))

const LONGEST_RETRY_AFTER_S = 3_600

/** `Retry-After` as seconds; a date or nonsense counts as none. */
export function secondsOf(header: string | null): number | undefined {
  const seconds = Number(header)
  if (!header || !Number.isInteger(seconds) || seconds < 0) return undefined
  return Math.min(seconds, LONGEST_RETRY_AFTER_S)
}
