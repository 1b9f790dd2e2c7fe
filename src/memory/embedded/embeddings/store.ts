// The rows that keep what memories mean.
import { compiledOnce, type Slot, type WriteHandle } from '../port.ts'
import { blockOf, packBlock, packVector, unpackBlock } from './vector.ts'

/** Takes the place of what a memory had before. The Mind is locked. */
export async function insertVectors(
  tx: WriteHandle,
  mindKey: number,
  vectors: readonly { seq: number; vector: Float32Array }[]
) {
  for (const block of new Set(vectors.map(({ seq }) => blockOf(seq)))) {
    const kept = await vectorsOf(tx, mindKey, block)
    const added = vectors.filter(({ seq }) => blockOf(seq) === block)
    for (const { seq, vector } of added) kept.set(seq, packVector(vector))
    await writeBlock(tx, mindKey, block, kept)
  }
}

export async function deleteVectorOf(tx: WriteHandle, mindKey: number, seq: number): Promise<void> {
  const block = blockOf(seq)
  const kept = await vectorsOf(tx, mindKey, block)
  if (kept.delete(seq)) await writeBlock(tx, mindKey, block, kept)
}

export async function deleteMindVectors(tx: WriteHandle, mindKey: number): Promise<void> {
  await tx.deleteFrom('embedding').where('mindKey', '=', mindKey).execute()
}

async function vectorsOf(tx: WriteHandle, mindKey: number, block: number): Promise<Map<number, Uint8Array>> {
  const row = await tx
    .selectFrom('embedding')
    .where('mindKey', '=', mindKey)
    .where('block', '=', block)
    .select('vectors')
    .executeTakeFirst()
  return row ? unpackBlock(block, row.vectors) : new Map()
}

async function writeBlock(
  tx: WriteHandle,
  mindKey: number,
  block: number,
  kept: ReadonlyMap<number, Uint8Array>
): Promise<void> {
  if (kept.size === 0) {
    await tx.deleteFrom('embedding').where('mindKey', '=', mindKey).where('block', '=', block).execute()
    return
  }
  const vectors = packBlock(kept)
  await tx
    .insertInto('embedding')
    .values({ mindKey, block, vectors })
    .onConflict((conflict) => conflict.columns(['mindKey', 'block']).doUpdateSet({ vectors }))
    .execute()
}

/** A page of the Mind's vectors, the newest memories' first; none while they are another model's. */
export const blocksBefore = compiledOnce(
  (db, mindKey: Slot<number>, madeWith: Slot<string>, block: Slot<number>, count: Slot<number>) =>
    db
      .selectFrom('embedding')
      .where('embedding.mindKey', '=', mindKey)
      .where('embedding.block', '<', block)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('mindJob')
            .where('mindJob.kind', '=', 'embed')
            .where('mindJob.mindKey', '=', mindKey)
            .where('mindJob.madeWith', '=', madeWith)
            .select('mindJob.mindKey')
        )
      )
      .select(['block', 'vectors'])
      .orderBy('block', 'desc')
      .limit(count)
)

export const hasVectors = compiledOnce((db, mindKey: Slot<number>, madeWith: Slot<string>) =>
  db
    .selectFrom('embedding')
    .innerJoin('mindJob', 'mindJob.mindKey', 'embedding.mindKey')
    .where('embedding.mindKey', '=', mindKey)
    .where('mindJob.kind', '=', 'embed')
    .where('mindJob.madeWith', '=', madeWith)
    .select('block')
    .limit(1)
)

declare module '../../../database/tables.ts' {
  interface Tables {
    /** Vectors of the model that the Mind's job of kind `embed` names, as long as it names one. */
    embedding: {
      mindKey: number
      /** So many neighbouring memories' vectors lie in one row, see src/memory/embedded/embeddings/vector.ts. */
      block: number
      vectors: Uint8Array
    }
  }
}
