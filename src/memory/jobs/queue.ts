// Puts memories in line for the work behind their Mind, in the transaction that stores them.
import { sql } from 'kysely'
import { fromNow, now } from '../../clock.ts'
import { compiledOnce, type Slot } from '../../database/compiled.ts'
import type { Database, WriteHandle } from '../../database/database.ts'
import { written } from '../../database/dialect.ts'
import { type MindScope, mindsIn } from './store.ts'
import type { MindWork } from './work.ts'

export type MindQueue = Pick<MindWork, 'kind' | 'dueAfter' | 'maxAgeMs'>

export async function queueMemory(tx: WriteHandle, { kind, dueAfter, maxAgeMs }: MindQueue, mindKey: number) {
  const dueAt = fromNow(dueAfter <= 1 ? 0 : maxAgeMs)
  await addWaiting(tx, kind, mindKey, now(), dueAt, dueAfter)
}

const addWaiting = compiledOnce(
  (
    db,
    kind: Slot<string>,
    mindKey: Slot<number>,
    at: Slot<string>,
    dueAt: Slot<string>,
    dueAfter: Slot<number>
  ) =>
    written(
      db,
      // Work that failed keeps the time of its next attempt.
      sql`insert into "mindJob" ("kind", "mindKey", "watermark", "waiting", "waitingSince", "dueAt", "attempts", "refusals", "failures", "isUnsure")
          values (${kind}, ${mindKey}, 0, 1, ${at}, ${dueAt}, 0, 0, 0, 0)
          on conflict ("kind", "mindKey") do update set
            "waiting" = "mindJob"."waiting" + 1,
            "waitingSince" = coalesce("mindJob"."waitingSince", excluded."waitingSince"),
            "dueAt" = case
              when "mindJob"."attempts" = 0 and "mindJob"."waiting" + 1 >= ${dueAfter}
                and coalesce("mindJob"."dueAt", excluded."dueAt") > excluded."waitingSince"
                then excluded."waitingSince"
              else coalesce("mindJob"."dueAt", excluded."dueAt") end`
    )
)

const PAGE = 500
const UNTOUCHED = { watermark: 0, attempts: 0, refusals: 0, failures: 0, isUnsure: 0 } as const

/** Minds with memories that were stored while this work was off, or before it was done with something else. */
export async function queueUnseen(
  database: Database,
  work: MindWork,
  scope: MindScope = {},
  stopping?: AbortSignal
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined && !stopping?.aborted; ) {
    const from: number = after
    after = await database.transaction((tx) => queuePage(tx, work, from, scope))
  }
}

/** Tells where the next page begins, if there is one. */
async function queuePage(tx: WriteHandle, { kind, madeWith }: MindWork, afterKey: number, scope: MindScope) {
  const minds = await tx
    .selectFrom('mind')
    .where('key', '>', afterKey)
    .where('key', 'in', mindsIn(tx, scope))
    .select(['key', 'nextSeq', 'memoryCount'])
    .orderBy('key')
    .limit(PAGE)
    .execute()
  const jobs = await tx
    .selectFrom('mindJob')
    .where('kind', '=', kind)
    .where('mindKey', '>', afterKey)
    .where('mindKey', '<=', minds.at(-1)?.key ?? afterKey)
    .select(['mindKey', 'watermark', 'dueAt', 'madeWith'])
    .execute()
  const jobOf = new Map(jobs.map((job) => [job.mindKey, job]))
  const at = now()
  for (const { key, nextSeq, memoryCount } of minds) {
    const job = jobOf.get(key)
    const isSeen = memoryCount === 0 || (job && job.watermark >= nextSeq - 1 && job.madeWith === madeWith)
    // What waits for its next attempt goes on waiting, unless it is done with something else now.
    if (isSeen || (job?.dueAt && job.madeWith === madeWith)) continue
    const due = { waiting: memoryCount, dueAt: at }
    await tx
      .insertInto('mindJob')
      .values({ kind, mindKey: key, ...due, waitingSince: at, ...UNTOUCHED })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'mindKey']).doUpdateSet((eb) => {
          const waitingSince = eb.fn.coalesce('mindJob.waitingSince', eb.val(at))
          return { ...due, waitingSince }
        })
      )
      .execute()
  }
  return minds.length === PAGE ? minds.at(-1)?.key : undefined
}
