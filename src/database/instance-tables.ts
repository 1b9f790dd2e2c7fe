// Row types of customers' virtual servers.
import type { InstanceStatus } from '../../schemas/instance.ts'

export interface InstanceTable {
  id: string
  partnerId: string
  customerId: string
  name: string
  host: string
  port: number
  username: string
  /** Folder below which everything of ours lies; empty for the places that the specification names. */
  root: string
  status: InstanceStatus
  /** Fingerprint that the server must show at every connection, `SHA256:…`. */
  hostKey: string
  /** The line for `authorized_keys`. */
  publicKey: string
  /** Sealed for `instance:{id}`. */
  privateKeySealed: string
  /** Business name that the agent was deployed with. */
  agentName: string | null
  /** What the agent's configuration names as its model. */
  model: string | null
  createdAt: string
  updatedAt: string
}

export interface InstanceTables {
  instance: InstanceTable
}
