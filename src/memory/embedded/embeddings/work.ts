// Gives each memory its vector, in the background: a Mind's old memories, and all of them anew for another model.
import { failureOf, MAY_BE_THE_TEXTS } from '../model-failure.ts'
import { type MindWork, ModelError, type ModelUsage } from '../port.ts'
import type { VectorModel } from './searcher.ts'
import { deleteMindVectors, insertVectors } from './store.ts'

const TIMEOUT_MS = 60_000
const CONCURRENCY = 2

export const embeddingWork = ({ embedder, madeWith }: VectorModel): MindWork => ({
  kind: 'embed',
  maxBatch: embedder.maxTexts,
  dueAfter: 1,
  maxAgeMs: 1_000,
  concurrency: CONCURRENCY,
  // Texts that are refused are followed by one of our own.
  deadlineMs: 2 * TIMEOUT_MS + 5_000,
  madeWith,
  beginAnew: deleteMindVectors,
  async perform({ mindKey, memories }, signal) {
    const embed = (texts: readonly string[]) =>
      embedder.embed(texts, { purpose: 'embed', timeoutMs: TIMEOUT_MS, signal })
    const texts = memories.map(({ content }) => content)
    const { vectors, usage } = await embed(texts).catch((error) => giveUp(error, embed))
    const made = memories.flatMap(({ seq }, index) => {
      const vector = vectors[index]
      return vector ? [{ seq, vector }] : []
    })
    const keptOf = (kept: ReadonlySet<number>) => made.filter(({ seq }) => kept.has(seq))
    return { apply: (tx, kept) => insertVectors(tx, mindKey, keptOf(kept)), usage: [usage] }
  }
})

const HARMLESS = 'Hello.'

/**
 * Gateways refuse a text as they refuse everything because of a mistake in their settings: where they refuse a text of
 * ours, too, no memory is put aside. @throws BatchRefused, WorkPostponed
 */
async function giveUp(
  error: unknown,
  embed: (texts: readonly string[]) => Promise<{ usage: ModelUsage }>
): Promise<never> {
  if (!(error instanceof ModelError)) throw error
  const mayBeTheirs = MAY_BE_THE_TEXTS.has(error.fault)
  const harmless = mayBeTheirs ? await embed([HARMLESS]).catch(() => undefined) : undefined
  const usage = [error.usage, ...(harmless ? [harmless.usage] : [])]
  throw failureOf(error, 'embedding model', usage, harmless !== undefined)
}
