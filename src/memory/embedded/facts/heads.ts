// Reading what holds: a few rows by index, whatever the Mind has seen.
import { sql } from 'kysely'
import { compiledOnce, type ReadHandle, type Slot } from '../port.ts'
import { ALL_TIERS, ENDED_TIER, PROFILE_TIERS } from './fact.ts'
import { newestFirst } from './resolve-slot.ts'
import { type FactRow, newestFacts } from './store.ts'

export interface FactHead
  extends Omit<FactRow, 'mindKey' | 'slot' | 'isRetraction' | 'isStated' | 'tier' | 'origin'> {
  headTier: number
  memoryId: string
}

/** Shown of each tier, the newest: about as much as there is room for. */
const HEADS_PER_TIER = 16

/** More than any profile and snapshot show; few Minds have as many. */
const FEW = 64

/** Every head of the Mind if they are few: one range of their index then answers for profile and snapshot. */
export async function fewHeads(db: ReadHandle, mindKey: number): Promise<FactHead[] | undefined> {
  const heads = await anyHeads(db, mindKey, FEW + 1)
  return heads.length > FEW ? undefined : heads
}

const anyHeads = compiledOnce((db, mindKey: Slot<number>, count: Slot<number>) =>
  db
    .selectFrom('fact')
    .innerJoin('memory', (on) =>
      on.onRef('memory.seq', '=', 'fact.seq').onRef('memory.mindKey', '=', 'fact.mindKey')
    )
    .where('fact.mindKey', '=', mindKey)
    .where('headTier', 'is not', null)
    .select(['fact.seq', 'part', 'subject', 'kind', 'value', 'headTier', 'replaced', 'fact.occurredAt'])
    .select('memory.id as memoryId')
    .$narrowType<{ headTier: number }>()
    .orderBy('headTier')
    .limit(count)
)

/** What holds, tier by tier, and of each tier the newest first; from `known` where every head was read already. */
export async function profileHeads(db: ReadHandle, mindKey: number, known?: readonly FactHead[]) {
  const holding = known?.filter(({ headTier }) => headTier !== ENDED_TIER)
  const { heads, isCut } = withinTiers(holding ?? (await headsHolding(db, mindKey, '')))
  return { heads: heads.sort(byTier), isCut }
}

export const byTier = (a: FactHead, b: FactHead): number => a.headTier - b.headTier || newestFirst(a, b)

/** What began to hold or ended since then, the newest first; from `known` where every head was read already. */
export async function changesSince(
  db: ReadHandle,
  mindKey: number,
  since: string,
  known?: readonly FactHead[]
) {
  const changed = known?.filter(({ occurredAt }) => occurredAt >= since)
  return withinTiers(changed ?? (await headsChanged(db, mindKey, since)))
}

/** One more of each tier is read than is shown, to know of it. */
function withinTiers(rows: FactHead[]) {
  const counts = new Map<number, number>()
  const heads = rows.sort(newestFirst).filter(({ headTier }) => {
    const count = (counts.get(headTier) ?? 0) + 1
    counts.set(headTier, count)
    return count <= HEADS_PER_TIER
  })
  return { heads, isCut: heads.length < rows.length }
}

const headsHolding = headsOfTiers(PROFILE_TIERS)
const headsChanged = headsOfTiers(ALL_TIERS)

/** The newest heads of each tier since then, in no order. */
export function headsOfTiers(tiers: readonly number[], perTier = HEADS_PER_TIER + 1) {
  return compiledOnce((db, mindKey: Slot<number>, since: Slot<string>) => {
    // Each a range of the heads' index, so that one tier can't crowd out the others.
    const [first, ...others] = tiers.map((tier) =>
      db
        .selectFrom(
          newestFacts(db, mindKey, perTier)
            .where('headTier', '=', sql.lit(tier))
            .where('occurredAt', '>=', since)
            .select(['seq', 'part', 'subject', 'kind', 'slot', 'value', 'headTier', 'replaced', 'occurredAt'])
            .as('newest')
        )
        .selectAll()
    )
    if (!first) throw new Error('There is no tier to read')
    return db
      .selectFrom(others.reduce((all, other) => all.unionAll(other), first).as('head'))
      .innerJoin('memory', (on) => on.onRef('memory.seq', '=', 'head.seq').on('memory.mindKey', '=', mindKey))
      .selectAll('head')
      .select('memory.id as memoryId')
      .$narrowType<{ headTier: number }>()
  })
}
