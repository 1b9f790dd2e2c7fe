// Searches for one answer: by words, by meaning as far as there are vectors, and by what a reranker says of the best.
import type { Embedder, ModelUsage, ReadHandle, Reranker } from '../port.ts'
import { addUsage, fitTexts, ModelError, noUsage } from '../port.ts'
import { type SearchResult, searchMind } from '../search.ts'
import { type Meaning, type Similarities, similaritiesTo } from './similarities.ts'
import { hasVectors } from './store.ts'
import { cosine, packVector } from './vector.ts'

export interface Searcher {
  /** A model that can't be used is not asked again for the same answer. @throws what the signal aborted with */
  search(question: string, limit: number, options?: Searching): Promise<SearchResult>
  share: Share
  /** Whether a question was looked for without a model that would have said something of it. */
  isDegraded(): boolean
  usage(): readonly ModelUsage[]
}

interface Searching {
  /** Memories that are judged beside the likeliest. */
  also?: readonly number[]
  /** Whether an answer pays for what a reranker does. */
  isPaid?: boolean
}

/** Does local work on a question when it is its turn; never what waits for a model. */
type Share = <T>(work: () => Promise<T>) => Promise<T>
export type ShareOf = (owner: { partnerId: string; customerId: string }, signal: AbortSignal) => Share

/** One searcher for all the questions that lead to one answer. */
export type OpenSearcher = (db: ReadHandle, mindKey: number, signal?: AbortSignal, share?: Share) => Searcher

/** @param model without it and `reranker` everything is found by its words alone, and nothing is degraded */
export function openSearch(model?: VectorModel, reranker?: Reranker): OpenSearcher {
  const read = model && openQuestionReader(model.embedder)
  return (db, mindKey, signal, share = (work) => work()) => {
    let usage = noUsage('ask')
    const down = new Set<'embedder' | 'reranker'>()
    /** What a model says; nothing once it couldn't. */
    const tried = async <Said extends { usage: ModelUsage }>(
      part: 'embedder' | 'reranker',
      ask: () => Promise<Said>
    ) => {
      if (down.has(part)) return undefined
      try {
        const said = await ask()
        usage = addUsage(usage, said.usage)
        return said
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof ModelError)) throw error
        usage = addUsage(usage, error.usage)
        down.add(part)
        return undefined
      }
    }
    const known = new Map<string, Promise<Similarities | undefined>>()
    const compare = async (question: string): Promise<Similarities | undefined> => {
      const [some] = model ? await hasVectors(db, mindKey, model.madeWith) : []
      if (!model || !read || !some) return undefined
      const said = await tried('embedder', () => read(question, signal))
      return (
        said && share(() => similaritiesTo(db, mindKey, said.meaning, { madeWith: model.madeWith, signal }))
      )
    }
    const comparisonWith = (question: string) => {
      const comparison = known.get(question) ?? compare(question)
      known.set(question, comparison)
      return comparison
    }
    let asked: { question: string; reranked: Promise<ReadonlyMap<number, number>> } | undefined
    const rerank = async (question: string, similarities: Similarities) => {
      if (!reranker) return new Map()
      const limit = reranker.maxTexts
      const { hits } = await share(() => searchMind(db, mindKey, question, { limit, signal, similarities }))
      if (hits.length < 2) return new Map()
      const texts = hits.map(({ content }) => content)
      const said = await tried('reranker', () => reranker.rerank(question, texts, withinAsk(signal)))
      return new Map(said && hits.map(({ seq }, index) => [seq, said.scores[index] ?? 0]))
    }
    return {
      async search(question, limit, { also = [], isPaid = true } = {}) {
        const { of = () => 0, likeliest = [] } = (model && (await comparisonWith(question))) ?? {}
        const similarities = { of, likeliest: [...likeliest, ...also] }
        // Once for an answer, of what was asked: a model's own further searches would each cost as much.
        if (isPaid && reranker) asked ??= { question, reranked: rerank(question, similarities) }
        const reranked = asked?.question === question ? await asked.reranked : undefined
        return share(() => searchMind(db, mindKey, question, { limit, signal, similarities, reranked }))
      },
      share,
      isDegraded: () => down.size > 0,
      usage: () => (usage.calls === 0 ? [] : [usage])
    }
  }
}

/** An answer by words alone comes sooner than one by a gateway that is slow. */
const TIMEOUT_MS = 1_500

const withinAsk = (signal: AbortSignal | undefined) =>
  ({ purpose: 'ask', timeoutMs: TIMEOUT_MS, ...(signal ? { signal } : {}) }) as const

/** Words of a language take a third of it: some models read no more than 512 tokens. */
const QUESTION_TOKENS = 1_200

/** Texts that have to do with hardly anything: how near a model places them to a question is chance. */
const UNRELATED = [
  'The train leaves from platform four at noon.',
  'Water boils at a lower temperature on high mountains.',
  'Die Bibliothek ist montags geschlossen.',
  'El resultado se publicará la próxima semana.',
  'Cette rue a été repavée au printemps.',
  'Погода завтра будет ясной.',
  '会议改到下午三点。',
  'この箱は紙でできています。'
]

/** Asks the model for the unrelated texts once, together with the first question. */
function openQuestionReader(embedder: Embedder) {
  let unrelated: readonly Float32Array[] | undefined
  return async (question: string, signal?: AbortSignal) => {
    const others = unrelated ? [] : UNRELATED.slice(0, Math.max(0, embedder.maxTexts - 1))
    const texts = [...fitTexts([question], QUESTION_TOKENS), ...others]
    const { vectors, usage } = await embedder.embed(texts, withinAsk(signal))
    const [vector = new Float32Array(), ...more] = vectors
    unrelated ??= more
    return { meaning: meaningOf(vector, unrelated), usage }
  }
}

function meaningOf(vector: Float32Array, unrelated: readonly Float32Array[]): Meaning {
  const unit = Float64Array.from(vector)
  const cosines = unrelated.flatMap((other) => cosine(packVector(other), unit) ?? [])
  const chance = cosines.reduce((sum, value) => sum + value, 0) / (cosines.length || 1)
  return { unit, chance }
}

export type VectorModel = ReturnType<typeof vectorModelOf>

/** @param dimensions as configured; 0 for as many as the model gives */
export const vectorModelOf = (embedder: Embedder, dimensions: number) => ({
  embedder,
  /** Vectors of one Mind are all made with the same; those of another model can't be compared with them. */
  madeWith: dimensions === 0 ? embedder.name : `${embedder.name}, ${dimensions} dimensions`
})
