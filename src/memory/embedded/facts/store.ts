// The fact rows. Each slot's head is marked where rows are written, so that Recall reads heads only.
import { type Selectable, sql } from 'kysely'
import { compiledOnce, type Slot } from '../../../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../../../database/database.ts'
import type { Flag, Tables } from '../../../database/tables.ts'
import { withoutBorrowed } from './borrowed.ts'
import { type FactDraft, MAX_FACTS, MAX_VALUE_LENGTH } from './draft.ts'
import { foldValue } from './fold-value.ts'
import { newestFirst, settle } from './settle.ts'
import { tierOf } from './tiers.ts'

type FactRow = Selectable<Tables['fact']>

/** The newest statements of a slot that are looked at, and retractions: the most that a flood of either can cost. */
const SETTLED_ROWS = 16

/** Keeps what a memory states, and settles what that changes. */
export async function insertFacts(
  tx: WriteHandle,
  mindKey: number,
  { seq, occurredAt }: { seq: number; occurredAt: string },
  drafts: readonly FactDraft[]
): Promise<void> {
  const rows = drafts
    .slice(0, MAX_FACTS)
    .map((draft, part) => rowOf(draft, { mindKey, seq, part, occurredAt, origin: 'rules' }))
  for (const slot of slotsOf(rows)) {
    const own = rows.filter((row) => row.slot === slot)
    await settleSlot(tx, mindKey, slot, own)
  }
  if (rows.length > 0) await tx.insertInto('fact').values(rows).execute()
}

/** Takes away what a memory states; what that superseded holds again. */
export async function deleteFactsOf(tx: WriteHandle, mindKey: number, seq: number): Promise<void> {
  const deleted = await tx
    .deleteFrom('fact')
    .where('mindKey', '=', mindKey)
    .where('seq', '=', seq)
    .returning('slot')
    .execute()
  for (const slot of slotsOf(deleted)) {
    await settleSlot(tx, mindKey, await withoutBorrowed(tx, mindKey, slot), [])
  }
}

const slotsOf = (rows: readonly { slot: string }[]): Set<string> => new Set(rows.map(({ slot }) => slot))

/** A row that is yet to be settled. */
export const rowOf = (
  draft: FactDraft,
  place: Pick<FactRow, 'mindKey' | 'seq' | 'part' | 'occurredAt' | 'origin'>
): FactRow => ({
  ...place,
  subject: draft.subject.name,
  kind: draft.kind,
  slot: slotOf(draft),
  value: draft.value.slice(0, MAX_VALUE_LENGTH),
  isRetraction: draft.isRetraction ? 1 : 0,
  isStated: draft.isStated ? 1 : 0,
  tier: tierOf(draft.subject, draft.kind),
  headTier: null,
  replaced: null
})

/** What it answers: of a slot only the newest holds. */
export const slotOf = ({ subject, kind, topic }: Pick<FactDraft, 'subject' | 'kind' | 'topic'>): string =>
  [foldValue(subject.name), kind, topic].join('|')

/** Marks the slot's head among what is kept and `added`, which is yet to be inserted. */
export async function settleSlot(
  tx: WriteHandle,
  mindKey: number,
  slot: string,
  added: readonly FactRow[]
): Promise<void> {
  const kept = await newestOfSlot(tx, mindKey, slot)
  const head = settle([...kept, ...added].sort(newestFirst))
  const marked = kept.find(({ headTier }) => headTier !== null)
  // A head that so much was told about since that it is out of sight.
  const isHidden = !marked && kept.length >= SETTLED_ROWS
  if (isHidden || (marked && marked !== head?.row)) await unmarkHead(tx, mindKey, slot)
  if (!head) return
  const { row, headTier, replaced } = head
  if (added.includes(row)) Object.assign(row, { headTier, replaced })
  else if (row.headTier !== headTier || row.replaced !== replaced)
    await markHead(tx, row, { headTier, replaced })
}

const newestOfSlot = compiledOnce((db, mindKey: Slot<number>, slot: Slot<string>) =>
  newestOf(db, mindKey, slot, 0).unionAll(newestOf(db, mindKey, slot, 1))
)

/** The newest statements of a slot, or its newest retractions: neither can crowd out the others. */
const newestOf = (db: ReadHandle, mindKey: Slot<number>, slot: Slot<string>, isRetraction: Flag) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('fact')
        .where('mindKey', '=', mindKey)
        .where('slot', '=', slot)
        .where('isRetraction', '=', sql.lit(isRetraction))
        .selectAll()
        .orderBy('occurredAt', 'desc')
        .orderBy('seq', 'desc')
        .orderBy('part', 'desc')
        .limit(SETTLED_ROWS)
        .as('newest')
    )
    .selectAll()

/** Before another one is marked: an index allows one head for each slot. */
async function unmarkHead(tx: WriteHandle, mindKey: number, slot: string): Promise<void> {
  await tx
    .updateTable('fact')
    .set({ headTier: null, replaced: null })
    .where('mindKey', '=', mindKey)
    .where('slot', '=', slot)
    .where('headTier', 'is not', null)
    .execute()
}

async function markHead(
  tx: WriteHandle,
  { mindKey, seq, part }: FactRow,
  { headTier, replaced }: { headTier: number; replaced: string | null }
): Promise<void> {
  await tx
    .updateTable('fact')
    .set({ headTier, replaced })
    .where('mindKey', '=', mindKey)
    .where('seq', '=', seq)
    .where('part', '=', part)
    .execute()
}

declare module '../../../database/tables.ts' {
  interface Tables {
    /** One thing that a memory says. What holds now is decided slot by slot, see src/memory/embedded/facts/settle.ts. */
    fact: {
      mindKey: number
      /** The memory that it stands on. */
      seq: number
      /** Its place among the memory's facts. */
      part: number
      /** Whom it is about, as it is spelled there; empty for the customer. */
      subject: string
      kind: string
      /** What it answers, such as `dana reyes|company`: of a slot only the newest counts. */
      slot: string
      /** Of a retraction what has ended; empty for whatever there was. */
      value: string
      isRetraction: Flag
      /** Whether it counts at its first mention; otherwise a second memory must say it too. */
      isStated: Flag
      /** Where it belongs in the profile, the most telling first. */
      tier: number
      occurredAt: string
      /** Set on the one fact of its slot that holds now, or that ended it; null on every other. */
      headTier: number | null
      /** On a head: what held before it. */
      replaced: string | null
      /** Who read it from the memory. */
      origin: 'rules' | 'model'
    }
  }
}
