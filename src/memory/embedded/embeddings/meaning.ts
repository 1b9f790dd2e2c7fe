// What a question means: its vector, made while somebody waits for the answer.
import { type Embedder, ModelError, type ModelUsage } from '../../../llm/model.ts'
import { addUsage, noUsage } from '../../../llm/usage.ts'
import { fitTexts } from '../../token-budget.ts'
import type { Meaning } from './similarities.ts'

/** An answer by words alone comes sooner than one by a gateway that is slow. */
const TIMEOUT_MS = 1_500

/** What every model takes. */
const SHORT_TOKENS = 400

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

export interface QuestionReader {
  /**
   * @returns `meaning` undefined when the model can't be used now
   * @throws what `signal` aborted with, if it did
   */
  read(question: string, signal?: AbortSignal): Promise<{ meaning: Meaning | undefined; usage: ModelUsage }>
}

/** Asks the model for the unrelated texts once, together with the first question. */
export function openQuestionReader(embedder: Embedder): QuestionReader {
  let unrelated: readonly Float32Array[] | undefined
  const embed = async (question: string, signal?: AbortSignal) => {
    const others = unrelated ? [] : UNRELATED.slice(0, Math.max(0, embedder.maxTexts - 1))
    const options = { purpose: 'ask', timeoutMs: TIMEOUT_MS, ...(signal ? { signal } : {}) } as const
    const [short = ''] = fitTexts([question], SHORT_TOKENS)
    return embedder.embed([question, ...others], options).catch((error: unknown) => {
      // Some models take no more than 512 tokens.
      const isTooLong = error instanceof ModelError && error.fault === 'refused' && short !== question
      if (!isTooLong) throw error
      return embedder.embed([short, ...others], options)
    })
  }
  return {
    async read(question, signal) {
      try {
        const { vectors, usage } = await embed(question, signal)
        const [vector, ...more] = vectors
        if (!vector) return { meaning: undefined, usage }
        unrelated ??= more
        return { meaning: meaningOf(vector, unrelated), usage }
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof ModelError)
          return { meaning: undefined, usage: addUsage(noUsage('ask'), error.usage) }
        throw error
      }
    }
  }
}

function meaningOf(vector: Float32Array, unrelated: readonly Float32Array[]): Meaning {
  const unit = Float64Array.from(vector)
  const cosines = unrelated
    .filter(({ length }) => length === unit.length)
    .map((other) => other.reduce((sum, value, index) => sum + value * (unit[index] ?? 0), 0))
  const chance = cosines.reduce((sum, value) => sum + value, 0) / (cosines.length || 1)
  return { unit, chance }
}
