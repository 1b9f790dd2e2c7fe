// The order in which facts compete for a place in the profile.
import type { FactKind, Subject } from './draft.ts'

/** Who the customer and the speakers are, who else is named, what the first ones are after, and the rest. */
export const PROFILE_TIERS = [0, 1, 2, 3] as const

/** What ended: no place in the profile, but news. */
export const ENDED_TIER = 4

const IDENTITY: ReadonlySet<FactKind> = new Set(['name', 'role', 'company', 'place', 'contact', 'preference'])

export function tierOf({ isMain }: Subject, kind: FactKind): (typeof PROFILE_TIERS)[number] {
  if (IDENTITY.has(kind)) return isMain ? 0 : 1
  return isMain ? 2 : 3
}
