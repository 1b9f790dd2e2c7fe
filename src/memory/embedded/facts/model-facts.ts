// The facts that a language model read from memories. They stand beside those of the rules and are resolved with them.
import type { WriteHandle } from '../port.ts'
import { type FactDraft, foldValue, MAX_FACTS, slotOf } from './fact.ts'
import { DISTANCE_IN_PART, type FactRow, giveBackNames, rowOf, slotsOf, updateHeads } from './store.ts'

/** A draft with its own time: an event may be told long after it happened. */
export interface ModelFact extends FactDraft {
  occurredAt: string
  /** The fact that its slot was named by, where that isn't a new one. */
  follows?: FactPlace | undefined
  /** The `seq` of a memory before without which it says nothing, such as the question that it answers. */
  standsOn?: number
}

export type FactPlace = Pick<FactRow, 'seq' | 'part'>

type Said = Pick<FactRow, 'kind' | 'subject' | 'value' | 'isRetraction'>
type FactsOf = ReadonlyMap<number, readonly ModelFact[]>

const FIRST_PART = 100

/** In the place of what was read from these memories before. What the rules read from one too is not kept twice. */
export async function replaceModelFacts(tx: WriteHandle, mindKey: number, factsOf: FactsOf): Promise<void> {
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
  const corrected = await correctedAt(tx, mindKey, factsOf)
  const rows = [...factsOf].flatMap(([seq, facts]) => {
    const own = ruled.filter((row) => row.seq === seq)
    const fresh = facts.filter((fact) => !own.some((row) => saysAsMuch(row, fact))).slice(0, MAX_FACTS)
    return fresh.map((fact, index) => {
      const distance = seq - (fact.standsOn ?? seq)
      const part = FIRST_PART + index + DISTANCE_IN_PART * distance
      const row = rowOf(fact, { mindKey, seq, part, occurredAt: fact.occurredAt, origin: 'model' })
      row.supersededBy = corrected.get(seq) ?? corrected.get(seq - distance) ?? null
      return row
    })
  })
  await updateHeads(tx, mindKey, slotsOf([...deleted, ...rows]), rows)
  // One by one: a prepared statement for each number of rows would crowd the cache.
  for (const row of rows) await tx.insertInto('fact').values(row).execute()
  await giveBackNames(tx, mindKey, orphaned)
}

/** Which of them, and of those that their facts stand on, were corrected before they were read, and by which. */
async function correctedAt(tx: WriteHandle, mindKey: number, factsOf: FactsOf) {
  const standsOn = [...factsOf.values()].flat().flatMap(({ standsOn = [] }) => standsOn)
  const corrected = await tx
    .selectFrom('memory')
    .where('mindKey', '=', mindKey)
    .where('seq', 'in', [...new Set([...factsOf.keys(), ...standsOn])])
    .where('supersededBy', 'is not', null)
    .select(['seq', 'supersededBy'])
    .execute()
  return new Map(corrected.map(({ seq, supersededBy }) => [seq, supersededBy]))
}

/** Slots that were named by a fact which was forgotten while the model read. */
async function orphansOf(tx: WriteHandle, mindKey: number, factsOf: FactsOf): Promise<ReadonlySet<string>> {
  const facts = [...factsOf.values()].flat()
  const following = facts.flatMap((fact) => (fact.follows ? [{ slot: slotOf(fact), ...fact.follows }] : []))
  const seqs = [...new Set(following.map(({ seq }) => seq))]
  if (seqs.length === 0) return new Set()
  const kept = await tx
    .selectFrom('fact')
    .where('mindKey', '=', mindKey)
    .where('seq', 'in', seqs)
    .select(['seq', 'part'])
    .execute()
  const isKept = (place: FactPlace) => kept.some(({ seq, part }) => seq === place.seq && part === place.part)
  return slotsOf(following.filter((place) => !isKept(place)))
}

/** Whether the rules read it, too. Of a speaker's own words they and a model may differ in whom they call the customer. */
function saysAsMuch(row: Said, { kind, subject, value, isRetraction }: ModelFact): boolean {
  if (row.kind !== kind || (row.isRetraction === 1) !== isRetraction) return false
  if (row.subject !== '' && subject.name !== '' && foldValue(row.subject) !== foldValue(subject.name))
    return false
  return ` ${foldValue(row.value)} `.includes(` ${foldValue(value)} `)
}
