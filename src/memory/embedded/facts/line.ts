// How a fact reads, with the day and the memory that it stands on.
import type { FactKind } from './draft.ts'
import type { FactHead } from './heads.ts'
import { ENDED_TIER } from './tiers.ts'

const LABELS: Record<FactKind, string> = {
  name: 'Name',
  role: 'Role',
  company: 'Company',
  place: 'Place',
  contact: 'Contact',
  preference: 'Prefers',
  relation: 'Relation',
  plan: 'Plan',
  goal: 'Goal',
  like: 'Taste',
  event: 'Event'
}

const labelled = (kind: FactKind, value: string): string => `${LABELS[kind]}: ${value}`

/** `Role: CFO at Northwind (2026-05-03, mem_…)` */
export const factLine = ({ kind, value, occurredAt, memoryId }: FactHead): string =>
  `${labelled(kind, value)} (${dayOf(occurredAt)}, ${memoryId})`

/** `2026-05-03 Dana Reyes, Place: Lisbon, before: Porto (mem_…)` */
export function changeLine(head: FactHead): string {
  const { kind, value, headTier, replaced, memoryId } = head
  const change =
    headTier === ENDED_TIER
      ? `no longer ${labelled(kind, replaced ?? value)}`
      : `${labelled(kind, value)}${replaced === null ? '' : `, before: ${replaced}`}`
  return `${dayOf(head.occurredAt)} ${head.subject || 'The customer'}, ${change} (${memoryId})`
}

export const dayOf = (at: string): string => at.slice(0, 10)
