// How much is fuzzed, and from which seed.
//
//   FUZZ_REQUESTS=50000 npm run test:long -- tests/fuzz    more than the usual 5,000 requests on each database
//   FUZZ_SEED=17 npm test -- tests/fuzz                    another course; a failure prints the seed that it came from
//
// The seed is fixed unless told otherwise: a gate that throws new dice at each run fails for what nobody changed.
import type fc from 'fast-check'

const wholeNumber = (text: string | undefined, fallback: number): number => {
  const number = text ? Number(text) : fallback
  if (!Number.isSafeInteger(number)) throw new Error(`Not a whole number: ${text}`)
  return number
}

const SEED = wholeNumber(process.env.FUZZ_SEED, 20_260_728)

export interface Plan {
  /** So many that every operation must have worked and been refused. */
  isThorough: boolean
  customersPerChannel: number
  rest: number
  rawHttp: number
  toolCalls: number
  envelopes: number
}

/** So many requests on one database, of each kind its share. */
function planFor(requests: number, rest: Pick<Plan, 'isThorough' | 'customersPerChannel'>): Plan {
  const share = (part: number) => Math.ceil(requests * part)
  return { ...rest, rest: share(0.45), rawHttp: share(0.12), toolCalls: share(0.28), envelopes: share(0.15) }
}

export const SHORT = planFor(600, { isThorough: false, customersPerChannel: 2 })
export const LONG = planFor(wholeNumber(process.env.FUZZ_REQUESTS, 5_000), {
  isThorough: true,
  customersPerChannel: 10
})

/** Long enough to shrink a failure; a run that is merely slow fails by it as well. */
const timeLimitMs = (numRuns: number) => Math.max(100_000, 200 * numRuns)
export const timeoutMs = (numRuns: number) => timeLimitMs(numRuns) + 20_000

/** What fast-check is told for so many runs. */
export const runs = (numRuns: number): fc.Parameters<unknown> => ({
  numRuns,
  seed: SEED,
  interruptAfterTimeLimit: timeLimitMs(numRuns),
  markInterruptAsFailure: true
})
