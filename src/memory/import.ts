// Memories from a file: JSON Lines of `{"content", "occurredAt"?}`. It is the operator's own doing: nothing is charged.
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ImportedMemory } from '../../schemas/mind.ts'
import { now } from '../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../database/database.ts'
import { rowsWhere } from '../database/known.ts'
import type { Flag, Tables } from '../database/tables.ts'
import { newId } from '../ids.ts'
import { readJsonLines } from '../json-lines.ts'
import type { MemoryEngine } from './engine.ts'
import { contentHashOf, occurrence } from './memories.ts'
import { countMemories, getMind, listMinds, lockMind, type Owner } from './minds.ts'

declare module '../database/tables.ts' {
  interface Tables {
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

interface ImportTarget {
  owner: Owner
  mindId: string | undefined
}

/** How far an import has come, known by what was imported up to there, not by a file's name. */
type Position = Pick<Tables['memoryImport'], 'memories' | 'digest' | 'isWhole'>

/** How long a batch should write: as long, those of a running service wait. */
const BATCH_MS = 20
const FIRST_BATCH = 20
const LARGEST_BATCH = 200

/**
 * In batches, each one transaction with the position that it reaches: an import goes on where it ended, or grew.
 * @param onProgress is told after each batch how many are stored
 * @throws ServiceError `mind_not_found`; ImportConflict when the same memories are being imported already
 */
export async function importMemories(
  { database, memoryEngine }: { database: Database; memoryEngine: MemoryEngine },
  target: ImportTarget,
  memories: readonly FileMemory[],
  onProgress: (done: number) => void
) {
  const digests = digestsOf(memories)
  const corrections = correctionsIn(memories)
  const mind = target.mindId
    ? await getMind(database.read, target.owner, target.mindId)
    : (await listMinds(database.read, target.owner)).find(({ isPrimary }) => isPrimary === 1)
  let position: Position | undefined = mind && (await findPosition(database.read, mind.key, digests))
  const alreadyThere = position?.memories ?? 0
  let size = FIRST_BATCH
  for (let start = alreadyThere; start < memories.length; ) {
    const lines = memories.slice(start, start + size)
    const batch: Prepared[] = []
    // A tenant has one thread at a time: what waits for it has its deadline running, and only so much may wait.
    for (const memory of lines) batch.push(await prepare(memoryEngine, memory, target.owner))
    const end = start + batch.length
    const isWhole: Flag = end === memories.length ? 1 : 0
    const reached = { memories: end, digest: digests[end] ?? '', isWhole }
    const wroteMs = await database.transaction(async (tx) => {
      const { owner, mindId } = target
      const locked = await lockMind(tx, owner, mindId)
      const startedAt = performance.now()
      await movePosition(tx, locked.key, digests, { from: position, to: reached })
      const createdAt = now()
      for (const [i, { id, contentHash, store }] of batch.entries())
        await store(tx, { mindKey: locked.key, seq: locked.nextSeq + i, id, contentHash, createdAt })
      await countMemories(tx, locked.key, batch.length, batch.length, createdAt)
      for (const { at, corrected, by } of corrections) {
        if (at >= start && at < end) await correct(tx, memoryEngine, locked.key, corrected, by)
      }
      // How long others had to wait for it: that is without the wait for them.
      return performance.now() - startedAt
    })
    onProgress(end)
    position = reached
    start = end
    size = Math.min(LARGEST_BATCH, Math.max(1, Math.round((batch.length * BATCH_MS) / wroteMs)))
    // SQLite doesn't queue writers: without a pause those of a running service would hardly ever find the lock free.
    if (database.kind === 'sqlite') await sleep(wroteMs)
  }
  return { imported: memories.length - alreadyThere, alreadyThere }
}

/** Which lines correct which, and by which line both are there. */
function correctionsIn(memories: readonly FileMemory[]) {
  const places = new Map(memories.map(({ id }, at) => [id, at]))
  return memories.flatMap((corrected, at) => {
    const { supersededBy } = corrected
    const place = supersededBy === undefined ? undefined : places.get(supersededBy)
    const by = place === undefined ? undefined : memories[place]
    return by && place !== undefined ? [{ at: Math.max(at, place), corrected, by }] : []
  })
}

/** Once, and never in a circle, whatever the file says. */
async function correct(
  tx: WriteHandle,
  engine: MemoryEngine,
  mindKey: number,
  corrected: FileMemory,
  by: FileMemory
) {
  const [old, holding] = [await placeOf(tx, mindKey, corrected), await placeOf(tx, mindKey, by)]
  const isFit = old && holding && old.seq !== holding.seq && holding.supersededBy === null
  if (isFit && old.supersededBy === null) await engine.supersede(tx, mindKey, old.seq, holding.seq)
}

const placeOf = (tx: WriteHandle, mindKey: number, { content, occurredAt }: FileMemory) =>
  rowsWhere(tx, 'memory', { mindKey, contentHash: contentHashOf(content) })
    .$if(occurredAt !== undefined, (same) => same.where('occurredAt', '=', occurredAt ?? ''))
    .select(['seq', 'supersededBy'])
    .orderBy('seq', 'desc')
    .executeTakeFirst()

const prepare = async (engine: MemoryEngine, { content, occurredAt = now() }: FileMemory, owner: Owner) => ({
  id: newId('mem'),
  contentHash: contentHashOf(content),
  store: await engine.prepare({ content, occurredAt }, owner.partnerId)
})

type Prepared = Awaited<ReturnType<typeof prepare>>

/** For each number of memories from the beginning, a digest of them all: equal beginnings have equal digests. */
function digestsOf(memories: readonly FileMemory[]): string[] {
  const digests = ['']
  for (const { content, occurredAt } of memories) {
    digests.push(hash('sha256', JSON.stringify([digests.at(-1), content, occurredAt]), 'base64url'))
  }
  return digests
}

export interface FileMemory {
  content: string
  /** In the tables' format; whoever leaves it out means the time of the import. */
  occurredAt?: string | undefined
  /** In the file: by it another line says which memory corrected it. */
  id?: string | undefined
  supersededBy?: string | undefined
}

/** Reads every line before anything is written, so that a bad file changes nothing. */
export async function readMemoryFile(lines: AsyncIterable<string>) {
  const form = '{"content": "…", "occurredAt"?: "…"}'
  const { items: memories, problems } = await readJsonLines(
    lines,
    ImportedMemory,
    form,
    ({ occurredAt, ...memory }): FileMemory => ({
      ...memory,
      occurredAt: occurredAt && occurrence(occurredAt)
    })
  )
  return { memories, problems }
}

export class ImportConflict extends Error {}

/** The furthest position of an earlier import that began as this one does; `digests` by number of memories. */
async function findPosition(db: ReadHandle, mindKey: number, digests: readonly string[]) {
  const known = await rowsWhere(db, 'memoryImport', { mindKey })
    .where('memories', '<', digests.length)
    .selectAll()
    .orderBy('memories', 'desc')
    .execute()
  return known.find(({ memories, digest }) => digests[memories] === digest)
}

/** What was whole stays: the shorter file may come once more. @throws ImportConflict when somebody else has gone on */
async function movePosition(
  tx: WriteHandle,
  mindKey: number,
  digests: readonly string[],
  { from, to }: { from: Position | undefined; to: Position }
): Promise<void> {
  const furthest = await findPosition(tx, mindKey, digests)
  if (furthest?.digest !== from?.digest) throw new ImportConflict()
  if (from?.isWhole === 0) {
    const ofMind = tx.deleteFrom('memoryImport').where('mindKey', '=', mindKey)
    await ofMind.where('digest', '=', from.digest).execute()
  }
  const position = { mindKey, ...to, updatedAt: now() }
  await tx.insertInto('memoryImport').values(position).execute()
}
