// Memories from a file: JSON Lines of `{"content", "occurredAt"?}`. It is the operator's own doing: nothing is charged.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../clock.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import { newId } from '../ids.ts'
import type { MemoryEngine } from './engine.ts'
import { findPosition, movePosition } from './import-positions.ts'
import { contentHashOf } from './memories.ts'
import type { FileMemory } from './memory-file.ts'
import { countMemories, findMind, lockMind, type Owner } from './minds.ts'

export interface ImportPlace {
  database: Database
  memoryEngine: MemoryEngine
}

export interface ImportTarget {
  owner: Owner
  /** The primary Mind when left out. */
  mindId: string | undefined
}

export interface ImportResult {
  imported: number
  /** What earlier runs had stored of the same lines. */
  alreadyThere: number
}

/** How long a batch should write: as long, those of a running service wait. */
const BATCH_MS = 20
const FIRST_BATCH = 20
const LARGEST_BATCH = 200

/**
 * Stores the memories in their order, in batches. A batch and the position that it reaches are one transaction: an
 * import that was interrupted goes on there when it is run again, and one that grew goes on where it ended.
 *
 * @param onProgress is told after each batch how many are stored
 * @throws ServiceError `mind_not_found`; ImportConflict when the same memories are being imported already
 */
export async function importMemories(
  { database, memoryEngine }: ImportPlace,
  target: ImportTarget,
  memories: readonly FileMemory[],
  onProgress: (done: number) => void
): Promise<ImportResult> {
  const digests = digestsOf(memories)
  const mind = await findMind(database.read, target.owner, target.mindId)
  let position = mind ? await findPosition(database.read, mind.key, digests) : undefined
  const alreadyThere = position?.memories ?? 0
  let size = FIRST_BATCH
  for (let start = alreadyThere; start < memories.length; ) {
    const lines = memories.slice(start, start + size)
    const batch = await Promise.all(lines.map((memory) => prepare(memoryEngine, memory, target.owner)))
    const end = start + batch.length
    const reached = { memories: end, digest: digests[end] ?? '', isWhole: end === memories.length }
    const wroteMs = await database.transaction((tx) =>
      storeBatch(tx, target, batch, (mindKey) =>
        movePosition(tx, mindKey, digests, { from: position, to: reached })
      )
    )
    onProgress(end)
    position = reached
    start = end
    size = Math.min(LARGEST_BATCH, Math.max(1, Math.round((batch.length * BATCH_MS) / wroteMs)))
    // SQLite doesn't queue writers: without a pause those of a running service would hardly ever find the lock free.
    if (database.kind === 'sqlite') await sleep(wroteMs)
  }
  return { imported: memories.length - alreadyThere, alreadyThere }
}

const prepare = async (engine: MemoryEngine, { content, occurredAt = now() }: FileMemory, owner: Owner) => ({
  id: newId('mem'),
  contentHash: contentHashOf(content),
  store: await engine.prepare({ content, occurredAt }, owner.partnerId)
})

/** Stores them, and tells how long others had to wait for it: that is without the wait for them. */
async function storeBatch(
  tx: WriteHandle,
  { owner, mindId }: ImportTarget,
  batch: readonly Awaited<ReturnType<typeof prepare>>[],
  move: (mindKey: number) => Promise<void>
): Promise<number> {
  const mind = await lockMind(tx, owner, mindId)
  const startedAt = performance.now()
  await move(mind.key)
  const createdAt = now()
  for (const [i, { id, contentHash, store }] of batch.entries()) {
    await store(tx, { mindKey: mind.key, seq: mind.nextSeq + i, id, contentHash, createdAt })
  }
  await countMemories(tx, mind, { added: batch.length })
  return performance.now() - startedAt
}

/** For each number of memories from the beginning, a digest of them all: equal beginnings have equal digests. */
function digestsOf(memories: readonly FileMemory[]): string[] {
  const digests = ['']
  for (const { content, occurredAt } of memories) {
    const last = digests.at(-1) ?? ''
    digests.push(
      createHash('sha256')
        .update(JSON.stringify([last, content, occurredAt]))
        .digest('base64url')
    )
  }
  return digests
}
