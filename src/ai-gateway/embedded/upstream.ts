// One chat completion asked of the upstream, with an end to the wait for its head and for each of its chunks.
import { z } from 'zod'
import { readCapped } from '../../net/capped.ts'
import { secondsOf } from '../../net/fetch-json.ts'
import { inCall } from '../../trace.ts'
import type { EmbeddedSettings } from '../variables.ts'
import { AiFault, unusable, withoutSecrets } from './fault.ts'

/** The caller left before the answer was complete: nginx's word for it. */
export const CLIENT_GONE = 499
export const clientGone = (): AiFault => new AiFault(CLIENT_GONE, 'client_gone', 'The caller left.')

/**
 * Sends the request on and waits for the head of the answer: a stream of events, or else one JSON value.
 * @param gone aborts when the caller has left: then nobody goes on computing
 * @throws AiFault
 */
export async function askUpstream(
  settings: EmbeddedSettings,
  body: Uint8Array<ArrayBuffer>,
  gone: AbortSignal
) {
  const { timeoutMs } = settings
  const upstreamUrl = requireUpstream(settings)
  const call = endingWith(gone)
  try {
    const response = await unlessSilent(call, timeoutMs, async () => {
      const answer = await post(upstreamUrl, settings, body, call.signal)
      if (!answer.ok) throw await refusalOf(answer, settings)
      return answer
    })
    return { isStream: isEventStream(response), chunks: chunksOf(response, call, timeoutMs) }
  } catch (error) {
    throw asFault(error, call)
  }
}

/** A function of its own: what listens is known for as long as the request is, and must not keep the body (measured). */
function endingWith(gone: AbortSignal): AbortController {
  const call = new AbortController()
  const leave = () => call.abort(clientGone())
  if (gone.aborted) leave()
  gone.addEventListener('abort', leave, { once: true })
  return call
}

/** @throws AiFault 503 `not_configured` */
export function requireUpstream({ upstreamUrl }: EmbeddedSettings): string {
  if (upstreamUrl !== undefined) return upstreamUrl
  const text = 'No AI provider is configured here. The operator must set AI_UPSTREAM_URL.'
  throw new AiFault(503, 'not_configured', text)
}

const PIECE_BYTES = 65_536

const post = (
  url: string,
  { upstreamKey }: EmbeddedSettings,
  body: Uint8Array<ArrayBuffer>,
  signal: AbortSignal
) =>
  inCall('POST', url, () =>
    fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'content-length': String(body.byteLength),
        ...(upstreamKey ? { authorization: `Bearer ${upstreamKey}` } : {})
      },
      body: ReadableStream.from(inPieces(body)),
      duplex: 'half',
      // Following one would send the key wherever the answer says.
      redirect: 'manual',
      signal
    })
  )

/** As a whole it would be copied twice before anything leaves. */
function* inPieces(body: Uint8Array<ArrayBuffer>) {
  for (let at = 0; at < body.byteLength; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}

async function unlessSilent<T>(call: AbortController, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const silent = new AiFault(504, 'upstream_timeout', 'The AI provider did not answer in time.')
  const timer = setTimeout(() => call.abort(silent), timeoutMs)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}

/** The wait for each counts while somebody waits. Leaving the loop early ends the call at the upstream too. */
async function* chunksOf(response: Response, call: AbortController, timeoutMs: number) {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await unlessSilent(call, timeoutMs, () => reader.read())
      if (done) return
      yield value
    }
  } catch (error) {
    throw asFault(error, call)
  } finally {
    call.abort()
  }
}

const isEventStream = ({ headers }: Response): boolean =>
  /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')

/** Why we gave the call up, if we did: that is all that fetch can know. */
function asFault(error: unknown, { signal }: AbortController): AiFault {
  if (error instanceof AiFault) return error
  if (signal.reason instanceof AiFault) return signal.reason
  return new AiFault(502, 'upstream_unreachable', 'The AI provider can’t be reached.', { cause: error })
}

const MAX_ANSWER_BYTES = 16 * 1_048_576

/** An answer that is no stream. @throws AiFault for what is no JSON object or larger than 16 MiB */
export async function wholeAnswer(chunks: AsyncIterable<Uint8Array>) {
  const bytes = await readCapped(chunks, { maxBytes: MAX_ANSWER_BYTES, refusal: unusable })
  const text = bytes.toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { text, value }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw unusable()
}

const MAX_ERROR_BYTES = 65_536
const LONGEST_TEXT = 2_000

const ErrorObject = z.object({
  message: z.string(),
  code: z.union([z.string(), z.number()]).nullish(),
  param: z.string().nullish()
})
const ErrorBody = z.object({
  error: z.union([ErrorObject, z.string().transform((message) => ({ message }))])
})

/** What the upstream said of its refusal, in its own words but where those would mislead. */
async function refusalOf(response: Response, settings: EmbeddedSettings): Promise<AiFault> {
  const { status } = response
  const said = await errorIn(response)
  // As they are, they would tell the agent that its own key is wrong.
  if (status === 401 || status === 403 || status === 407)
    return new AiFault(502, 'upstream_refused', 'The AI provider refused the operator’s key or access.')
  if (status < 400) return unusable()
  const retryAfterSeconds = secondsOf(response.headers.get('retry-after'))
  const { message = `The AI provider answered with status ${status}.`, code, param = null } = said ?? {}
  const saidCode = withoutSecrets(String(code ?? 'upstream_error'), settings)
  const text = withoutSecrets(message, settings).slice(0, LONGEST_TEXT)
  return new AiFault(status, saidCode, text, { param, retryAfterSeconds })
}

async function errorIn(response: Response): Promise<Partial<z.output<typeof ErrorObject>> | undefined> {
  try {
    const flood = { maxBytes: MAX_ERROR_BYTES, refusal: () => new SyntaxError('A flood') }
    const bytes = await readCapped(response.body ?? [], flood)
    return ErrorBody.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data?.error
  } catch (error) {
    // No JSON, or a flood: the status has to do. A broken connection is told as what it is.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
