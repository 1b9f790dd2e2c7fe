// The agents that a customer can chat with: those on its servers, from their first deploy on.
import type { ReadHandle } from '../../../src/database/database.ts'
import { listCustomerInstances } from '../../../src/instances/store.ts'
import type { PortalFeatures } from '../../../src/portal-access/memberships.ts'

export interface ChatAgent {
  instanceId: string
  /** As the partner's customers know it. */
  name: string
}

const APP = 'cli-agent'

/** In the order in which they came, those that are ready first; none where the partner doesn't show this app. */
export async function chatAgentsOf(
  db: ReadHandle,
  partnerId: string,
  customerId: string,
  { allowedApps }: PortalFeatures
): Promise<ChatAgent[]> {
  if (!allowedApps.includes(APP)) return []
  const instances = await listCustomerInstances(db, partnerId, customerId)
  return instances
    .filter(({ status }) => status !== 'registered')
    .toSorted((a, b) => Number(b.status === APP) - Number(a.status === APP))
    .map(({ id, agentName, name }) => ({ instanceId: id, name: agentName ?? name }))
}
