// How well memories were found: the usual figures of retrieval, by category of question.

/** A question that was asked. */
export interface Asked {
  category: string
  /** The memories that hold the answer; not empty. */
  evidence: ReadonlySet<string>
  /** What was found, the best first. */
  found: readonly string[]
  tookMs: number
}

export interface Figures {
  questions: number
  /** Share of a question's evidence among the first 5, on average. */
  'recall@5': number
  'recall@10': number
  'recall@25': number
  'recall@50': number
  /** Share of the questions with all of their evidence among the first 10. */
  'all@10': number
  /** Share of the questions with any of it there. */
  'hit@10': number
  /** One by the place of the first that holds the answer, on average. */
  mrr: number
}

export interface Outcome extends Figures {
  byCategory: Record<string, Figures>
  p50Ms: number
  p95Ms: number
}

/** Adversarial questions: what they ask for was never said. They are shown, and left out of the sum. */
export const LEFT_OUT = '5'

export function figuresOf(asked: readonly Asked[]): Outcome {
  const counted = asked.filter(({ category }) => category !== LEFT_OUT)
  const categories = [...new Set(asked.map(({ category }) => category))].sort()
  const times = asked.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
  return {
    ...averages(counted),
    byCategory: Object.fromEntries(
      categories.map((name) => [name, averages(asked.filter(({ category }) => category === name))])
    ),
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95)
  }
}

/** Of sorted values. */
export const quantile = (sorted: readonly number[], share: number): number =>
  round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)

function averages(asked: readonly Asked[]): Figures {
  const average = (value: (one: Asked) => number): number =>
    asked.length === 0 ? 0 : round(asked.reduce((sum, one) => sum + value(one), 0) / asked.length)
  return {
    questions: asked.length,
    'recall@5': average((one) => recall(one, 5)),
    'recall@10': average((one) => recall(one, 10)),
    'recall@25': average((one) => recall(one, 25)),
    'recall@50': average((one) => recall(one, 50)),
    'all@10': average((one) => (recall(one, 10) === 1 ? 1 : 0)),
    'hit@10': average((one) => (recall(one, 10) > 0 ? 1 : 0)),
    mrr: average(
      ({ found, evidence }) => 1 / (found.findIndex((id) => evidence.has(id)) + 1 || Number.POSITIVE_INFINITY)
    )
  }
}

function recall({ found, evidence }: Asked, count: number): number {
  const held = new Set(found.slice(0, count).filter((id) => evidence.has(id)))
  return held.size / evidence.size
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000
