// How many requests and tool calls this process had, how long they took, and with which errors.
import { tally } from '../src/tally.ts'

const BOUNDS = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60, Number.POSITIVE_INFINITY]

/** Of each operation and channel: how many took up to which of the bounds, and all of them together. */
const taken = new Map<string, { counts: number[]; seconds: number }>()

/** @param fields those of its log line; `operation` is missing for pages and files */
export function countRequest(fields: {
  channel?: string | undefined
  operation?: string | undefined
  status: number
  code?: string | undefined
  durationMs: number
}): void {
  const { channel = 'other', operation = '', status, durationMs } = fields
  const code = fields.code ?? (status >= 400 ? String(status) : undefined)
  if (code !== undefined) tally('mindgate_request_errors_total', [channel, operation, code])
  const seconds = durationMs / 1_000
  const key = `channel="${channel}",operation="${operation}"`
  const before = taken.get(key) ?? { counts: BOUNDS.map(() => 0), seconds: 0 }
  const counts = before.counts.map((count, at) => (seconds <= (BOUNDS[at] ?? 0) ? count + 1 : count))
  taken.set(key, { counts, seconds: before.seconds + seconds })
}

/** As Prometheus reads it. prom-client's histogram only observes, and isn't loaded before somebody asks for metrics. */
export function requestSeconds(): string {
  const name = 'mindgate_request_seconds'
  const lines = [...taken].flatMap(([labels, { counts, seconds }]) => [
    ...counts.map((count, at) => `${name}_bucket{${labels},le="${boundText(BOUNDS[at])}"} ${count}`),
    `${name}_sum{${labels}} ${seconds}`,
    `${name}_count{${labels}} ${counts.at(-1)}`
  ])
  const head = [`# HELP ${name} How long requests and tool calls took.`, `# TYPE ${name} histogram`]
  return [...head, ...lines, ''].join('\n')
}

const boundText = (bound = 0): string => (Number.isFinite(bound) ? String(bound) : '+Inf')
