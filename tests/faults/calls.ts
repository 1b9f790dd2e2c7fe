// What is asked of the service all the time, and what each asking came to.
import { setTimeout as sleep } from 'node:timers/promises'
import { at, unique, uniqueEmail } from '../support/fixture.ts'

/** A write has an Idempotency-Key, the same one in all of its attempts. */
export interface Call {
  kind: Kind
  path: string
  body: Record<string, unknown>
  key: string
  idempotencyKey: string | undefined
}

export type Kind = 'onboard' | 'remember' | 'recall' | 'ask'

export interface Acknowledged {
  call: Call
  output: unknown
}

export interface Attempt {
  kind: Kind
  /** `200`, `503 database_unavailable`, `ECONNRESET`. */
  said: string
  /** Why it is none that callers may get. */
  complaint: string | undefined
  beganAt: number
  endedAt: number
}

/** Who refuses says so in one of these ways, and when to come again; 502 and 504 come of Caddy alone. */
const REFUSALS = new Set([409, 429, 502, 503, 504])
const NO_ANSWER_MS = 90_000

export async function attempt(url: string, call: Call): Promise<{ attempt: Attempt; output: unknown }> {
  const beganAt = performance.now()
  const ended = (said: string, complaint?: string, output?: unknown) => ({
    attempt: { kind: call.kind, said, complaint, beganAt, endedAt: performance.now() },
    output
  })
  try {
    const answer = await fetch(url + call.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${call.key}`,
        'content-type': 'application/json',
        ...(call.idempotencyKey ? { 'idempotency-key': call.idempotencyKey } : {})
      },
      body: JSON.stringify(call.body),
      signal: AbortSignal.timeout(NO_ANSWER_MS)
    })
    const text = await answer.text()
    const body: unknown = JSON.parse(text)
    if (answer.status === 200) return ended('200', undefined, body)
    const said = `${answer.status} ${at(body, 'code')}`
    const isFair = REFUSALS.has(answer.status) && Number(answer.headers.get('retry-after')) > 0
    return ended(said, isFair ? undefined : `${call.path}: ${said} ${text.slice(0, 300)}`)
  } catch (error) {
    const cause = at(error, 'cause') ?? error
    const said = String(at(cause, 'code') ?? cause)
    const isBroken = /^(?:ECONN\w+|EPIPE|UND_ERR_SOCKET)$/.test(said)
    return ended(said, isBroken ? undefined : `${call.path}: ${said} ${error}`)
  }
}

export interface Callers {
  /** A partner that onboards, and nothing else. */
  writer: { key: string }
  /** A partner whose customers have memory, with enough credits. */
  partner: { key: string }
  customerIds: readonly string[]
}

/** The next call of that kind; what it writes nobody wrote before. */
export function nextCall(kind: Kind, { writer, partner, customerIds }: Callers): Call {
  const customerId = customerIds[Math.floor(Math.random() * customerIds.length)]
  const tool = (name: string, input: Record<string, unknown>, idempotencyKey?: string): Call => ({
    ...{ kind, path: `/api/partner-mcp/tools/${name}`, key: partner.key, idempotencyKey },
    body: { customerId, ...input }
  })
  switch (kind) {
    case 'onboard':
      return {
        ...{ kind, path: '/api/v1/mcp/customers/onboard', key: writer.key, idempotencyKey: unique('key') },
        body: { basic: { email: uniqueEmail(), firstName: 'Ada' }, allowPortalAccess: true }
      }
    case 'remember':
      return tool('memory_remember', { content: `Imogen met ${unique('guest ')}.` }, unique('key'))
    case 'ask':
      return tool('memory_ask', { question: 'Whom did Imogen meet?' }, unique('key'))
    case 'recall':
      return tool('memory_recall', {})
  }
}

/** One who is always there: two write, two remember, two recall and one asks, each with a pause in between. */
const CALLERS: readonly Kind[] = ['onboard', 'onboard', 'remember', 'remember', 'recall', 'recall', 'ask']
const PAUSE_MS = 40
/** Sooner than `Retry-After` says, so that the first moment at which all is well is seen. */
const AGAIN_MS = 250

/** Calls until it is told to finish; then whatever was begun is sent again until it is acknowledged. */
export function startLoad(url: string, callers: Callers) {
  const attempts: Attempt[] = []
  const acknowledged: Acknowledged[] = []
  const finishing = new AbortController()
  const call = async (kind: Kind): Promise<void> => {
    while (!finishing.signal.aborted) {
      const next = nextCall(kind, callers)
      for (;;) {
        const made = await attempt(url, next)
        attempts.push(made.attempt)
        if (made.attempt.said === '200') {
          acknowledged.push({ call: next, output: made.output })
          break
        }
        if (made.attempt.complaint) return
        await sleep(AGAIN_MS)
      }
      await sleep(PAUSE_MS)
    }
  }
  const ended = Promise.all(CALLERS.map(call))
  return {
    attempts,
    acknowledged,
    /** Ends a hang by itself: who isn't acknowledged within the test's own limit fails it. */
    async finish(): Promise<void> {
      finishing.abort()
      await ended
    }
  }
}
