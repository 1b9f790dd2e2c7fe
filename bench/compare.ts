// Ours against the baseline in the same minutes: A B A B …, and the median of each.
import { isDeepStrictEqual } from 'node:util'
import { fire, type Load, load, type Reading, type Shot } from './load.ts'
import type { ServerProcess } from './processes.ts'

const WARM_UP_REQUESTS = 20_000
const WARM_UP_WITHIN_MS = 60_000

export interface Side {
  server: ServerProcess
  shot: Shot
  /** What an answer must hold for the figure to mean anything. */
  proof: string
}

export interface Comparison {
  name: string
  /** What the baseline is. */
  against: string
  /** The least ratio that we promise ourselves, if there is one. */
  goal?: number
  ours: Side
  baseline: Side
  /** What of an answer has to be the same on both sides, if anything has. */
  same?: (answer: string) => unknown
}

export interface Outcome {
  name: string
  against: string
  goal: number | undefined
  ours: Reading
  baseline: Reading
  /** Medians of the rounds' own ratios; 1 is as fast as the baseline. */
  ratio: { byCpu: number | undefined; byRate: number }
}

/**
 * Measures both sides in turn and takes the medians.
 *
 * @throws Error when a side's answer isn't the one that is meant to be measured
 */
export async function compare(comparison: Comparison, rounds: number, strain: Load): Promise<Outcome> {
  const { name, against, goal, ours, baseline, same } = comparison
  const answers = [await prove(name, ours), await prove(name, baseline)]
  const [one, other] = answers.map((answer) => same?.(answer))
  if (!isDeepStrictEqual(one, other)) throw new Error(`${name}: the answers differ: ${answers.join('\n')}`)
  for (const side of [ours, baseline]) await warmUp(side, strain)
  const pairs: { ours: Reading; baseline: Reading }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const oursReading = await load(ours.server, ours.shot, strain)
    const baselineReading = await load(baseline.server, baseline.shot, strain)
    for (const [side, { requests }] of Object.entries({ ours: oursReading, baseline: baselineReading })) {
      if (requests === 0) throw new Error(`${name}: ${side} answered nothing in ${strain.seconds} s`)
    }
    pairs.push({ ours: oursReading, baseline: baselineReading })
  }
  await prove(name, ours)
  return {
    name,
    against,
    goal,
    ours: medianReading(pairs.map((pair) => pair.ours)),
    baseline: medianReading(pairs.map((pair) => pair.baseline)),
    ratio: {
      byCpu: median(pairs.map((pair) => quotient(pair.baseline.cpuMicros, pair.ours.cpuMicros))),
      byRate: median(pairs.map((pair) => pair.ours.requestsPerSecond / pair.baseline.requestsPerSecond)) ?? 0
    }
  }
}

/** Until the compiler has seen enough: it counts calls, so a slow machine needs longer and not less. */
async function warmUp({ server, shot }: Side, strain: Load): Promise<void> {
  const deadline = performance.now() + WARM_UP_WITHIN_MS
  for (let requests = 0; requests < WARM_UP_REQUESTS && performance.now() < deadline; ) {
    requests += (await load(server, shot, strain)).requests
  }
}

async function prove(name: string, { server, shot, proof }: Side): Promise<string> {
  const answer = await fire(server, shot)
  if (!answer.includes(proof)) throw new Error(`${name}: the answer lacks ${proof}: ${answer.slice(0, 500)}`)
  return answer
}

const medianReading = (readings: readonly Reading[]): Reading => ({
  requests: readings.reduce((sum, { requests }) => sum + requests, 0),
  requestsPerSecond: median(readings.map((reading) => reading.requestsPerSecond)) ?? 0,
  cpuMicros: median(readings.map((reading) => reading.cpuMicros)),
  busy: median(readings.map((reading) => reading.busy)),
  latencyP99: median(readings.map((reading) => reading.latencyP99)) ?? 0
})

const quotient = (dividend: number | undefined, divisor: number | undefined): number | undefined =>
  dividend === undefined || divisor === undefined ? undefined : dividend / divisor

/** The middle value; `undefined` when one is missing. */
function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b)
  if (known.length < values.length) return undefined
  const middle = known.length / 2
  const [low, high] = [known[Math.ceil(middle) - 1], known[Math.floor(middle)]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}
