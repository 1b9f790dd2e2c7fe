// How well what was found fits what was asked, over all candidates together: a question that nothing answers finds
// something all the same.
import { type Feature, WEIGHTS } from './weights.ts'

/** A candidate with its features and their sum. */
export interface Judged {
  features: Readonly<Record<Feature, number>>
  score: number
}

export interface Evidence {
  /** The one author of the Mind whom the question names, folded. */
  named: string | null
  /**
   * How much more speaks for that author's memories than for everybody else's, apart from who says them; in the
   * ranking's own unit, 0 where the question names nobody.
   */
  speakerMargin: number
  /** The share of the question that stands in the best memories, with the turns before. */
  coverage: number
  /** Of the best memories to the question, in what they mean; 0 without a model. */
  similarity: number
}

export const NO_EVIDENCE: Evidence = { named: null, speakerMargin: 0, coverage: 0, similarity: 0 }

/** The memories among which the answer would be. */
const BEST = 10

/** `judged` has the best first. */
export function evidenceOf(named: string | null, judged: readonly Judged[]): Evidence {
  const best = judged.slice(0, BEST)
  const coverage = Math.max(0, ...best.map(({ features }) => features.coveredBefore))
  const similarity = Math.max(0, ...best.map(({ features }) => features.similar))
  if (named === null) return { named, speakerMargin: 0, coverage, similarity }
  const isTheirs = ({ features }: Judged): boolean => features.author > 0
  const theirs = strength(judged.filter(isTheirs))
  const others = strength(judged.filter((one) => !isTheirs(one)))
  return { named, speakerMargin: Math.log(theirs / others), coverage, similarity }
}

/** What several memories weigh together: many weak ones less than one strong one. */
function strength(judged: readonly Judged[]): number {
  let sum = Number.MIN_VALUE
  for (const { features, score } of judged) sum += Math.exp(score - WEIGHTS.author * features.author)
  return sum
}
