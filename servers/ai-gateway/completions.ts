// POST /chat/completions: in with the agent's key, out with the operator's, and a row of what was used.
import type { Context } from 'hono'
import { type Completion, completionFor } from '../../src/ai-gateway/embedded/completion.ts'
import { EVENTS, usageEvent } from '../../src/ai-gateway/embedded/events.ts'
import { AiFault, faultBody } from '../../src/ai-gateway/embedded/fault.ts'
import { withoutKey } from '../../src/ai-gateway/embedded/redact.ts'
import { insertUsage, type Usage } from '../../src/ai-gateway/embedded/store.ts'
import { NO_TOKENS, type Tokens, tokensOf } from '../../src/ai-gateway/embedded/tokens.ts'
import {
  askUpstream,
  CLIENT_GONE,
  requireUpstream,
  wholeAnswer
} from '../../src/ai-gateway/embedded/upstream.ts'
import type { EmbeddedSettings } from '../../src/ai-gateway/variables.ts'
import { eventsOf } from '../../src/http/events.ts'
import type { Service } from '../../src/service.ts'
import { readBody } from '../middleware/body-limit.ts'
import type { DoorEnv } from '../middleware/door-env.ts'
import { parseJson } from '../middleware/json-body.ts'
import { authenticateAgent } from './key.ts'

/** A long conversation with pictures in it; the largest context windows hold less. */
const MAX_BODY_BYTES = 16 * 1_048_576
/** Tools bring JSON Schemas, and a conversation a few values for each turn. */
const JSON_LIMITS = { depth: 64, values: 200_000 }

export async function answerCompletion(
  service: Service,
  settings: EmbeddedSettings,
  c: Context<DoorEnv>
): Promise<Response> {
  const key = await authenticateAgent(service, c)
  const asked = parseJson(await readBody(c.req.raw, MAX_BODY_BYTES), JSON_LIMITS)
  const completion = completionFor(asked, key.models)
  // Before anything is noted: what goes nowhere uses nothing.
  requireUpstream(settings)
  const startedAt = performance.now()
  let isRecorded = false
  const record: Recorder = (status, tokens = NO_TOKENS) => {
    if (isRecorded) return
    isRecorded = true
    const durationMs = Math.round(performance.now() - startedAt)
    const usage: Usage = { model: completion.model, ...tokens, durationMs, status }
    service.inBackground(service.database.transaction((tx) => insertUsage(tx, key, usage)))
  }
  try {
    const { isStream, chunks } = await askUpstream(settings, completion.body, c.req.raw.signal)
    if (isStream) return streamed(chunks, { settings, completion, record })
    const { text, value } = await wholeAnswer(chunks)
    record(200, tokensOf(value))
    return c.body(withoutKey(text, settings), 200, { 'Content-Type': 'application/json' })
  } catch (error) {
    if (error instanceof AiFault) record(error.status)
    throw error
  }
}

type Recorder = (status: number, tokens?: Tokens) => void

interface Passing {
  settings: EmbeddedSettings
  completion: Completion
  record: Recorder
}

/** The events as they come; `X-Accel-Buffering` keeps a reverse proxy from holding them back. */
function streamed(chunks: AsyncGenerator<Uint8Array, void>, passing: Passing): Response {
  const { record } = passing
  const events = passOn(chunks, passing)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // The agent left. What waits for the upstream has heard it by the request's signal.
    async cancel() {
      await events.return()
      record(CLIENT_GONE)
    }
  })
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' }
  })
}

async function* passOn(
  chunks: AsyncGenerator<Uint8Array, void>,
  { settings, completion, record }: Passing
): AsyncGenerator<Uint8Array, void> {
  let tokens = NO_TOKENS
  // Where the agent leaves, this generator is left in the middle.
  let status = CLIENT_GONE
  try {
    for await (const event of eventsOf(chunks, EVENTS)) {
      const told = usageEvent(event)
      if (told) tokens = tokensOf(told)
      const isForUs = told?.choices?.length === 0 && !completion.wantsUsage
      if (!isForUs) yield clean(settings, event)
    }
    status = 200
  } catch (error) {
    if (!(error instanceof AiFault)) throw error
    status = error.status
    // The status line is long gone; an OpenAI client takes this event for the failure that it is.
    if (status !== CLIENT_GONE) yield Buffer.from(`data: ${JSON.stringify(faultBody(error))}\n\n`)
  } finally {
    record(status, tokens)
  }
}

/** As it came, unless the upstream shows its key. */
function clean(settings: EmbeddedSettings, event: Buffer): Uint8Array {
  const { upstreamKey } = settings
  return upstreamKey && event.includes(upstreamKey)
    ? Buffer.from(withoutKey(event.toString(), settings))
    : event
}
