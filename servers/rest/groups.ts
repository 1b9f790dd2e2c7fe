// How the reference and the OpenAPI document arrange the operations.
import type { AnyOperation } from '../../src/operation.ts'

export interface Group {
  title: string
  intro: string
}

interface Rule extends Group {
  owns: RegExp
}

/** The first rule that knows the path. */
const RULES: readonly Rule[] = [
  {
    title: 'Portal access',
    intro: 'Invite a customer to your whitelabel portal, block or grant access, and send password resets.',
    owns: /\/(?:portal-access|reset-password)/
  },
  {
    title: 'Team members',
    intro: 'The people of a customer who may sign in to the portal beside its owner.',
    owns: /\/team-members/
  },
  {
    title: 'Voice agents',
    intro:
      'Assign agents of voice-agent providers A and B to customers and set the billing profit multiplier.',
    owns: /^\/voice-/
  },
  {
    title: 'Instances',
    intro:
      'Customers’ virtual servers: register one, let our public key in, and deploy the CLI agent that the customer chats with.',
    owns: /^\/instances/
  },
  {
    title: 'Credits',
    intro:
      'Two separate meters: your own credits, and each customer’s AI credits, which you grant. Every entry explains its balance. The tokens of agents are counted apart.',
    owns: /\/(?:credits|ai-usage)/
  },
  {
    title: 'Memory',
    intro:
      'Take a customer’s memories out, and delete them. Agents remember, recall and ask over MCP or `POST /api/partner-mcp/tools/{tool}`.',
    owns: /\/(?:minds|memories)\//
  },
  {
    title: 'Plans',
    intro:
      'Subscription and credit plans; you make them in the console. A new customer gets a plan’s features.',
    owns: /^\/plans/
  },
  {
    title: 'Audit log',
    intro: 'Who did what: every change by a key, a customer’s token or somebody who was signed in.',
    owns: /^\/audit/
  },
  {
    title: 'Customers',
    intro:
      'Onboard, list, read, update and erase the customers of your partner account. `null` clears a field of an update; of a new customer it counts as left out.',
    owns: /^\/customers/
  }
]

/** The order in which groups are shown. */
const ORDER = [
  'Customers',
  'Portal access',
  'Team members',
  'Voice agents',
  'Instances',
  'Memory',
  'Credits',
  'Plans',
  'Audit log'
]

/** The group of an operation; one that no rule knows is named after the first segment of its path. */
export function groupOf({ http }: AnyOperation): Group {
  const path = http?.path ?? '/'
  const rule = RULES.find(({ owns }) => owns.test(path))
  if (rule) return { title: rule.title, intro: rule.intro }
  const segment = path.split('/')[1] ?? ''
  return { title: segment.charAt(0).toUpperCase() + segment.slice(1).replaceAll('-', ' '), intro: '' }
}

/** Things by group, groups in the order in which they are shown. */
export function inGroups<Thing extends { operation: AnyOperation }>(
  things: readonly Thing[]
): { group: Group; members: Thing[] }[] {
  const groups = new Map<string, { group: Group; members: Thing[] }>()
  for (const thing of things) {
    const group = groupOf(thing.operation)
    const entry = groups.get(group.title) ?? { group, members: [] }
    entry.members.push(thing)
    groups.set(group.title, entry)
  }
  return [...groups.values()].sort((a, b) => placeOf(a.group) - placeOf(b.group))
}

/** What the order doesn't name comes last. */
function placeOf({ title }: Group): number {
  const place = ORDER.indexOf(title)
  return place < 0 ? ORDER.length : place
}
