// Which pages of the portal a visitor has: the one rule for the menu and for what opens when an address is typed.
import type { PortalVisitor } from '../env.ts'

/** A page by the path below the portal's base; home is the empty one. */
export type PortalPlace = '' | 'chat' | 'memory' | 'team' | 'agents' | 'account'

export const placesOf = (visitor: Pick<PortalVisitor, 'role' | 'features' | 'agents'>): PortalPlace[] =>
  PLACES.filter((place) => isOffered(place, visitor) && (isManager(visitor) || !MANAGED.has(place)))

/** Whether the partner offers that place to this customer at all, whoever of them visits. */
export const isOffered = (place: PortalPlace, visitor: Pick<PortalVisitor, 'features' | 'agents'>): boolean =>
  IS_OFFERED[place](visitor)

/** Owner and admins manage; members read and ask. */
export const isManager = ({ role }: Pick<PortalVisitor, 'role'>): boolean => role !== 'member'

const PLACES: readonly PortalPlace[] = ['', 'chat', 'memory', 'team', 'agents', 'account']

const MANAGED: ReadonlySet<PortalPlace> = new Set(['team', 'agents'])

type Offer = (visitor: Pick<PortalVisitor, 'features' | 'agents'>) => boolean

const IS_OFFERED: Record<PortalPlace, Offer> = {
  '': () => true,
  chat: ({ agents }) => agents.length > 0,
  memory: ({ features }) => features.hasMemory && features.showKnowledgeBase,
  team: ({ features }) => features.hasTeam,
  agents: ({ features }) => features.showIntegration,
  account: () => true
}
