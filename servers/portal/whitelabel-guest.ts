import type { Context } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import type { PortalGuest } from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import type { PageEnv } from './env.ts'
import { guestOfPortal, noteSeen } from './visitors.ts'

/**
 * Who is signed in to a portal and inside it, from the request's session cookie; in that of the partner before others.
 *
 * @throws ServiceError `unauthorized` (401), `rate_limited` (429)
 */
export async function insideGuest(
  service: Service,
  c: Context<PageEnv>,
  partnerId?: string
): Promise<Extract<PortalGuest, { state: 'inside' }>> {
  // On a partner's own host it must be a session of that partner's; our own host has the portals of all.
  const guest =
    (partnerId && (await guestOfPortal(service, c, partnerId))) || (await guestOfPortal(service, c))
  if (guest?.state !== 'inside') throw new ServiceError('unauthorized', 'Sign in to the portal first.')
  noteSeen(service, guest.session)
  c.set('caller', guest.caller)
  return guest
}
