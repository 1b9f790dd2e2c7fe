// Which pages of the portal a visitor has: the one rule for the menu and for what opens when an address is typed.
import type { Text } from '../../../src/language/say.ts'
import type { PortalVisitor } from '../env.ts'
import type { IconName } from '../ui/icon.tsx'

/** Pages by the path below the portal's base, in the order of the menu; home is the empty one. */
export type PortalPlace = '' | 'chat' | 'memory' | 'team' | 'usage' | 'statements' | 'agents' | 'account'

interface Place {
  label: Text
  icon: IconName
  /** Whether the partner offers it to this customer at all, whoever of them visits. */
  isOffered(visitor: Pick<PortalVisitor, 'features' | 'agents' | 'isLookingOn'>): boolean
  /** Only who manages has it. */
  isManaged?: true
}

export const PLACES = {
  '': { label: 'Home', icon: 'home', isOffered: () => true },
  chat: { label: 'Chat', icon: 'chat', isOffered: ({ agents }) => agents.length > 0 },
  memory: {
    label: 'Memory',
    icon: 'memory',
    isOffered: ({ features }) => features.hasMemory && features.showKnowledgeBase
  },
  team: { label: 'Team', icon: 'people', isOffered: ({ features }) => features.hasTeam, isManaged: true },
  usage: {
    label: 'Usage',
    icon: 'chart',
    isOffered: ({ features }) => features.hasAnalytics,
    isManaged: true
  },
  statements: { label: 'Statements', icon: 'receipt', isOffered: () => true, isManaged: true },
  agents: {
    label: 'Agents',
    icon: 'plug',
    isOffered: ({ features }) => features.showIntegration,
    isManaged: true
  },
  // Of nobody who only looks on.
  account: { label: 'Account', icon: 'person', isOffered: ({ isLookingOn }) => !isLookingOn }
} as const satisfies Record<PortalPlace, Place>

export const placesOf = (visitor: Pick<PortalVisitor, 'role' | 'features' | 'agents' | 'isLookingOn'>) =>
  (Object.keys(PLACES) as PortalPlace[]).filter((name) => {
    const { isOffered, isManaged }: Place = PLACES[name]
    return isOffered(visitor) && (isManager(visitor) || !isManaged)
  })

/** Owner and admins manage; members read and ask. */
export const isManager = ({ role }: Pick<PortalVisitor, 'role'>): boolean => role !== 'member'
