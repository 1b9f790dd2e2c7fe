// Forgetting that can be undone for some minutes. Nothing of the memory stays here: who forgot it has it, sealed, on the page
// that says so. What was done to it last has to be that forgetting, so it comes back once, and nothing else does.
import { ForgetWithUndo, Forgotten, Remembered, UndoForgetting } from '../../schemas/mind.ts'
import { pageOfActs } from '../audit/history.ts'
import type { Caller } from '../caller.ts'
import { fromNow, MINUTE_MS, now } from '../clock.ts'
import type { ReadHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { ADDS, CHANGES, defineOperation, type OperationContext } from '../operation.ts'
import { forgetMemory } from './forget.ts'
import { customerIdWithMemory } from './gate.ts'
import { jobStates } from './jobs/store.ts'
import { contentHashOf, findPlace } from './memories.ts'
import { countMemories, lockMind, type Owner } from './minds.ts'

const UNDO_WITHIN_MS = 5 * MINUTE_MS
const MOST_CORRECTED = 100
const COLUMNS = ['id', 'seq', 'content', 'occurredAt', 'createdAt', 'supersededBy'] as const

/** As `memory_forget`, for people: the answer can undo it. */
export const forgetWithUndo = defineOperation({
  name: 'memory_forget_with_undo',
  title: 'Forget a memory, with undo',
  scope: 'memory:write',
  channels: ['console', 'portal'],
  input: ForgetWithUndo,
  output: Forgotten,
  annotations: CHANGES,
  errors: ['memory_not_enabled', 'mind_not_found', 'memory_not_found', 'memory_unavailable'],
  async write(tx, ctx, caller, { customerId: reference, mindId, memoryId }) {
    const { partnerId } = caller
    const owner = { partnerId, customerId: await customerIdWithMemory(tx, partnerId, reference) }
    const place = await findPlace(tx, owner, memoryId)
    const told = place && (await readTold(tx, place))
    await forgetMemory(tx, ctx.memoryEngine, owner, { mindId, memoryId })
    await ctx.audit(tx, { targetType: 'memory', targetId: memoryId })
    const actId = await lastActOn(tx, partnerId, memoryId)
    const kept = JSON.stringify({ ...told, actId, until: fromNow(UNDO_WITHIN_MS) })
    return { undo: ctx.secrets.seal(kept, sealContext(caller, owner, mindId)) }
  }
})

/** Remembers again what was just forgotten, as it was. Free, since it was paid for. */
export const undoForgetting = defineOperation({
  name: 'memory_forget_undo',
  title: 'Undo forgetting a memory',
  scope: 'memory:write',
  channels: ['console', 'portal'],
  input: UndoForgetting,
  output: Remembered.pick({ memoryId: true }),
  annotations: ADDS,
  errors: ['memory_not_enabled', 'mind_not_found', 'memory_rate_limited', 'memory_unavailable'],
  async handle(ctx, caller, { customerId: reference, mindId, undo }) {
    const { partnerId } = caller
    const owner = { partnerId, customerId: await customerIdWithMemory(ctx.db, partnerId, reference) }
    const told = unsealed(ctx, undo, sealContext(caller, owner, mindId))
    await ctx.limitMemory(owner.customerId, told.content)
    const store = await ctx.memoryEngine.prepare(told, partnerId)
    const contentHash = contentHashOf(told.content)
    return ctx.transaction(async (tx) => {
      await customerIdWithMemory(tx, partnerId, reference)
      const { key: mindKey, nextSeq } = await lockMind(tx, owner, mindId)
      if ((await lastActOn(tx, partnerId, told.id)) !== told.actId) refuse()
      // Work behind a Mind has passed its place, and may be deleting it elsewhere by its id.
      const isNew = (await jobStates(tx, mindKey)).length > 0
      const { id, seq } = isNew ? { id: newId('mem'), seq: nextSeq } : told
      await countMemories(tx, mindKey, isNew ? 1 : 0, 1, now())
      await store(tx, { mindKey, seq, id, contentHash, createdAt: told.createdAt })
      // What it corrected and what corrected it, where they are still there and nothing else has taken part since.
      const ofMind = tx.selectFrom('memory').where('mindKey', '=', mindKey)
      const related = [...told.corrected, told.supersededBy ?? 0]
      const others = await ofMind.where('seq', 'in', related).select(['seq', 'supersededBy']).execute()
      const by = others.find((one) => one.seq === told.supersededBy)?.seq ?? null
      if (by !== null) await ctx.memoryEngine.supersede(tx, mindKey, seq, by)
      for (const one of others)
        if (one.seq !== by && one.supersededBy === by)
          await ctx.memoryEngine.supersede(tx, mindKey, one.seq, seq)
      await ctx.audit(tx, { targetType: 'memory', targetId: told.id, told: { mindId, memoryId: id } })
      return { memoryId: id }
    })
  }
})

async function readTold(db: ReadHandle, { mindKey, seq }: { mindKey: number; seq: number }) {
  const ofMind = db.selectFrom('memory').where('mindKey', '=', mindKey)
  const row = await ofMind.where('seq', '=', seq).select(COLUMNS).executeTakeFirstOrThrow()
  // SQLite finds the number alone in the index, and else reads the whole Mind.
  const corrected = await ofMind.where('supersededBy', '=', seq).select('seq').limit(MOST_CORRECTED).execute()
  return { ...row, corrected: corrected.map((one) => one.seq) }
}

const lastActOn = async (db: ReadHandle, partnerId: string, targetId: string) =>
  (await pageOfActs(db, partnerId, { targetId, page: 1, limit: 1 })).data[0]?.id

/** For that Mind alone, and for who forgot it. */
const sealContext = ({ actor }: Caller, { partnerId, customerId }: Owner, mindId: string): string =>
  ['undo', partnerId, customerId, mindId, actor].join(' ')

/** With the forgetting that it undoes. */
type Told = Awaited<ReturnType<typeof readTold>> & { actId: string; until: string }

/** @throws ServiceError `invalid_input` for another's and nobody's, as for one that has ended */
function unsealed({ secrets }: OperationContext, undo: string, context: string): Told {
  let told: Told
  try {
    told = JSON.parse(secrets.unseal(undo, context))
  } catch {
    return refuse()
  }
  return told.until > now() ? told : refuse()
}

function refuse(): never {
  throw new ServiceError('invalid_input', 'This can’t be undone any more.')
}
