// What holds in one slot. Every fact that a memory stated stays a row, so this can be asked again at any time: when a
// memory arrives late, and when one is forgotten and what it superseded comes back.
import type { Tables } from '../port.ts'
import { ENDED_TIER, foldValue } from './fact.ts'

type Place = Pick<Tables['fact'], 'occurredAt' | 'seq' | 'part'>
type SlotRow = Place & Pick<Tables['fact'], 'value' | 'isRetraction' | 'isStated' | 'tier' | 'supersededBy'>

/**
 * The head of a slot, from its rows in the order of {@link newestFirst}; none when nothing holds and nothing ended.
 *
 * The newest assertion holds, unless it was retracted at the same time or later. A retraction of something else, such as
 * of the employer before the present one, changes nothing. What is not stated outright must be said by two memories.
 * What was corrected is only what held before; where its correction says nothing for the slot, what was said earlier
 * doesn't come back, for that was no longer so either.
 */
export function resolveSlot<Row extends SlotRow>(told: readonly Row[]) {
  const rows = told.filter(({ isRetraction, supersededBy }) => !isRetraction || supersededBy === null)
  const newest = rows.findIndex((row) => !row.isRetraction && !isSaidAnew(row, rows))
  const assertion = rows[newest]
  if (!assertion) return undefined
  const end = rows
    .slice(0, newest)
    .find(({ isRetraction, value }) => isRetraction && ends(value, assertion.value))
  if (end) return { row: end, headTier: ENDED_TIER, replaced: assertion.value }
  if (assertion.supersededBy !== null) return undefined

  if (!assertion.isStated && !isRepeated(rows.slice(newest))) return undefined
  // What the same memory says besides, read in another way, was never so before.
  const before = rows
    .slice(newest)
    .find((row) => !row.isRetraction && row.seq !== assertion.seq && !isSame(row.value, assertion.value))
  return { row: assertion, headTier: assertion.tier, replaced: before?.value ?? null }
}

/**
 * What held in a slot, one after the other, and what ended each: the next, or a retraction that means it. What is told
 * again holds since it was first told.
 *
 * @param rows in the order of {@link newestFirst}
 */
export function heldInSlot<Row extends SlotRow>(rows: readonly Row[]): { row: Row; end: Row | undefined }[] {
  const held: { row: Row; end: Row | undefined }[] = []
  for (const row of rows.toReversed()) {
    const last = held.at(-1)
    const holds = last && !last.end
    if (row.isRetraction) {
      if (holds && ends(row.value, last.row.value)) last.end = row
    } else if (!holds || !isSame(row.value, last.row.value)) {
      if (holds) last.end = row
      held.push({ row, end: undefined })
    }
  }
  return held
}

/** By the time of the event; of one time, what was told last. */
export const newestFirst = (a: Place, b: Place): number =>
  (a.occurredAt < b.occurredAt ? 1 : a.occurredAt > b.occurredAt ? -1 : 0) || b.seq - a.seq || b.part - a.part

/** Whether its correction states something in the same slot: then that holds, whichever is the newer. */
const isSaidAnew = ({ supersededBy }: SlotRow, rows: readonly SlotRow[]): boolean =>
  supersededBy !== null && rows.some(({ seq, isRetraction }) => seq === supersededBy && !isRetraction)

/** Whether another memory says the same, with nothing between them that says otherwise. */
function isRepeated([assertion, ...older]: readonly SlotRow[]): boolean {
  for (const row of older) {
    if (!assertion || row.isRetraction || row.supersededBy !== null) return false
    if (!isSame(row.value, assertion.value)) return false
    if (row.seq !== assertion.seq) return true
  }
  return false
}

/** Whether a retraction means that assertion: what it names is part of it, or the other way round, word for word. */
function ends(retracted: string, stated: string): boolean {
  const a = ` ${foldValue(retracted)} `
  const b = ` ${foldValue(stated)} `
  return a.trim() === '' || a.includes(b) || b.includes(a)
}

const isSame = (a: string, b: string): boolean => foldValue(a) === foldValue(b)
