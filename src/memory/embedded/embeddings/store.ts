// The rows that keep what memories mean.
import { compiledOnce, type Slot, type WriteHandle } from '../port.ts'
import { blockOf, packBlock, packVector, unpackBlock } from './vector.ts'

/** Takes the place of what the memories had before. The Mind is locked. */
export const insertVectors = (
  tx: WriteHandle,
  mindKey: number,
  vectors: readonly { seq: number; vector: Float32Array }[]
) => changeVectors(tx, mindKey, new Map(vectors.map(({ seq, vector }) => [seq, packVector(vector)])))

export const deleteVectorOf = (tx: WriteHandle, mindKey: number, seq: number) =>
  changeVectors(tx, mindKey, new Map([[seq, undefined]]))

export async function deleteMindVectors(tx: WriteHandle, mindKey: number): Promise<void> {
  await tx.deleteFrom('embedding').where('mindKey', '=', mindKey).execute()
}

type Changed = ReadonlyMap<number, Uint8Array | undefined>

async function changeVectors(tx: WriteHandle, mindKey: number, changed: Changed): Promise<void> {
  for (const block of new Set([...changed.keys()].map(blockOf))) {
    const row = await tx
      .selectFrom('embedding')
      .where('mindKey', '=', mindKey)
      .where('block', '=', block)
      .select('vectors')
      .executeTakeFirst()
    const kept = row ? unpackBlock(block, row.vectors) : new Map<number, Uint8Array>()
    for (const [seq, vector] of changed) {
      if (vector === undefined) kept.delete(seq)
      else if (blockOf(seq) === block) kept.set(seq, vector)
    }
    const vectors = packBlock(kept)
    await (kept.size === 0
      ? tx.deleteFrom('embedding').where('mindKey', '=', mindKey).where('block', '=', block)
      : tx
          .insertInto('embedding')
          .values({ mindKey, block, vectors })
          .onConflict((conflict) => conflict.columns(['mindKey', 'block']).doUpdateSet({ vectors }))
    ).execute()
  }
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
