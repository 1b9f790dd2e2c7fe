// Reading what holds: a few rows by index, whatever the Mind has seen.
import { sql } from 'kysely'
import { fullerNames } from '../names.ts'
import { asJson, compiledOnce, type ReadHandle, type Slot, written } from '../port.ts'
import { ENDED_TIER, FACT_LABELS, slotOf, TIERS, topicIn } from './fact.ts'
import { newestFirst } from './resolve-slot.ts'
import { type FactRow, newestFacts } from './store.ts'

export type FactHead = Pick<FactRow, (typeof HEAD)[number]> & { headTier: number; memoryId: string }

const HEAD = [
  'seq',
  'part',
  'subject',
  'kind',
  'slot',
  'value',
  'headTier',
  'replaced',
  'occurredAt'
] as const

/** Shown of each tier, the newest: about as much as there is room for. */
const HEADS_PER_TIER = 32

/** More than any profile and snapshot show; few Minds have as many. */
const FEW = 128

/** Of one slot, so that none crowds out another. */
const MAX_TOLD = 8

/** What was told last in each of these slots, with its memory, the newest first. */
export async function toldInSlots(db: ReadHandle, mindKey: number, slots: readonly string[]) {
  const key = sql<number>`${mindKey}`
  const [first, ...others] = slots.map((slot) =>
    newestFacts(db, key, MAX_TOLD).where('slot', '=', slot).where('supersededBy', 'is', null)
  )
  if (!first) return []
  const rows = await withMemories(db, key, first, others).select('content').execute()
  return rows.sort(newestFirst)
}

type Newest = ReturnType<typeof newestFacts>

/** What several selects have found, each with its memory. */
function withMemories(db: ReadHandle, mindKey: Slot<number>, first: Newest, others: readonly Newest[]) {
  const rowsOf = (newest: Newest) => db.selectFrom(newest.selectAll().as('newest')).selectAll()
  return db
    .selectFrom(others.reduce((all, one) => all.unionAll(rowsOf(one)), rowsOf(first)).as('fact'))
    .innerJoin('memory', (on) => on.onRef('memory.seq', '=', 'fact.seq').on('memory.mindKey', '=', mindKey))
    .selectAll('fact')
    .select('memory.id as memoryId')
}

/** What profile and snapshot are made of: every head if they are few, which is one range of their index. */
export async function newestHeads(db: ReadHandle, mindKey: number) {
  const [read] = await anyHeads(db, mindKey)
  return headsToShow(db, mindKey, read?.heads ?? '[]')
}

/** As `newestHeads`, of what `headsAsJson` gave. */
export async function headsToShow(db: ReadHandle, mindKey: number, json: string) {
  const heads: FactHead[] = JSON.parse(json)
  return asOnePerson(heads.length > FEW ? await newestToShow(db, mindKey) : heads)
}

/**
 * One state of a person who is named now in full and now shortened: of what both were told of, the newest holds. A name
 * that several people may have is the one's of whom that is known.
 */
function asOnePerson(heads: readonly FactHead[]): FactHead[] {
  const names = [...new Set(heads.map(({ subject }) => subject))].filter((name) => name !== '')
  const fuller = fullerNames(names)
  if ([...fuller.values()].every(({ length }) => length === 0)) return [...heads].sort(newestFirst)
  const peopleOf = new Map(
    [...fuller].map(([name, others]) => [name, others.filter((one) => fuller.get(one)?.length === 0)])
  )
  const slotFor = ({ kind, slot }: FactHead, subject: string) =>
    slotOf({ subject: { name: subject, isMain: false }, kind, topic: topicIn(slot) })
  const known = new Set(heads.map(({ slot }) => slot))
  const newest = new Map<string, FactHead>()
  for (const head of [...heads].sort(newestFirst)) {
    const people = peopleOf.get(head.subject) ?? []
    const ofThat = people.length > 1 ? people.filter((one) => known.has(slotFor(head, one))) : people
    const subject = ofThat.length === 1 ? (ofThat[0] ?? '') : head.subject
    const slot = slotFor(head, subject)
    if (!newest.has(slot)) newest.set(slot, { ...head, subject, slot })
  }
  return [...newest.values()]
}

export const headsAsJson = (db: ReadHandle, mindKey: Slot<number>) =>
  asJson(
    db,
    db
      .selectFrom('fact')
      .innerJoin('memory', (on) =>
        on.onRef('memory.seq', '=', 'fact.seq').onRef('memory.mindKey', '=', 'fact.mindKey')
      )
      .where('fact.mindKey', '=', mindKey)
      .where('headTier', 'is not', null)
      .select(HEAD.map((name) => `fact.${name}` as const))
      .select('memory.id as memoryId')
      .orderBy('headTier')
      .limit(FEW + 1),
    [...HEAD, 'memoryId']
  )

const anyHeads = compiledOnce((db, mindKey: Slot<number>) =>
  written(db, sql<{ heads: string }>`select ${headsAsJson(db, mindKey)} as "heads"`)
)

/** What holds, tier by tier, and of each tier the newest first. */
export function profileHeads(newest: readonly FactHead[]) {
  const { heads, isCut } = withinTiers(newest.filter(({ headTier }) => headTier !== ENDED_TIER))
  return { heads: heads.sort(byTier), isCut }
}

export const byTier = (a: FactHead, b: FactHead): number => a.headTier - b.headTier || newestFirst(a, b)

/** What began to hold or ended since then, the newest first. */
export const changesSince = (newest: readonly FactHead[], since: string) =>
  withinTiers(newest.filter(({ occurredAt }) => occurredAt >= since))

function withinTiers(rows: FactHead[]) {
  const counts = new Map<number, number>()
  const heads = rows.sort(newestFirst).filter(({ headTier }) => {
    const count = (counts.get(headTier) ?? 0) + 1
    counts.set(headTier, count)
    return count <= HEADS_PER_TIER
  })
  return { heads, isCut: heads.length < rows.length }
}

/** The newest heads of each tier, in no order. */
export const headsOfEachTier = (perTier: number) =>
  compiledOnce((db, mindKey: Slot<number>) => {
    // Each a range of the heads' index, so that one tier can't crowd out the others.
    const newestOf = (tier: number) => newestFacts(db, mindKey, perTier).where('headTier', '=', sql.lit(tier))
    const [first, ...others] = TIERS
    const heads = withMemories(db, mindKey, newestOf(first), others.map(newestOf))
    return heads.$narrowType<{ headTier: number }>()
  })

/** One more of each tier is read than is shown, to know of it. */
const newestToShow = headsOfEachTier(HEADS_PER_TIER + 1)

/** `Insurer: …`: of what has no kind of its own the topic names it. */
export function labelled({ kind, slot }: Pick<FactHead, 'kind' | 'slot'>, value: string): string {
  const topic = topicIn(slot)
  const label = kind === 'detail' ? `${topic.charAt(0).toUpperCase()}${topic.slice(1)}` : FACT_LABELS[kind]
  return `${label}: ${value}`
}
