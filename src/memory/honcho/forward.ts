// Hands memories on to Honcho, in the order of telling. Honcho takes whatever it is sent as new, so it is asked first
// what it has: a run may have died after sending, and a Mind may have been forwarded there long ago.
import type { Database, ReadHandle } from '../../database/database.ts'
import { UpstreamError } from '../../net/fetch-json.ts'
import { type Batch, type BatchMemory, BatchRefused, type MindWork, WorkPostponed } from '../jobs/work.ts'
import { causeOf, type Honcho, type HonchoMind, wordsFor } from './api.ts'
import { putInLine } from './removals.ts'

/** Honcho refuses a longer message; a memory may have 32,768 characters. */
const LONGEST_PART = 24_000
const DEADLINE_MS = 60_000

export const forwardWork = (honcho: Honcho, { read }: Pick<Database, 'read'>): MindWork => ({
  kind: 'forward',
  maxBatch: 20,
  dueAfter: 1,
  maxAgeMs: 0,
  concurrency: 4,
  deadlineMs: DEADLINE_MS,
  // Another Honcho has none of them.
  madeWith: honcho.url,
  async perform(batch, signal) {
    const mindId = await mindIdOf(read, batch.mindKey)
    if (mindId) await forward(honcho.mind(mindId, { signal }), batch, signal)
    return {
      usage: [],
      async apply(tx, kept) {
        if (!mindId) return
        const forgotten = batch.memories.filter(({ seq }) => !kept.has(seq))
        // It was forgotten while it was on its way, and has arrived by now.
        for (const { id } of forgotten)
          await putInLine(tx, { serverUrl: honcho.url, workspaceId: mindId, sessionId: id }, 0)
      }
    }
  }
})

const mindIdOf = async (db: ReadHandle, mindKey: number) =>
  (await db.selectFrom('mind').where('key', '=', mindKey).select('id').executeTakeFirst())?.id

async function forward(mind: HonchoMind, { memories }: Batch, signal: AbortSignal) {
  const ids = memories.map(({ id }) => id)
  const present = await orPostponed(mind.presentSessions(ids))
  for (const memory of memories) {
    signal.throwIfAborted()
    const mayBeThere = present?.has(memory.id)
    // A session can be there without its message: Honcho makes the one after the other.
    if (mayBeThere && (await orPostponed(mind.hasMessages(memory.id)))) continue
    const isHoncho = present !== undefined
    const added = mind.addMessages(memory.id, messagesOf(memory))
    await added.catch((error: unknown) => failWith(error, isHoncho))
  }
}

function messagesOf({ id, content, occurredAt }: BatchMemory) {
  const parts = partsOf(content.toWellFormed())
  return parts.map((part, i) => ({
    content: part,
    metadata: { memoryId: id, part: i + 1, parts: parts.length },
    created_at: occurredAt
  }))
}

function partsOf(content: string): string[] {
  const parts: string[] = []
  for (let start = 0; start < content.length; ) {
    const end = start + LONGEST_PART
    // Half of a pair is no character.
    const cut = /[\ud800-\udbff]/.test(content.charAt(end - 1)) ? end - 1 : end
    parts.push(content.slice(start, cut))
    start = cut
  }
  return parts
}

const orPostponed = <T>(answered: Promise<T>) => answered.catch((error: unknown) => failWith(error, false))

/** Statuses that say something of the message itself. */
const REFUSALS = new Set([400, 404, 409, 413, 422])

function failWith(error: unknown, isAboutMemory: boolean): never {
  if (!(error instanceof UpstreamError)) throw error
  const { status, retryAfterSeconds } = error
  if (isAboutMemory && status !== undefined && REFUSALS.has(status)) {
    throw new BatchRefused(`Honcho refuses this memory with status ${status}.`, { cause: error })
  }
  throw new WorkPostponed(wordsFor(error), { retryAfterSeconds, cause: causeOf(error) })
}
