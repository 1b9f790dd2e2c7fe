import type { EmbeddedSettings } from '../variables.ts'

type FaultDetails = Partial<Pick<AiFault, 'param' | 'retryAfterSeconds' | 'cause'>>

/**
 * Why a call wasn't answered, as an OpenAI client understands it. `text` is for the agent; it can hold what the
 * upstream wrote, so it is not the error's message, which a log would show.
 */
export class AiFault extends Error {
  readonly status: number
  readonly code: string
  readonly text: string
  readonly param: string | null
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, code: string, text: string, details: FaultDetails = {}) {
    super(`${status} ${code}`, { cause: details.cause })
    this.name = 'AiFault'
    this.status = status
    this.code = code
    this.text = text
    this.param = details.param ?? null
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** An answer that is none: another kind of file, cut short, or without an end. */
export const unusable = (): AiFault =>
  new AiFault(502, 'upstream_malformed', 'The AI provider gave an answer that can’t be used.')

export const faultBody = ({ status, code, text, param }: AiFault) => ({
  error: { message: text, type: typeOf(status, code), param, code }
})

function typeOf(status: number, code: string): string {
  if (code === 'insufficient_quota') return code
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

/** Keys in the upstream's words, masked ones such as `sk-proj-****abcd` too. */
const KEY_SHAPE = /\bsk-[\w*-]+/g

export const withoutKey = (text: string, { upstreamKey }: EmbeddedSettings): string =>
  upstreamKey ? text.replaceAll(upstreamKey, '[redacted]') : text

/** What the upstream complained of, without its key or anything that looks like one. */
export const withoutSecrets = (text: string, settings: EmbeddedSettings): string =>
  withoutKey(text, settings).replace(KEY_SHAPE, '[redacted]')
