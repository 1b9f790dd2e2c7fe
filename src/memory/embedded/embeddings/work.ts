// Gives each memory its vector, in the background: a Mind's old memories, and all of them anew for another model.
import type { MindWork, ModelFault, ModelUsage } from '../port.ts'
import { BatchRefused, ModelError, WorkPostponed } from '../port.ts'
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
    const options = { purpose: 'embed' as const, timeoutMs: TIMEOUT_MS, signal }
    const embed = (texts: readonly string[]) => embedder.embed(texts, options)
    const { vectors, usage } = await embed(memories.map(({ content }) => content)).catch((error) =>
      giveUp(error, embed)
    )
    const made = memories.flatMap(({ seq }, index) => {
      const vector = vectors[index]
      return vector ? [{ seq, vector }] : []
    })
    return {
      apply: (tx, kept) =>
        insertVectors(
          tx,
          mindKey,
          made.filter(({ seq }) => kept.has(seq))
        ),
      usage: [usage]
    }
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
  const { fault, usage, retryAfterSeconds, cause } = error
  const message = REASONS[fault]
  if (!MAY_BE_THE_TEXTS.has(fault)) {
    throw new WorkPostponed(message, { usage: [usage], retryAfterSeconds, cause })
  }
  const taken = await embed([HARMLESS]).then(
    (harmless) => [usage, harmless.usage],
    () => undefined
  )
  throw taken
    ? new BatchRefused(message, { usage: taken, cause })
    : new WorkPostponed(message, { usage: [usage], cause })
}

const MAY_BE_THE_TEXTS: ReadonlySet<ModelFault> = new Set(['refused', 'malformed', 'too_large', 'incomplete'])

const REASONS: Readonly<Record<ModelFault, string>> = {
  timeout: 'The embedding model did not answer in time.',
  unreachable: 'The embedding model could not be reached.',
  limited: 'The gateway of the embedding model asks for fewer calls.',
  unauthorized: 'The gateway of the embedding model refuses the key.',
  refused: 'The embedding model refused the texts.',
  failed: 'The gateway of the embedding model failed.',
  incomplete: 'The answer of the embedding model broke off.',
  too_large: 'The answer of the embedding model was too large.',
  malformed: 'The answer of the embedding model could not be read.',
  circuit_open: 'The embedding model failed shortly before, and is left alone for a while.'
}
