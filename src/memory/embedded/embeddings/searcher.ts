// Searches for one answer: by words, and by meaning as far as there are vectors.
import type { ReadHandle } from '../../../database/database.ts'
import type { ModelUsage } from '../../../llm/model.ts'
import { addUsage, noUsage } from '../../../llm/usage.ts'
import { type SearchResult, searchMind } from '../search.ts'
import type { Share } from '../search-queue.ts'
import { openQuestionReader } from './meaning.ts'
import type { VectorModel } from './model.ts'
import { type Similarities, similaritiesTo } from './similarities.ts'
import { hasVectors } from './store.ts'

export interface Searcher {
  /**
   * The memories that most likely hold the answer. A model that can't be used is not asked again for the same answer.
   *
   * @throws what the signal aborted with, if it did
   */
  search(question: string, limit: number): Promise<SearchResult>
  /** For whatever else is to be worked out for the answer, and waits for no model. */
  share: Share
  /** Whether a question was looked for by its words alone although the Mind has vectors. */
  isDegraded(): boolean
  /** What the questions' vectors took. */
  usage(): readonly ModelUsage[]
}

/** One searcher for all the questions that lead to one answer. */
export type OpenSearcher = (db: ReadHandle, mindKey: number, signal?: AbortSignal, share?: Share) => Searcher

/** @param model without one everything is found by its words alone, and nothing is degraded */
export function openSearch(model?: VectorModel): OpenSearcher {
  const reader = model && openQuestionReader(model.embedder)
  return (db, mindKey, signal, share = (work) => work()) => {
    let usage = noUsage('ask')
    let isDown = false
    const known = new Map<string, Promise<Similarities | undefined>>()
    const compare = async (question: string): Promise<Similarities | undefined> => {
      if (!model || !reader || isDown) return undefined
      const { madeWith } = model
      const [some] = await hasVectors(db, mindKey, madeWith)
      if (!some) return undefined
      const { meaning, usage: taken } = await reader.read(question, signal)
      usage = addUsage(usage, taken)
      if (!meaning) isDown = true
      return meaning && share(() => similaritiesTo(db, mindKey, meaning, { madeWith, signal }))
    }
    return {
      async search(question, limit) {
        const comparison = known.get(question) ?? compare(question)
        known.set(question, comparison)
        const similarities = await comparison
        return share(() => searchMind(db, mindKey, question, { limit, signal, similarities }))
      },
      share,
      isDegraded: () => isDown,
      usage: () => (usage.calls === 0 ? [] : [usage])
    }
  }
}
