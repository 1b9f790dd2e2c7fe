// A request to an address that somebody else names: to public addresses alone, with a deadline, a cap and no redirects.
import { type IncomingMessage, type OutgoingHttpHeaders, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { inCall } from '../trace.ts'
import { hostOf, publicAddresses } from './addresses.ts'
import { readCapped } from './capped.ts'
import { withDeadline } from './deadline.ts'
import { UpstreamError } from './fetch-json.ts'

interface DocumentRequest {
  /** Whose lookups wait for each other, among strangers unless told. */
  tenant: string
  kind?: 'partner' | 'stranger'
  allowPrivate: boolean
  timeoutMs: number
  signal?: AbortSignal
  /** 0 reads nothing of the answer's body. */
  maxBytes: number
  /** What is sent there by POST, with its headers; without it the document there is asked for. */
  post?: { headers: OutgoingHttpHeaders; body: string }
}

/**
 * What stands there, whatever its status. Without TLS only where private addresses are allowed.
 * @throws UpstreamError within `timeoutMs`; AddressError for a host that may not be reached
 */
export const fetchForeign = (url: string, request: DocumentRequest) =>
  inCall(request.post ? 'POST' : 'GET', url, () => fetchAny(url, request))

function fetchAny(
  url: string,
  {
    tenant: name,
    kind = 'stranger',
    allowPrivate,
    timeoutMs,
    signal: leaving,
    maxBytes,
    post
  }: DocumentRequest
) {
  const cap = { maxBytes, refusal: () => new UpstreamError('too_large') }
  const late = () => new UpstreamError('timeout')
  return withDeadline({ timeoutMs, late, signals: [leaving] }, async (signal) => {
    const place = new URL(url)
    const isPlain = place.protocol === 'http:' && allowPrivate
    const addresses = await publicAddresses(hostOf(place), { kind, name }, { allowPrivate, signal })
    const request = (isPlain ? plain : secure)(url, {
      method: post ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...post?.headers },
      // The addresses that were judged, not those of another lookup.
      lookup: (_host, _options, answer) => answer(null, addresses),
      agent: false,
      signal
    })
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        // It closes without an error where the answer is that another protocol is spoken from here on.
        request.on('response', resolve).on('error', reject).on('close', reject).end(post?.body)
      })
      const body = maxBytes === 0 ? Buffer.alloc(0) : await readCapped(response, cap)
      return { status: response.statusCode ?? 0, headers: response.headers, body }
    } catch (error) {
      if (error instanceof UpstreamError) throw error
      throw signal.aborted ? late() : new UpstreamError('unreachable', { cause: error })
    } finally {
      request.destroy()
    }
  })
}
