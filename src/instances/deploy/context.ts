import type { AiKeys } from '../../ai-gateway/keys.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import type { SshConnections } from '../ssh/connections.ts'
import type { SshOutcome } from '../ssh/session.ts'
import { getInstance, type InstanceRow } from '../store.ts'
import { sshTarget } from '../target.ts'
import type { Hold } from './hold.ts'

/** What following a deploy needs of the service. */
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

/** The instance as it is now: registered again meanwhile, it may have another user or host key. */
export const instanceOf = ({ database }: DeployContext, { row }: Hold): Promise<InstanceRow> =>
  getInstance(database.read, row.partnerId, row.instanceId)

/**
 * Runs one of the app's scripts on the instance.
 *
 * @throws SshError
 */
export const command = (
  { ssh, secrets, config }: DeployContext,
  hold: Hold,
  instance: InstanceRow,
  script: string
): Promise<SshOutcome> =>
  ssh.run(sshTarget(secrets, instance), {
    script,
    timeoutMs: config.deployTimes.commandMs,
    signal: hold.signal
  })
