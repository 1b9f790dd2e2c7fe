// Row types of deploys.
import type { InstanceStatus } from '../../schemas/instance.ts'
import type { Flag } from './tables.ts'

export interface DeployTable {
  id: string
  partnerId: string
  instanceId: string
  /** 1, 2, 3 … of its instance: the newest has the highest, whatever the clocks say. */
  number: number
  /**
   * `preparing`: nothing runs on the server yet, everything can be done over. `uploaded`: script and secrets are there.
   * `running`: the script was started.
   */
  phase: 'preparing' | 'uploaded' | 'running' | 'succeeded' | 'failed'
  /** What the instance was before; a deploy that never touched the server gives it back. */
  statusBefore: InstanceStatus
  isReinstall: Flag
  businessName: string
  /** What the agent's configuration names; null until a key is made. */
  model: string | null
  /** How often a key was made for it; each attempt has names of its own. */
  attempt: number
  /** Alias of the last attempt's AI key, recorded before the key is made; the key itself is nowhere here (§4C). */
  keyAlias: string | null
  keyRevokedAt: string | null
  /** JSON array of what whoever deploys may do with the memory: the agent gets as much. */
  memoryScopes: string
  /** The customer token that the agent's MCP server got. */
  tokenId: string | null
  /** JSON of bot token and chat id, sealed for `deploy:{id}`; null once uploaded or given up. */
  sealedTelegram: string | null
  /** JSON array, see schemas/deploy.ts `DeployStep`. */
  steps: string
  /** The last of what the script wrote. */
  log: string
  /** How many bytes of the script's log were read. */
  logOffset: number
  /** Why it failed, or what keeps it waiting, in words; '' when there is nothing to say. */
  message: string
  /** Which process follows it. */
  leaseOwner: string | null
  leaseExpiresAt: string | null
  createdAt: string
  updatedAt: string
  finishedAt: string | null
  /** When a newer deploy of its instance began. */
  supersededAt: string | null
}

export interface DeployTables {
  deploy: DeployTable
}
