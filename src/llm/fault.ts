// What one call to a gateway failed with, and whether that speaks of the gateway or of this one request.
import type { APIError } from 'openai'
import { secondsOf } from '../net/fetch-json.ts'
import type { ModelFault } from './model.ts'

/** Has no text of the gateway's: that may quote the key or the prompt. */
export class CallFault extends Error {
  readonly fault: ModelFault
  /** Whether the next request would most likely fail as well. */
  readonly isOutage: boolean
  readonly retryAfterSeconds: number | undefined
  /** The optional parameter that the gateway doesn't take; '' where it named none. Only of a refusal. */
  readonly parameter: string | undefined

  constructor(fault: ModelFault, isOutage: boolean, retryAfterSeconds?: number, parameter?: string) {
    super(fault)
    this.name = 'CallFault'
    this.fault = fault
    this.isOutage = isOutage
    this.retryAfterSeconds = retryAfterSeconds
    this.parameter = parameter
  }
}

export const outage = (fault: ModelFault, retryAfterSeconds?: number): CallFault =>
  new CallFault(fault, true, retryAfterSeconds)

export const ownFault = (fault: ModelFault): CallFault => new CallFault(fault, false)

export async function faultOf(error: unknown): Promise<CallFault> {
  const known = faultWithin(error)
  if (known) return known
  const { APIConnectionError, APIConnectionTimeoutError, APIError } = await import('openai')
  if (error instanceof APIConnectionTimeoutError) return outage('timeout')
  if (!(error instanceof APIError)) return outage('incomplete')
  if (error.status !== undefined) return faultOfStatus(error.status, error)
  // Without a status it is the connection's, or an event that tells of an error within a stream.
  return outage(error instanceof APIConnectionError ? 'unreachable' : 'failed')
}

function faultWithin(error: unknown): CallFault | undefined {
  if (error instanceof CallFault) return error
  return error instanceof Error && error.cause !== undefined ? faultWithin(error.cause) : undefined
}

function faultOfStatus(status: number, error: APIError): CallFault {
  const retryAfterSeconds = secondsOf(error.headers?.get('retry-after') ?? null)
  if (status === 429) return outage('limited', retryAfterSeconds)
  if (status === 401 || status === 403) return outage('unauthorized')
  if (status >= 500) return outage('failed', retryAfterSeconds)
  // Not this request but every one: nothing is paid, or nobody serves the model.
  if (status === 402 || status === 404 || status === 408) return outage('failed')
  const parameter = status === 400 || status === 422 ? parameterIn(error) : undefined
  return new CallFault('refused', false, undefined, parameter)
}

/** Parameters that not every gateway knows; the longer names first. */
const OPTIONAL =
  /\b(?:max_completion_tokens|max_tokens|stream_options|response_format|temperature|encoding_format|dimensions|top_n)\b/

const parameterIn = ({ param, message }: APIError): string =>
  OPTIONAL.exec(param ?? '')?.[0] ?? OPTIONAL.exec(message)?.[0] ?? ''
