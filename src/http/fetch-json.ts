// One HTTP exchange with a service of somebody else's: a deadline over headers and body, a cap on what is read, no
// redirects, and an error that says which of them it was.

import type { z } from 'zod'

/** What kept an answer from being usable. `status` has the HTTP status beside it. */
export type UpstreamFault = 'timeout' | 'unreachable' | 'redirect' | 'too_large' | 'malformed' | 'status'

export class UpstreamError extends Error {
  readonly fault: UpstreamFault
  readonly status: number | undefined
  /** What the service asked for in `Retry-After`, in seconds. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    fault: UpstreamFault,
    options: { status?: number; retryAfterSeconds?: number | undefined; cause?: unknown } = {}
  ) {
    super(options.status === undefined ? fault : `${fault} ${options.status}`, { cause: options.cause })
    this.name = 'UpstreamError'
    this.fault = fault
    this.status = options.status
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

interface JsonRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The bearer key; it is never part of an error. */
  bearer: string | undefined
  /** Sent as JSON. */
  body?: unknown
  /** For the whole exchange, the body included. */
  timeoutMs: number
  /** Ends it earlier. */
  signal?: AbortSignal | undefined
  /** Bytes after decompression. */
  maxBytes: number
}

/**
 * The JSON of a 2xx answer that fits the schema; of 204, which has none, `undefined`.
 *
 * @throws UpstreamError for everything else, within `timeoutMs`
 */
export async function fetchJson<T>(url: string, schema: z.ZodType<T>, request: JsonRequest): Promise<T> {
  // Not AbortSignal.any over a timeout: on Node 20 the garbage collector may take that timeout away.
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, request.timeoutMs)
  request.signal?.addEventListener('abort', end, { once: true })
  if (request.signal?.aborted) end()
  try {
    const response = await fetch(url, {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      // Following one would send the key wherever the answer says.
      redirect: 'manual',
      signal: ending.signal
    })
    await refuseUnusable(response)
    const bytes = await readCapped(response, request.maxBytes)
    return parse(schema, response.status === 204 ? undefined : bytes)
  } catch (error) {
    if (error instanceof UpstreamError) throw error
    throw new UpstreamError(ending.signal.aborted ? 'timeout' : 'unreachable', { cause: error })
  } finally {
    clearTimeout(timer)
    request.signal?.removeEventListener('abort', end)
  }
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

async function refuseUnusable(response: Response): Promise<void> {
  if (response.ok) return
  await response.body?.cancel()
  if (response.status >= 300 && response.status < 400)
    throw new UpstreamError('redirect', { status: response.status })
  throw new UpstreamError('status', {
    status: response.status,
    retryAfterSeconds: secondsOf(response.headers.get('retry-after'))
  })
}

/**
 * The body's bytes.
 *
 * @throws UpstreamError `too_large`
 */
export async function readCapped(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the body, which closes the connection.
    if (size > maxBytes) throw new UpstreamError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parse<T>(schema: z.ZodType<T>, bytes: Uint8Array | undefined): T {
  try {
    return schema.parse(bytes && JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch (error) {
    throw new UpstreamError('malformed', { cause: error })
  }
}

const LONGEST_RETRY_AFTER_S = 3_600

/** `Retry-After` as seconds; a date or nonsense counts as none. */
export function secondsOf(header: string | null): number | undefined {
  const seconds = Number(header)
  return header && Number.isInteger(seconds) && seconds >= 0
    ? Math.min(seconds, LONGEST_RETRY_AFTER_S)
    : undefined
}
