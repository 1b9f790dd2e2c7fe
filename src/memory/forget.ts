// Taking memories away: from every table, and from every kept answer that quotes them.
import { now } from '../clock.ts'
import { forgetAnswersWith, maySpeakOf } from '../credits/kept-answers.ts'
import type { WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { MemoryEngine } from './engine.ts'
import { findPlace, keptIds } from './memories.ts'
import { countMemories, deleteMind, getMind, lockMind, type Owner } from './minds.ts'

/** From whichever Mind of the customer's, or the named one. @throws ServiceError `mind_not_found`, `memory_not_found` */
export async function forgetMemory(
  tx: WriteHandle,
  engine: MemoryEngine,
  owner: Owner,
  { mindId, memoryId }: { mindId: string | undefined; memoryId: string }
): Promise<void> {
  if (mindId) await getMind(tx, owner, mindId)
  const place = await findPlace(tx, owner, memoryId)
  if (!place || (mindId && mindId !== place.mindId)) refuseUnknown()
  const mind = await lockMind(tx, owner, place.mindId)
  // Whoever held the lock may have forgotten it.
  if ((await keptIds(tx, mind.key, [memoryId])).length === 0) refuseUnknown()
  await engine.forget(tx, mind.key, place.seq)
  await countMemories(tx, mind.key, 0, -1, now())
  // Answers that are kept for a repeated Idempotency-Key quote it, too: those that name it, or that a model wrote.
  await tx.deleteFrom('idempotency').where('mindId', '=', mind.id).where(maySpeakOf(memoryId)).execute()
  await forgetAnswersWith(tx, mind.id, memoryId)
}

/**
 * From the commit on nobody reaches any of it; forgotten-minds.ts deletes it. A primary one is made anew on next use.
 * @throws ServiceError `mind_not_found`
 */
export async function forgetMind(tx: WriteHandle, engine: MemoryEngine, owner: Owner, mindId: string) {
  const mind = await lockMind(tx, owner, mindId)
  await engine.forgetMind(tx, mind.key)
  await deleteMind(tx, mind.key)
  return { memoryCount: mind.memoryCount }
}

function refuseUnknown(): never {
  throw new ServiceError('memory_not_found')
}
