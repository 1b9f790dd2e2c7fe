// Reading what holds: a few rows by index, whatever the Mind has seen.
import { sql } from 'kysely'
import { compiledOnce, type ReadHandle, type Slot } from '../port.ts'
import { ENDED_TIER, TIERS } from './fact.ts'
import { newestFirst } from './resolve-slot.ts'
import { newestFacts } from './store.ts'

export type FactHead = Awaited<ReturnType<typeof newestHeads>>[number]

/** Shown of each tier, the newest: about as much as there is room for. */
const HEADS_PER_TIER = 16

/** More than any profile and snapshot show; few Minds have as many. */
const FEW = 64

/** What was told in one slot, the newest first, each with its memory. */
export const toldInSlot = compiledOnce((db, mindKey: Slot<number>, slot: Slot<string>) =>
  db
    .selectFrom('fact')
    .innerJoin('memory', (on) =>
      on.onRef('memory.seq', '=', 'fact.seq').onRef('memory.mindKey', '=', 'fact.mindKey')
    )
    .where('fact.mindKey', '=', mindKey)
    .where('slot', '=', slot)
    .select([
      'subject',
      'kind',
      'value',
      'isRetraction',
      'fact.occurredAt',
      'memory.id as memoryId',
      'content'
    ])
    .orderBy('fact.occurredAt', 'desc')
    .orderBy('fact.seq', 'desc')
    .orderBy('part', 'desc')
    .limit(4)
)

/** What profile and snapshot are made of: every head if they are few, which is one range of their index. */
export async function newestHeads(db: ReadHandle, mindKey: number) {
  const heads = await anyHeads(db, mindKey)
  return heads.length > FEW ? newestToShow(db, mindKey) : heads
}

const anyHeads = compiledOnce((db, mindKey: Slot<number>) =>
  db
    .selectFrom('fact')
    .innerJoin('memory', (on) =>
      on.onRef('memory.seq', '=', 'fact.seq').onRef('memory.mindKey', '=', 'fact.mindKey')
    )
    .where('fact.mindKey', '=', mindKey)
    .where('headTier', 'is not', null)
    .select(['fact.seq', 'part', 'subject', 'kind', 'slot', 'value', 'headTier', 'replaced'])
    .select(['fact.occurredAt', 'memory.id as memoryId'])
    .$narrowType<{ headTier: number }>()
    .orderBy('headTier')
    .limit(FEW + 1)
)

/** One more of each tier is read than is shown, to know of it. */
const newestToShow = headsOfEachTier(HEADS_PER_TIER + 1)

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
export function headsOfEachTier(perTier: number) {
  return compiledOnce((db, mindKey: Slot<number>) => {
    // Each a range of the heads' index, so that one tier can't crowd out the others.
    const newestOf = (tier: number) => {
      const newest = newestFacts(db, mindKey, perTier).where('headTier', '=', sql.lit(tier))
      return db.selectFrom(newest.select(HEAD).as('newest')).selectAll()
    }
    const [first, ...others] = TIERS
    return db
      .selectFrom(others.reduce((all, tier) => all.unionAll(newestOf(tier)), newestOf(first)).as('head'))
      .innerJoin('memory', (on) => on.onRef('memory.seq', '=', 'head.seq').on('memory.mindKey', '=', mindKey))
      .selectAll('head')
      .select('memory.id as memoryId')
      .$narrowType<{ headTier: number }>()
  })
}

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
