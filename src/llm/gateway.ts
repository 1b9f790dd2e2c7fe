// The client of one gateway, and the one way in which calls go through it.
import OpenAI from 'openai'
import { eventsOf } from '../http/events.ts'
import type { Breaker } from './breaker.ts'
import type { Deadline } from './deadline.ts'
import { CallFault, faultOf, outage } from './fault.ts'

/** Bytes of one answer after decompression; 64 vectors of 4,096 numbers take 6 MB. */
const MAX_BYTES = 16 * 1_048_576

/** A whole answer fits into one, even if each of its characters is escaped. */
const EVENTS = { maxBytes: 2 * 1_048_576, refusal: () => outage('too_large') }

/** Retries nothing and takes nothing from the environment. */
export const openGateway = ({ url, key }: { url: string; key: string | undefined }): OpenAI =>
  new OpenAI({
    baseURL: url,
    apiKey: key ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    // It would log prompts and answers.
    logLevel: 'off',
    fetch: (input, init) => fetchCapped(String(input), init ?? {}, key)
  })

async function fetchCapped(url: string, init: RequestInit, key: string | undefined): Promise<Response> {
  const response = await fetch(url, {
    method: init.method ?? 'POST',
    body: init.body ?? null,
    // Of the client's own headers none: they tell of this machine.
    headers: {
      accept: 'text/event-stream, application/json',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` })
    },
    signal: init.signal ?? null,
    // Following one would send the key wherever the answer says.
    redirect: 'manual'
  })
  const isUsable = !response.ok || /^(?:text\/event-stream|application\/json)\b/i.test(typeOf(response))
  if (!isUsable || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel()
    throw outage('failed')
  }
  const { status, headers, body } = response
  const isStream = body !== null && /^text\/event-stream\b/i.test(typeOf(response))
  // The client would look at an event from its first byte again with each piece of it.
  const whole = isStream ? ReadableStream.from(eventsOf(body, EVENTS)) : body
  return new Response(whole?.pipeThrough(capOf(MAX_BYTES)) ?? null, { status, headers })
}

const typeOf = ({ headers }: Response): string => headers.get('content-type') ?? ''

function capOf(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size > maxBytes) controller.error(outage('too_large'))
      else controller.enqueue(chunk)
    }
  })
}

/**
 * What one call comes to, through the breaker and within the deadline.
 *
 * @throws CallFault; what the deadline's outer signal aborted with, if it did
 */
export const callThrough = <T>(
  breaker: Breaker,
  deadline: Deadline,
  call: (signal: AbortSignal) => Promise<T>
): Promise<T> => breaker.run(() => heedingDeadline(deadline, call))

async function heedingDeadline<T>(
  { signal, hasPassed }: Deadline,
  call: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const refuseLate = (error?: unknown) => {
    if (hasPassed()) throw error instanceof CallFault && !error.isOutage ? error : outage('timeout')
    signal.throwIfAborted()
  }
  refuseLate()
  try {
    return await call(signal)
  } catch (error) {
    // Whatever it looks like: the client takes a stream that was given up for one that has ended.
    refuseLate(error)
    throw faultOf(error)
  }
}

/** Whether the gateway may have worked, and charges for it. */
export const mayCost = ({ fault }: CallFault): boolean =>
  fault === 'timeout' || fault === 'incomplete' || fault === 'too_large' || fault === 'malformed'
