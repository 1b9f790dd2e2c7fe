// How far imports into a Mind have come. A position is known by what was imported up to it, not by a file's name.
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { Flag } from '../database/tables.ts'

export interface Position {
  /** Memories from the file's beginning. */
  memories: number
  /** Digest of all of them. */
  digest: string
  /** Whether that was the whole file. */
  isWhole: boolean
}

/** Another process imports the same memories into the same Mind. */
export class ImportConflict extends Error {}

/** The furthest position of an earlier import that began as this one does; `digests` by number of memories. */
export async function findPosition(
  db: ReadHandle,
  mindKey: number,
  digests: readonly string[]
): Promise<Position | undefined> {
  const known = await db
    .selectFrom('memoryImport')
    .where('mindKey', '=', mindKey)
    .where('memories', '<', digests.length)
    .selectAll()
    .orderBy('memories', 'desc')
    .execute()
  const found = known.find(({ memories, digest }) => digests[memories] === digest)
  return found && { memories: found.memories, digest: found.digest, isWhole: found.isWhole === 1 }
}

/**
 * Notes how far an import has come, on a locked Mind. What was whole stays as well: the shorter file may come once more.
 *
 * @throws ImportConflict when somebody else has gone on from there
 */
export async function movePosition(
  tx: WriteHandle,
  mindKey: number,
  digests: readonly string[],
  { from, to }: { from: Position | undefined; to: Position }
): Promise<void> {
  const furthest = await findPosition(tx, mindKey, digests)
  if (furthest?.digest !== from?.digest) throw new ImportConflict()
  if (from && !from.isWhole) {
    await tx
      .deleteFrom('memoryImport')
      .where('mindKey', '=', mindKey)
      .where('digest', '=', from.digest)
      .execute()
  }
  const { memories, digest, isWhole } = to
  await tx
    .insertInto('memoryImport')
    .values({ mindKey, digest, memories, isWhole: isWhole ? 1 : 0, updatedAt: now() })
    .execute()
}

declare module '../database/tables.ts' {
  interface Tables {
    /** How far an import of a file into a Mind has come. */
    memoryImport: {
      mindKey: number
      /** Digest of everything up to there. */
      digest: string
      memories: number
      /** Whether that was the whole file. */
      isWhole: Flag
      updatedAt: string
    }
  }
}
