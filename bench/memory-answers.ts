// What `bench:memory -- --answers` measures: each question is asked at one level, and its answer held against the gold one.
import pLimit from 'p-limit'
import type { ReasoningLevel } from '../schemas/mind.ts'
import { type LanguageModel, ModelError, type ModelUsage } from '../src/llm/model.ts'
import { addUsage, noUsage } from '../src/llm/usage.ts'
import { fold } from '../src/memory/embedded/fold.ts'
import type { Service } from '../src/service.ts'
import { judge } from './answer-judge.ts'
import { namesTime } from './gold-dates.ts'
import { LEFT_OUT, quantile } from './memory-figures.ts'

export interface Answerable {
  mindKey: number
  question: string
  category: string
  /** Undefined where the data has none: then only that an answer was given is counted. */
  gold: string | undefined
}

interface Answered {
  category: string
  /** Share of the gold answer's words that stand in the answer. */
  contained: number | undefined
  /** Undefined without a judge, or where it failed. */
  isCorrect: boolean | undefined
  isAbstention: boolean
  isDegraded: boolean
  length: number
  tookMs: number
}

export interface AnswerFigures {
  questions: number
  /** Of those with a gold answer, on average. */
  contained: number
  /** Share of them with all of the gold answer's words. */
  whole: number
  judged: number
  /** Share of the judged ones. */
  correct: number
  /** Shares of all questions. */
  abstained: number
  degraded: number
  /** Characters of an answer, on average: the longer, the more of anything it contains. */
  length: number
}

export interface AnswerOutcome extends AnswerFigures {
  byCategory: Record<string, AnswerFigures>
  p50Ms: number
  p95Ms: number
  /** What answering took, without the judge. */
  answering: ModelUsage
  judging: ModelUsage
}

const AT_ONCE = 4

/** @param judgeModel none for containment only */
export async function measureAnswers(
  service: Service,
  questions: readonly Answerable[],
  { level, judgeModel }: { level: ReasoningLevel; judgeModel: LanguageModel | undefined }
): Promise<AnswerOutcome> {
  const usage = { answering: noUsage('ask'), judging: noUsage('ask') }
  const limit = pLimit(AT_ONCE)
  const answered = await Promise.all(
    questions.map((one) =>
      limit(async () => {
        const startedAt = performance.now()
        const found = await service.memoryEngine.ask(
          service.database.read,
          { key: one.mindKey, partnerId: '', customerId: `${one.mindKey}` },
          { text: one.question, level },
          AbortSignal.timeout(service.config.memoryDeadlineMs)
        )
        const tookMs = performance.now() - startedAt
        for (const taken of found.usage) usage.answering = addUsage(usage.answering, taken)
        const verdict = judgeModel && (await verdictOn(judgeModel, one, found.answer))
        if (verdict) usage.judging = addUsage(usage.judging, verdict.usage)
        return {
          category: one.category,
          contained: one.gold === undefined ? undefined : containment(one.gold, found.answer),
          isCorrect: verdict?.isCorrect,
          isAbstention: !found.found,
          isDegraded: found.degraded,
          length: found.answer.length,
          tookMs
        }
      })
    )
  )
  return { ...outcomeOf(answered), ...usage }
}

async function verdictOn(model: LanguageModel, { question, gold }: Answerable, answer: string) {
  if (gold === undefined) return undefined
  try {
    return await judge(model, { question, gold, answer })
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { isCorrect: undefined, usage: error.usage }
  }
}

const ARTICLES = new Set(['a', 'an', 'the'])
const wordsOf = (text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !ARTICLES.has(word))

/** Words as they are, without stems or synonyms, and days however they are spelled: a floor, and the same for every engine. */
function containment(gold: string, answer: string): number {
  if (namesTime(gold, answer)) return 1
  const wanted = new Set(wordsOf(gold))
  const given = new Set(wordsOf(answer))
  if (wanted.size === 0) return 0
  return [...wanted].filter((word) => given.has(word)).length / wanted.size
}

function outcomeOf(answered: readonly Answered[]) {
  const categories = [...new Set(answered.map(({ category }) => category))].sort()
  const times = answered.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
  return {
    ...figuresOf(answered.filter(({ category }) => category !== LEFT_OUT)),
    byCategory: Object.fromEntries(
      categories.map((name) => [name, figuresOf(answered.filter(({ category }) => category === name))])
    ),
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95)
  }
}

function figuresOf(answered: readonly Answered[]): AnswerFigures {
  const contained = answered.flatMap((one) => one.contained ?? [])
  const judged = answered.flatMap(({ isCorrect }) => isCorrect ?? [])
  return {
    questions: answered.length,
    contained: averageOf(contained),
    whole: averageOf(contained.map((share) => (share === 1 ? 1 : 0))),
    judged: judged.length,
    correct: averageOf(judged.map(Number)),
    abstained: averageOf(answered.map(({ isAbstention }) => Number(isAbstention))),
    degraded: averageOf(answered.map(({ isDegraded }) => Number(isDegraded))),
    length: averageOf(answered.map(({ length }) => length))
  }
}

const averageOf = (values: readonly number[]): number =>
  values.length === 0
    ? 0
    : Math.round((10_000 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 10_000
