import type { AiKeys } from '../../ai-gateway/keys.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import type { Lease } from '../../jobs/leases.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import type { SshConnections } from '../ssh/connections.ts'
import { getInstance, type InstanceRow, sshTarget } from '../store.ts'

export interface DeployContext {
  config: Config
  database: Database
  secrets: Secrets
  ssh: SshConnections
  aiKeys: AiKeys
  log: Log
  /** Where agents reach this service. */
  publicUrl: string
}

export type DeployLease = Lease<'deploy'>

/** The instance as it is now: registered again meanwhile, it may have another user or host key. */
export const instanceOf = ({ database }: DeployContext, { row }: DeployLease) =>
  getInstance(database.read, row.partnerId, row.instanceId)

/** Runs one of the app's scripts on the instance. @throws SshError */
export const command = (
  { ssh, secrets, config }: DeployContext,
  { signal }: DeployLease,
  instance: InstanceRow,
  script: string
) => ssh.run(sshTarget(secrets, instance), { script, timeoutMs: config.deployTimes.commandMs, signal })
