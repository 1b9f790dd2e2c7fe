// A handshake takes processor time, and one with a server that stays silent takes long: few at once, shared among tenants.
import { createFairQueue } from '../../fair-queue.ts'
import { SshError } from './errors.ts'
import type { SshPlace } from './target.ts'

const refusal = (): SshError => new SshError('connect_timeout', { hasNotBegun: true })

const partners = createFairQueue({ atOnce: 24, atOncePerTenant: 6, waitingPerTenant: 1_000, refusal })
/** Before it, so that the dead servers of one customer leave places to the partner's others. */
const customers = createFairQueue({ atOncePerTenant: 2, waitingPerTenant: 100, refusal })

/** Shakes hands in its owner's turn. @throws SshError `connect_timeout` when too much waits; the signal's reason */
export const inTurn = <T>(
  { partnerId, customerId }: SshPlace,
  handshake: () => Promise<T>,
  signal: AbortSignal
): Promise<T> => customers.run(customerId, () => partners.run(partnerId, handshake, signal), signal)
