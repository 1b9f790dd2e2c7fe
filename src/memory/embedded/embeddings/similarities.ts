// How near a Mind's memories are to a question in what they mean. Reads vectors of that Mind only.
import { inSlices, type ReadHandle } from '../port.ts'
import { CLEARLY_SIMILAR, MAX_SIMILAR } from '../weights.ts'
import { blocksBefore } from './store.ts'
import { cosine, forEachSlot } from './vector.ts'

export type Similarities = Awaited<ReturnType<typeof similaritiesTo>>

/** A question's vector, and how near it is to what has nothing to do with it. */
export interface Meaning {
  unit: Float64Array
  chance: number
}

const MAX_SCANNED = 20_000
const PAGE = 32
/** Greater than any block. */
const BEYOND = 2 ** 31 - 1
/** So many memories of a Mind tell as much about chance as `Meaning` does, and more of them more. */
const CHANCE_COUNTS_AS = 20

export async function similaritiesTo(
  db: ReadHandle,
  mindKey: number,
  { unit, chance }: Meaning,
  { madeWith, signal }: { madeWith: string; signal: AbortSignal | undefined }
) {
  const pause = inSlices(signal)
  const cosines = new Map<number, number>()
  let sum = 0
  let scanned = 0
  for (let before = BEYOND; scanned < MAX_SCANNED; ) {
    const page = await blocksBefore(db, mindKey, madeWith, before, PAGE)
    for (const { block, vectors } of page) {
      forEachSlot(block, vectors, (seq, start, end) => {
        scanned += 1
        const value = cosine(vectors, unit, start, end)
        if (value === undefined) return
        cosines.set(seq, value)
        sum += value
      })
    }
    before = page.at(-1)?.block ?? 0
    if (page.length < PAGE) break
    await pause()
  }
  const mean = (sum + CHANCE_COUNTS_AS * chance) / (cosines.size + CHANCE_COUNTS_AS)
  const similarity = (value: number): number => Math.max(0, Math.min(1, (value - mean) / (1 - mean || 1)))
  return {
    /** From 0, no nearer than any memory to any question, to 1, the very same: a unit in which all models compare. */
    of: (seq: number) => similarity(cosines.get(seq) ?? mean),
    likeliest: [...cosines]
      .filter(([, value]) => similarity(value) >= CLEARLY_SIMILAR)
      .sort(([a, likeA], [b, likeB]) => likeB - likeA || a - b)
      .slice(0, MAX_SIMILAR)
      .map(([seq]) => seq)
  }
}
