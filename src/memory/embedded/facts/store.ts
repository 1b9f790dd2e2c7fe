// The fact rows. Each slot's head is told where rows are written, so that Recall reads heads only.
import { type ExpressionBuilder, sql } from 'kysely'
import { fold } from '../fold.ts'
import type { Flag, ReadHandle, Slot, Tables, WriteHandle } from '../port.ts'
import { compiledOnce, insertOf, newId } from '../port.ts'
import type { FactDraft, FactKind } from './fact.ts'
import { foldValue, MAX_FACTS, MAX_VALUE_LENGTH, slotOf, tierOf, topicIn } from './fact.ts'
import { newestFirst, resolveSlot } from './resolve-slot.ts'

declare module '../../../database/tables.ts' {
  interface Tables {
    /** One thing that a memory says. What holds now is decided slot by slot, see src/memory/embedded/facts/resolve-slot.ts. */
    fact: {
      mindKey: number
      seq: number
      /** Tells a memory's facts apart; from `DISTANCE_IN_PART` on, it also tells how far before it the memory is that it stands on as well. */
      part: number
      /** Whom it is about, as it is spelled there; empty for the customer. */
      subject: string
      kind: FactKind
      /** What it answers, such as `dana reyes|company`: of a slot only the newest counts. */
      slot: string
      value: string
      isRetraction: Flag
      isStated: Flag
      tier: number
      occurredAt: string
      /** Set on the one fact of its slot that holds now, or that ended it; null on every other. */
      headTier: number | null
      /** On a head: what held before it. */
      replaced: string | null
      origin: 'rules' | 'model'
      /** The `seq` of the memory that corrected what it was read from; null while that holds. */
      supersededBy: number | null
    }
  }
}

export type FactRow = Tables['fact']

/** The newest assertions of a slot that are looked at, and retractions: the most that a flood of either can cost. */
const RESOLVED_ROWS = 16

export async function insertFacts(
  tx: WriteHandle,
  mindKey: number,
  { seq, occurredAt }: { seq: number; occurredAt: string },
  drafts: readonly FactDraft[]
): Promise<void> {
  const rows = drafts
    .slice(0, MAX_FACTS)
    .map((draft, part) => rowOf(draft, { mindKey, seq, part, occurredAt, origin: 'rules' }))
  await updateHeads(tx, mindKey, slotsOf(rows), rows)
  await insertRows(tx, rows)
}

const insertRows = insertOf('fact', [
  ...(['mindKey', 'seq', 'part', 'subject', 'kind', 'slot', 'value', 'isRetraction', 'isStated'] as const),
  ...(['tier', 'occurredAt', 'headTier', 'replaced', 'origin', 'supersededBy'] as const)
])

export const DISTANCE_IN_PART = 1_000
/** No fact stands on a memory that is further back. */
export const MAX_DISTANCE = 99

/** The other memory that a fact stands on, or its own. */
const standsOn = sql<number>`"fact"."seq" - "fact"."part" / ${sql.lit(DISTANCE_IN_PART)}`

/** The facts that stand on that memory: its own, and those of later ones. */
const standingOn = (seq: number) => (eb: ExpressionBuilder<Tables, 'fact'>) =>
  eb.and([
    eb('seq', '>=', seq),
    eb('seq', '<=', seq + MAX_DISTANCE),
    eb.or([eb('seq', '=', seq), eb(standsOn, '=', seq)])
  ])

/** Lets what a memory states hold no more once it was corrected, and again once its correction is gone. */
export async function markFactsOf(tx: WriteHandle, mindKey: number, seq: number): Promise<void> {
  const marked = await tx
    .updateTable('fact')
    .set((eb) => ({
      ...NO_HEAD,
      supersededBy: eb
        .selectFrom('memory')
        .whereRef('memory.mindKey', '=', 'fact.mindKey')
        .where(sql<boolean>`"memory"."seq" in ("fact"."seq", ${standsOn})`)
        .where('memory.supersededBy', 'is not', null)
        .select('memory.supersededBy')
        .orderBy('memory.seq', 'desc')
        .limit(1)
    }))
    .where('mindKey', '=', mindKey)
    .where(standingOn(seq))
    .returning('slot')
    .execute()
  await updateHeads(tx, mindKey, slotsOf(marked), [])
}

/** Takes away what a memory states, and what others state only together with it; what that superseded holds again. */
export async function deleteFactsOf(tx: WriteHandle, mindKey: number, seq: number): Promise<void> {
  const deleted = await tx
    .deleteFrom('fact')
    .where('mindKey', '=', mindKey)
    .where(standingOn(seq))
    .returning('slot')
    .execute()
  await giveBackNames(tx, mindKey, slotsOf(deleted))
}

export const slotsOf = (rows: readonly { slot: string }[]): Set<string> =>
  new Set(rows.map(({ slot }) => slot))

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
  supersededBy: null,
  ...NO_HEAD
})

/** Finds the slots' heads anew among what is kept and `added`, which is yet to be inserted. */
export async function updateHeads(tx: WriteHandle, mindKey: number, slots: Set<string>, added: FactRow[]) {
  for (const slot of slots) {
    const own = added.filter((row) => row.slot === slot)
    await updateHead(tx, mindKey, slot, own)
  }
}

async function updateHead(tx: WriteHandle, mindKey: number, slot: string, added: readonly FactRow[]) {
  const update = (head: Pick<FactRow, 'headTier' | 'replaced'>) =>
    tx.updateTable('fact').set(head).where('mindKey', '=', mindKey)
  const kept = await newestOfSlot(tx, mindKey, slot)
  const head = resolveSlot([...kept, ...added].sort(newestFirst))
  const before = kept.find(({ headTier }) => headTier !== null)
  // A head that so much was told about since that it is out of sight.
  const isHidden = !before && kept.length >= RESOLVED_ROWS
  // First, since an index allows one head for each slot.
  if (isHidden || (before && before !== head?.row)) {
    await update(NO_HEAD).where('slot', '=', slot).where('headTier', 'is not', null).execute()
  }
  if (!head) return
  const { row, headTier, replaced } = head
  if (added.includes(row)) Object.assign(row, { headTier, replaced })
  else if (row.headTier !== headTier || row.replaced !== replaced) {
    await update({ headTier, replaced }).where('seq', '=', row.seq).where('part', '=', row.part).execute()
  }
}

const NO_HEAD = { headTier: null, replaced: null }

const newestOfSlot = compiledOnce((db, mindKey: Slot<number>, slot: Slot<string>) =>
  newestOf(db, mindKey, slot, 0).unionAll(newestOf(db, mindKey, slot, 1))
)

/** The newest assertions of a slot, or its newest retractions: neither can crowd out the others. */
const newestOf = (db: ReadHandle, mindKey: Slot<number>, slot: Slot<string>, isRetraction: Flag) =>
  db
    .selectFrom(
      newestFacts(db, mindKey, RESOLVED_ROWS)
        .where('slot', '=', slot)
        .where('isRetraction', '=', sql.lit(isRetraction))
        .selectAll()
        .as('newest')
    )
    .selectAll()

/** In the order of `newestFirst`. */
export const newestFacts = (db: ReadHandle, mindKey: Slot<number>, count: number) =>
  db
    .selectFrom('fact')
    .where('mindKey', '=', mindKey)
    .orderBy('occurredAt', 'desc')
    .orderBy('seq', 'desc')
    .orderBy('part', 'desc')
    .limit(count)

// A model's fact may stand in a slot that another memory gave its name: whose it is, and what about. When that memory is
// forgotten, what only it had said goes from those names, too.

/** Facts of a slot that are looked at; others of the model's stand on the same names. */
const LOOKED_AT = 8

const OWN_TOPICS: ReadonlySet<string> = new Set(['', 'email', 'phone'])

/** Takes from the slots' names what no memory says that is left in them, and with it what is nothing without. */
export async function giveBackNames(tx: WriteHandle, mindKey: number, slots: Iterable<string>) {
  for (const slot of slots) await updateHead(tx, mindKey, await withoutBorrowed(tx, mindKey, slot), [])
}

/** @returns the slot's name from now on; it is yet to be resolved */
async function withoutBorrowed(tx: WriteHandle, mindKey: number, slot: string) {
  const rows = await tx
    .selectFrom('fact')
    .innerJoin('memory', (on) =>
      on
        .onRef('memory.mindKey', '=', 'fact.mindKey')
        .on(sql<boolean>`"memory"."seq" in ("fact"."seq", ${standsOn})`)
    )
    .where('fact.mindKey', '=', mindKey)
    .where('slot', '=', slot)
    .select(['origin', 'isRetraction', 'subject', 'kind', 'content'])
    // The rules' first: they name a slot by their own memory's words alone.
    .orderBy('origin', 'desc')
    .orderBy('isRetraction')
    .orderBy('fact.seq', 'desc')
    .limit(LOOKED_AT)
    .execute()
  const [first] = rows
  if (!first || first.origin === 'rules') return slot
  const said = fold(rows.map(({ content }) => content).join('\n'))
  const subject = first.subject
    .split(' ')
    .filter((word) => said.includes(fold(word)))
    .join(' ')
  if (first.isRetraction === 1 || (first.subject !== '' && subject === '')) {
    await tx.deleteFrom('fact').where('mindKey', '=', mindKey).where('slot', '=', slot).execute()
    return slot
  }
  const topic = topicIn(slot)
  const isSaid = OWN_TOPICS.has(topic) || topic.split(' ').every((word) => said.includes(word))
  const named = [foldValue(subject), first.kind, isSaid ? topic : newId('topic')].join('|')
  if (named === slot) return slot
  // An index allows one head for each slot, and there may be one of that name.
  const renamed = { slot: named, subject, ...NO_HEAD }
  await tx.updateTable('fact').set(renamed).where('mindKey', '=', mindKey).where('slot', '=', slot).execute()
  return named
}
