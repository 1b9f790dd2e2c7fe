// How the reference and the OpenAPI document arrange the operations.
import type { AnyOperation, Group } from '../../src/operation.ts'

/** In the order in which they are shown. */
const INTROS: Readonly<Record<Group, string>> = {
  Customers:
    'Onboard, list, read, update and erase the customers of your partner account. `null` clears a field of an update; of a new customer it counts as left out.',
  'Portal access':
    'Invite a customer to your whitelabel portal, block or grant access, and send password resets.',
  'Team members': 'The people of a customer who may sign in to the portal beside its owner.',
  'Voice agents':
    'Assign agents of voice-agent providers A and B to customers and set the billing profit multiplier.',
  Instances:
    'Customers’ virtual servers: register one, let our public key in, and deploy the CLI agent that the customer chats with.',
  Memory:
    'Take a customer’s memories out, and delete them. Agents remember, recall and ask over MCP or `POST /api/partner-mcp/tools/{tool}`.',
  Credits:
    'Two separate meters: your own credits, and each customer’s AI credits, which you grant. Every entry explains its balance. The tokens of agents are counted apart.',
  Plans:
    'Subscription and credit plans; you make them in the console. A new customer gets a plan’s features.',
  'Audit log': 'Who did what: every change by a key, a customer’s token or somebody who was signed in.'
}

/** Things by group; a group of nothing is left out. */
export const inGroups = <Thing extends { operation: AnyOperation }>(things: readonly Thing[]) =>
  Object.entries(INTROS)
    .map(([title, intro]) => ({
      group: { title, intro },
      members: things.filter(({ operation }) => operation.http?.group === title)
    }))
    .filter(({ members }) => members.length > 0)
