// How much is fuzzed, and from which seed.
//
//   FUZZ_REQUESTS=50000 npm test -- tests/fuzz    more than the usual 5,000 requests
//   FUZZ_SEED=17 npm test -- tests/fuzz           another course; a failure prints the seed that it came from
//
// The seed is fixed unless told otherwise: a gate that throws new dice at each run fails for what nobody changed.
import type fc from 'fast-check'
import { databases } from '../support/databases.ts'

const wholeNumber = (text: string | undefined, fallback: number): number => {
  const number = text ? Number(text) : fallback
  if (!Number.isSafeInteger(number)) throw new Error(`Not a whole number: ${text}`)
  return number
}

/** Requests of all databases together. */
export const TOTAL_REQUESTS = wholeNumber(process.env.FUZZ_REQUESTS, 5_000)
const SEED = wholeNumber(process.env.FUZZ_SEED, 20_260_728)

const perDatabase = Math.ceil(TOTAL_REQUESTS / databases.length)
const share = (part: number) => Math.ceil(perDatabase * part)

/** Requests of each kind on each database. */
export const SHARES = {
  rest: share(0.45),
  rawHttp: share(0.12),
  toolCalls: share(0.28),
  envelopes: share(0.15)
}

/** Long enough to shrink a failure; a run that is merely slow fails by it as well. */
const TIME_LIMIT_MS = 100_000
export const TEST_TIMEOUT_MS = TIME_LIMIT_MS + 20_000

/** What fast-check is told for so many runs. */
export const runs = (numRuns: number): fc.Parameters<unknown> => ({
  numRuns,
  seed: SEED,
  interruptAfterTimeLimit: TIME_LIMIT_MS,
  markInterruptAsFailure: true
})
