// What calls of both providers have in common. Their fields are read leniently: one odd call must not hold up the others.
import { z } from 'zod'
import { decimalMicros } from '../../billing/price.ts'
import { DAY_MS } from '../../clock.ts'
import { UpstreamError } from '../../net/fetch-json.ts'
import type { ProviderCall } from './port.ts'

/** A field that counts as missing where it is anything else. */
export const lenient = <T>(schema: z.ZodType<T>) => schema.nullish().catch(null)

/** Tables keep no NUL, and half a character as another one: two ids would become one. */
const KEEPABLE = /^[^\p{Cc}\p{Cs}]+$/u

/** Ids of both providers are some forty characters. */
export const Id = z.string().max(100).regex(KEEPABLE)

export const Text = lenient(z.string())
export const Figure = lenient(z.number())

/** What is said to have cost more, or taken longer, is an error: it waits for a better figure. */
const HIGHEST_COST = 10_000
const LONGEST_CALL_MS = 7 * DAY_MS
const FIRST_INSTANT = Date.parse('2000-01-01')
const LAST_INSTANT = Date.parse('2100-01-01')

/** Milliseconds since 1970; what can't be one is `undefined`. */
export function instantOf(told: Instant): number | undefined {
  const ms = typeof told === 'string' ? Date.parse(told) : (told ?? Number.NaN)
  return ms >= FIRST_INSTANT && ms < LAST_INSTANT ? Math.trunc(ms) : undefined
}

/** Micro-dollars; nothing where it can't be a cost. `shift` moves the point: -2 for cents. */
export function costMicrosOf(told: number | null | undefined, shift = 0): number | null {
  if (typeof told !== 'number' || !(told >= 0 && told * 10 ** shift <= HIGHEST_COST)) return null
  return decimalMicros(told, shift)
}

type Instant = string | number | null | undefined

type Told = Pick<ProviderCall, 'callId' | 'costMicros' | 'cost'> &
  Record<'agentId' | 'outcome' | 'recordingUrl', string | null | undefined> &
  Record<'startedAt' | 'endedAt', Instant> & { durationMs?: number | null | undefined }

/** Nothing for one that hasn't ended. */
export function endedCall(told: Told): ProviderCall | undefined {
  const { callId, costMicros, recordingUrl: url } = told
  const [startedAt, endedAt] = [instantOf(told.startedAt), instantOf(told.endedAt)]
  if (endedAt === undefined) return undefined
  const tookMs = told.durationMs ?? endedAt - (startedAt ?? endedAt)
  const isPossible = tookMs >= 0 && tookMs <= LONGEST_CALL_MS
  return {
    ...{ callId, agentId: told.agentId ?? null, costMicros, cost: told.cost ?? {} },
    startedAt: isPossible && startedAt !== undefined ? new Date(startedAt).toISOString() : null,
    endedAt: new Date(endedAt).toISOString(),
    durationMs: isPossible ? Math.round(tookMs) : 0,
    outcome: (told.outcome ?? '').replaceAll(/\p{Cc}/gu, ' ').slice(0, LONGEST_REASON),
    recordingUrl: url && url.length <= LONGEST_URL && isHttps(url) ? url : null
  }
}

const LONGEST_REASON = 200
/** Signed ones are long. */
const LONGEST_URL = 2_000

const isHttps = (url: string): boolean =>
  KEEPABLE.test(url) && URL.canParse(url) && new URL(url).protocol === 'https:'

/** Asks for fewer at a time where an answer of so many is too large. @throws UpstreamError where a single one is */
export async function askForFewer<T>(limit: number, ask: (limit: number) => Promise<T>) {
  for (let fewer = limit; ; fewer = Math.ceil(fewer / 2)) {
    try {
      return { limit: fewer, answer: await ask(fewer) }
    } catch (error) {
      if (!(error instanceof UpstreamError && error.fault === 'too_large') || fewer === 1) throw error
    }
  }
}
