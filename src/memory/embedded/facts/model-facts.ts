// The facts that a language model read from memories. They stand beside those of the rules and are settled with them.
import type { WriteHandle } from '../../../database/database.ts'
import { withoutBorrowed } from './borrowed.ts'
import { type FactDraft, MAX_FACTS } from './draft.ts'
import { foldValue } from './fold-value.ts'
import { rowOf, settleSlot, slotOf } from './store.ts'

/** A draft with its own time: an event may be told long after it happened. */
export interface ModelFact extends FactDraft {
  occurredAt: string
  /** The fact that its slot was named by, where that isn't a new one. */
  follows?: FactPlace | undefined
}

export interface FactPlace {
  seq: number
  part: number
}

/** Parts of the rules are below. */
const FIRST_PART = 100

/**
 * Keeps what a model read from these memories, in the place of what it may have read from them before. What the rules
 * read from the same memory is not kept twice.
 */
export async function replaceModelFacts(
  tx: WriteHandle,
  mindKey: number,
  factsOf: ReadonlyMap<number, readonly ModelFact[]>
): Promise<void> {
  const seqs = [...factsOf.keys()]
  if (seqs.length === 0) return
  const orphaned = await orphansOf(tx, mindKey, factsOf)
  const deleted = await tx
    .deleteFrom('fact')
    .where('mindKey', '=', mindKey)
    .where('seq', 'in', seqs)
    .where('origin', '=', 'model')
    .returning('slot')
    .execute()
  const ruled = await tx
    .selectFrom('fact')
    .where('mindKey', '=', mindKey)
    .where('seq', 'in', seqs)
    .select(['seq', 'kind', 'subject', 'value', 'isRetraction'])
    .execute()
  const rows = [...factsOf].flatMap(([seq, facts]) => {
    const own = ruled.filter((row) => row.seq === seq)
    return facts
      .filter((fact) => !own.some((row) => saysAsMuch(row, fact)))
      .slice(0, MAX_FACTS)
      .map((fact, index) => {
        const { occurredAt } = fact
        return rowOf(fact, { mindKey, seq, part: FIRST_PART + index, occurredAt, origin: 'model' })
      })
  })
  for (const slot of new Set([...deleted, ...rows].map((row) => row.slot))) {
    const added = rows.filter((row) => row.slot === slot)
    await settleSlot(tx, mindKey, slot, added)
  }
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE)
    await tx.insertInto('fact').values(some).execute()
  }
  for (const slot of new Set(rows.filter(({ slot }) => orphaned.has(slot)).map((row) => row.slot))) {
    await settleSlot(tx, mindKey, await withoutBorrowed(tx, mindKey, slot), [])
  }
}

/** Slots that were named by facts which were forgotten since the model was shown them. */
async function orphansOf(
  tx: WriteHandle,
  mindKey: number,
  factsOf: ReadonlyMap<number, readonly ModelFact[]>
): Promise<ReadonlySet<string>> {
  const following = [...factsOf.values()].flat().flatMap((fact) => (fact.follows ? [fact] : []))
  const seqs = [...new Set(following.map(({ follows }) => follows?.seq ?? 0))]
  if (seqs.length === 0) return new Set()
  const kept = await tx
    .selectFrom('fact')
    .where('mindKey', '=', mindKey)
    .where('seq', 'in', seqs)
    .select(['seq', 'part'])
    .execute()
  const places = new Set(kept.map(({ seq, part }) => `${seq}/${part}`))
  return new Set(
    following
      .filter(({ follows }) => !places.has(`${follows?.seq}/${follows?.part}`))
      .map((fact) => slotOf(fact))
  )
}

/** A prepared statement for each number of rows would crowd the cache. */
const ROWS_AT_ONCE = 10

interface RuledFact {
  kind: string
  subject: string
  value: string
  isRetraction: 0 | 1
}

/** Whether the rules read it, too. Of a speaker's own words they and a model may differ in whom they call the customer. */
function saysAsMuch(row: RuledFact, { kind, subject, value, isRetraction }: ModelFact): boolean {
  if (row.kind !== kind || (row.isRetraction === 1) !== isRetraction) return false
  if (row.subject !== '' && subject.name !== '' && foldValue(row.subject) !== foldValue(subject.name))
    return false
  return ` ${foldValue(row.value)} `.includes(` ${foldValue(value)} `)
}
