// The figures of `bench:memory` as tables for people, or as one line of JSON.
import { cpus } from 'node:os'
import type { AnswerOutcome } from './memory-answers.ts'
import type { Figures, Outcome } from './memory-figures.ts'

/** What the data set's numbers stand for. */
const CATEGORIES: Readonly<Record<string, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial'
}

const COLUMNS = ['recall@5', 'recall@10', 'recall@25', 'recall@50', 'all@10', 'hit@10', 'mrr'] as const

export function reportFigures(
  { engine, baseline, answers }: { engine: Outcome; baseline: Outcome; answers?: AnswerOutcome | undefined },
  { skipped, isJson }: { skipped: number; isJson: boolean }
): void {
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ engine, baseline, answers })}\n`)
    return
  }
  const lines = [
    `Node ${process.version}, ${cpus()[0]?.model ?? 'unknown'}. Questions without evidence, not counted: ${skipped}.`,
    '',
    ...tableOf('Engine', engine),
    '',
    ...tableOf('FTS5, porter, stop words out', baseline),
    ''
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function tableOf(title: string, outcome: Outcome): string[] {
  const categories = Object.entries(outcome.byCategory)
  return [
    `${title}: p50 ${outcome.p50Ms.toFixed(2)} ms, p95 ${outcome.p95Ms.toFixed(2)} ms a search`,
    ['', 'questions', ...COLUMNS].map(cell).join(''),
    ...categories.map(([name, figures]) =>
      rowOf(CATEGORIES[name] ? `${name} ${CATEGORIES[name]}` : name, figures)
    ),
    rowOf('all but 5', outcome)
  ]
}

const rowOf = (name: string, figures: Figures): string =>
  [name, String(figures.questions), ...COLUMNS.map((column) => (100 * figures[column]).toFixed(1))]
    .map(cell)
    .join('')

const cell = (text: string, index: number): string => (index === 0 ? text.padEnd(16) : text.padStart(11))
