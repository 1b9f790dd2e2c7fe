// POST /chat/completions: in with the agent's key, out with the operator's, and a row of what was used.
import { once } from 'node:events'
import type { Context } from 'hono'
import { readCompletion } from '../../src/ai-gateway/embedded/completion.ts'
import {
  EVENTS,
  isLast,
  NO_TOKENS,
  type Tokens,
  tokensOf,
  totalOf,
  usageEvent
} from '../../src/ai-gateway/embedded/events.ts'
import { AiFault, faultBody, withoutKey } from '../../src/ai-gateway/embedded/fault.ts'
import type { VerifiedAiKey } from '../../src/ai-gateway/embedded/keys.ts'
import { reserveTokens, settleTokens } from '../../src/ai-gateway/embedded/spending.ts'
import { insertUsage } from '../../src/ai-gateway/embedded/store.ts'
import {
  askUpstream,
  CLIENT_GONE,
  clientGone,
  requireUpstream,
  wholeAnswer
} from '../../src/ai-gateway/embedded/upstream.ts'
import type { EmbeddedSettings } from '../../src/ai-gateway/variables.ts'
import type { WriteHandle } from '../../src/database/database.ts'
import { createFairQueue } from '../../src/fair-queue.ts'
import { eventsOf } from '../../src/net/events.ts'
import type { Service } from '../../src/service.ts'
import { ThreadsUnavailable } from '../../src/threads/pool.ts'
import { readBody } from '../middleware/body-limit.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { authenticateAgent } from './key.ts'

/** A long conversation with a few pictures in it; of text alone the largest context windows hold no more. */
const MAX_BODY_BYTES = 4 * 1_048_576
/** To read a longer body takes more than ten milliseconds at worst: a thread does it. */
const LONG_BODY_BYTES = 131_072
const READ_COMPLETION = new URL('../../src/ai-gateway/embedded/completion.js', import.meta.url)

const places = createFairQueue({
  atOncePerTenant: 4,
  waitingPerTenant: 8,
  refusal: () =>
    new AiFault(429, 'rate_limit_exceeded', 'Too many calls of this key at once. Try again in 1 second.', {
      retryAfterSeconds: 1
    })
})

export async function answerCompletion(
  service: Service,
  settings: EmbeddedSettings,
  c: Context<RequestEnv>
): Promise<Response> {
  const key = await authenticateAgent(service, c)
  await takePlace(c, key.keyId)
  const { model, body, wantsUsage, mostTokens } = await readAsked(service, settings, c, key)
  // Before anything is noted: what goes nowhere uses nothing.
  requireUpstream(settings)
  const { transaction } = service.database
  const budgets = { ...settings.budgets, ...key.ownBudgets }
  const reserve = (tx: WriteHandle) => reserveTokens(tx, key, budgets, mostTokens)
  const counters = await transaction(reserve, key.partnerId)
  const startedAt = performance.now()
  let isRecorded = false
  let hasBegun = false
  const record: Recorder = (status, tokens = NO_TOKENS) => {
    if (isRecorded) return
    isRecorded = true
    const durationMs = Math.round(performance.now() - startedAt)
    const usage = { model, ...tokens, durationMs, status }
    // Of a call that was broken off nobody knows how far it got.
    const mayHaveCost = hasBegun || status === CLIENT_GONE || status === 504
    const used = status === 200 ? totalOf(tokens) : mayHaveCost ? undefined : 0
    const note = async (tx: WriteHandle) => {
      await insertUsage(tx, key, usage)
      if (used !== undefined) await settleTokens(tx, counters, used - mostTokens)
    }
    service.inBackground(transaction(note, key.partnerId))
  }
  try {
    const { isStream, chunks } = await askUpstream(settings, body, c.req.raw.signal)
    hasBegun = true
    if (isStream) return streamed(chunks, { settings, wantsUsage, record })
    const { text, value } = await wholeAnswer(chunks)
    record(200, tokensOf(value))
    return c.body(withoutKey(text, settings), 200, { 'Content-Type': 'application/json' })
  } catch (error) {
    if (error instanceof AiFault) record(error.status)
    throw error
  }
}

/** Waits for one of the key's places, which it has until the answer has left. */
function takePlace(c: Context<RequestEnv>, keyId: string): Promise<void> {
  const { outgoing } = c.env
  return new Promise((resolve, reject) => {
    const hold = async () => {
      resolve()
      if (outgoing && !outgoing.destroyed) await once(outgoing, 'close')
    }
    const refuse = (error: unknown) => reject(error instanceof AiFault ? error : clientGone())
    places.run(keyId, hold, c.req.raw.signal).catch(refuse)
  })
}

async function readAsked(
  { threads }: Service,
  { answerLimit: limit }: EmbeddedSettings,
  c: Context<RequestEnv>,
  { partnerId, models }: VerifiedAiKey
) {
  const bytes = await readBody(c, MAX_BODY_BYTES)
  const asked = { bytes, models, limit }
  const inThread = {
    name: 'readCompletion',
    file: READ_COMPLETION,
    moved: bytes.buffer
  }
  const read =
    bytes.byteLength > LONG_BODY_BYTES
      ? await threads.run<typeof readCompletion>(partnerId, inThread, asked).catch(refuseBusy)
      : readCompletion(asked)
  if (!('fault' in read)) return read
  const { status, code, text, param } = read.fault
  throw new AiFault(status, code, text, { param })
}

function refuseBusy(cause: unknown): never {
  if (!(cause instanceof ThreadsUnavailable)) throw cause
  const text = 'The gateway has too much to do. Try again in 5 seconds.'
  throw new AiFault(503, 'overloaded', text, { retryAfterSeconds: 5, cause })
}

type Recorder = (status: number, tokens?: Tokens) => void

type Passing = { settings: EmbeddedSettings; wantsUsage: boolean; record: Recorder }

/** The events as they come; `X-Accel-Buffering` keeps a reverse proxy from holding them back. */
function streamed(chunks: AsyncIterable<Uint8Array>, passing: Passing): Response {
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
      passing.record(CLIENT_GONE)
    }
  })
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' }
  })
}

async function* passOn(chunks: AsyncIterable<Uint8Array>, { settings, wantsUsage, record }: Passing) {
  let tokens = NO_TOKENS
  // Where the agent leaves, this generator is left in the middle.
  let status = CLIENT_GONE
  try {
    for await (const event of eventsOf(chunks, EVENTS)) {
      const told = usageEvent(event)
      if (told) tokens = tokensOf(told)
      if (isLast(event)) status = 200
      const isForUs = told?.choices?.length === 0 && !wantsUsage
      if (!isForUs) yield clean(settings, event)
    }
    status = 200
  } catch (error) {
    if (!(error instanceof AiFault)) throw error
    // What breaks off behind the last event is nothing to the agent, and some leave when they read it.
    if (status === 200) return
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
