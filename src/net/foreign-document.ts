// A small document at an address that a stranger names: on public addresses alone, with a deadline, a cap and no redirects.
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { publicAddresses } from './addresses.ts'
import { readCapped } from './capped.ts'
import { withDeadline } from './deadline.ts'
import { UpstreamError } from './fetch-json.ts'

interface DocumentRequest {
  /** Whose lookups wait for each other, among strangers. */
  tenant: string
  allowPrivate: boolean
  timeoutMs: number
  maxBytes: number
}

/**
 * What stands there, whatever its status.
 * @throws UpstreamError within `timeoutMs`; AddressError for a host that may not be reached
 */
export function fetchForeign(url: string, { tenant, allowPrivate, timeoutMs, maxBytes }: DocumentRequest) {
  const cap = { maxBytes, refusal: () => new UpstreamError('too_large') }
  const late = () => new UpstreamError('timeout')
  return withDeadline({ timeoutMs, late }, async (signal) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    const who = { kind: 'stranger', name: tenant } as const
    const addresses = await publicAddresses(host, who, { allowPrivate, signal })
    const request = get(url, {
      headers: { accept: 'application/json' },
      // The addresses that were judged, not those of another lookup.
      lookup: (_host, _options, answer) => answer(null, addresses),
      agent: false,
      signal
    })
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', resolve).on('error', reject)
      })
      const body = await readCapped(response, cap)
      return { status: response.statusCode ?? 0, headers: response.headers, body }
    } catch (error) {
      if (error instanceof UpstreamError) throw error
      throw signal.aborted ? late() : new UpstreamError('unreachable', { cause: error })
    } finally {
      request.destroy()
    }
  })
}
