// The figures of `bench:memory -- --answers` as a table.
import type { ModelUsage } from '../src/llm/model.ts'
import type { AnswerFigures, AnswerOutcome } from './memory-answers.ts'

const SHARES = ['contained', 'whole', 'correct', 'abstained', 'degraded'] as const

/** @param model the one that answered and judged; undefined for passages, which nobody judges */
export function tableOfAnswers(outcome: AnswerOutcome, level: string, model: string | undefined): string[] {
  return [
    `Answers, ${level}, ${model ?? 'no model'}: p50 ${outcome.p50Ms.toFixed(0)} ms, p95 ${outcome.p95Ms.toFixed(0)} ms an answer`,
    ['', 'questions', ...SHARES, 'judged', 'characters'].map(cell).join(''),
    ...Object.entries(outcome.byCategory).map(([name, figures]) => rowOf(name, figures)),
    rowOf('all but 5', outcome),
    ...(model === undefined
      ? []
      : [takenBy('Answering', outcome.answering), takenBy('Judging', outcome.judging)])
  ]
}

const rowOf = (name: string, figures: AnswerFigures): string =>
  [
    name,
    String(figures.questions),
    ...SHARES.map((share) =>
      share === 'correct' && figures.judged === 0 ? '–' : (100 * figures[share]).toFixed(1)
    ),
    String(figures.judged),
    figures.length.toFixed(0)
  ]
    .map(cell)
    .join('')

const takenBy = (what: string, { calls, inputTokens, outputTokens, costMicros }: ModelUsage): string =>
  `${what} took ${calls} calls, ${inputTokens} tokens in, ${outputTokens} out, at a price of ${(costMicros / 1_000_000).toFixed(4)}.`

const cell = (text: string, index: number): string => (index === 0 ? text.padEnd(12) : text.padStart(11))
