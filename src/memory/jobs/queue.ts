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

const COLUMNS = sql.raw(
  '"kind", "mindKey", "watermark", "waiting", "waitingSince", "dueAt", "attempts", "refusals", "failures", "isUnsure"'
)

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
      sql`insert into "mindJob" (${COLUMNS})
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
  const page = mindsIn(tx, scope).where('key', '>', afterKey).orderBy('key').limit(PAGE)
  const minds = await page.execute()
  const at = now()
  // What waits for its next attempt goes on waiting, unless it is done with something else now.
  await sql`
    insert into "mindJob" (${COLUMNS})
    select ${kind}, "mind"."key", 0, "memoryCount", ${at}, ${at}, 0, 0, 0, 0 from "mind"
    left join "mindJob" as "job" on "job"."mindKey" = "mind"."key" and "job"."kind" = ${kind}
    where "mind"."key" in (${page}) and "memoryCount" > 0 and ("job"."mindKey" is null
      or "job"."madeWith" is distinct from ${madeWith}
      or ("job"."dueAt" is null and "job"."watermark" < "nextSeq" - 1))
    on conflict ("kind", "mindKey") do update set "waiting" = excluded."waiting", "dueAt" = excluded."dueAt",
      "waitingSince" = coalesce("mindJob"."waitingSince", excluded."waitingSince")`.execute(tx)
  return minds.length === PAGE ? minds.at(-1)?.key : undefined
}
