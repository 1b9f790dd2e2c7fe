// The model that tells what texts mean, and under which name its vectors are kept.
import type { Embedder } from '../../../llm/model.ts'

export interface VectorModel {
  embedder: Embedder
  /** Vectors of one Mind are all made with the same; those of another model can't be compared with them. */
  madeWith: string
}

/** @param dimensions as configured; 0 for as many as the model gives */
export const vectorModelOf = (embedder: Embedder, dimensions: number): VectorModel => ({
  embedder,
  madeWith: dimensions === 0 ? embedder.name : `${embedder.name}, ${dimensions} dimensions`
})
