// The models of one gateway: its client, and the breaker that leaves it alone.
import type OpenAI from 'openai'
import type { Log } from '../log.ts'
import { type Breaker, createBreaker } from '../net/breaker.ts'
import { capped } from '../net/capped.ts'
import { eventsOf } from '../net/events.ts'
import { inCall } from '../trace.ts'
import { createEmbedder } from './embedder.ts'
import { CallFault, outage } from './fault.ts'
import { createLanguageModel } from './language-model.ts'
import { createReranker } from './reranker.ts'
import type { ModelSettings } from './variables.ts'

export type Models = ReturnType<typeof openModels>

/** Opens no connection yet. Who shares what is opened learns of an outage from each other. */
export function openModels(settings: ModelSettings, log?: Log) {
  const { gateway, model, embeddingModel, embeddingDimensions, rerankModel, maxInputTokens, prices } =
    settings
  if (!gateway) return { model: undefined, embedder: undefined, reranker: undefined }
  let client: Promise<OpenAI> | undefined
  const openClient = () => {
    client ??= openGateway(gateway)
    return client
  }
  const { timeoutMs } = settings
  const named = (name: string) => ({ openClient, breaker: gatewayBreaker(log), name, timeoutMs })
  return {
    model: model ? createLanguageModel(named(model), maxInputTokens, prices) : undefined,
    embedder: embeddingModel
      ? createEmbedder(named(embeddingModel), embeddingDimensions, prices.embedding)
      : undefined,
    reranker: rerankModel ? createReranker(named(rerankModel), prices.rerank) : undefined
  }
}

const refusal = () => outage('too_large')
/** After decompression; 64 vectors of 4,096 numbers take 6 MB. */
const ANSWER = { maxBytes: 16 * 1_048_576, refusal }
/** A whole answer fits into one, even if each of its characters is escaped. */
const EVENT = { maxBytes: 2 * 1_048_576, refusal }

/** Retries nothing and takes nothing from the environment. */
async function openGateway({ url, key }: { url: string; key: string | undefined }): Promise<OpenAI> {
  const { OpenAI } = await import('openai')
  return new OpenAI({
    baseURL: url,
    apiKey: key ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    // It would log prompts and answers.
    logLevel: 'off',
    fetch: (input, init) => fetchCapped(String(input), init ?? {}, key)
  })
}

async function fetchCapped(url: string, init: RequestInit, key: string | undefined): Promise<Response> {
  const method = init.method ?? 'POST'
  const response = await inCall(method, url, () =>
    fetch(url, {
      method,
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
  )
  const { ok, status, headers, body } = response
  const type = headers.get('content-type') ?? ''
  const isUsable = !ok || /^(?:text\/event-stream|application\/json)\b/i.test(type)
  if (!isUsable || (status >= 300 && status < 400)) {
    await body?.cancel()
    throw outage('failed')
  }
  if (!body) return response
  // The client would look at an event from its first byte again with each piece of it.
  const whole = /^text\/event-stream\b/i.test(type) ? eventsOf(body, EVENT) : body
  return new Response(ReadableStream.from(capped(whole, ANSWER)), { status, headers })
}

/** For calls that throw CallFault. */
export const gatewayBreaker = (log?: Log, clock?: () => number): Breaker =>
  createBreaker({
    failuresInARow: 3,
    pause: { firstMs: 15_000, longestMs: 300_000 },
    read: (error) => (error instanceof CallFault ? error : undefined),
    refusal: (retryAfterSeconds) => outage('circuit_open', retryAfterSeconds),
    onPause: (durationMs, { fault: code }) =>
      log?.warn('The gateway of the language models is left alone for a while', { code, durationMs }),
    onReturn: () => log?.info('The gateway of the language models answers again'),
    ...(clock ? { clock } : {})
  })
