import type { Secrets } from '../secrets.ts'
import type { SshTarget } from './ssh/target.ts'
import type { InstanceRow } from './store.ts'

/** The row that a sealed private key belongs to; sealed for one, it opens for no other. */
export const privateKeyContext = (instanceId: string): string => `instance:${instanceId}`

/** How the instance is reached, with its private key in the open: keep it no longer than the call. */
export function sshTarget(secrets: Secrets, instance: InstanceRow): SshTarget {
  const { id, partnerId, customerId, host, port, username, hostKey, privateKeySealed } = instance
  const privateKey = secrets.unseal(privateKeySealed, privateKeyContext(id))
  return { instanceId: id, partnerId, customerId, host, port, username, hostKey, privateKey }
}
