import type { Context } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { type PortalGuest, portalGuest } from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import { readCookie } from './cookies.ts'
import type { PageEnv } from './env.ts'
import { noteSeen } from './visitors.ts'

/**
 * Who is signed in to a portal and inside it, from the request's session cookie.
 *
 * @throws ServiceError `unauthorized` (401)
 */
export async function insideGuest(
  service: Service,
  c: Context<PageEnv>
): Promise<Extract<PortalGuest, { state: 'inside' }>> {
  const token = readCookie(c, 'mindgate_portal')
  // On a partner's own host it must be a session of that partner's; our own host has the portals of all.
  const guest = token ? await portalGuest(service.database.read, token, c.env.site?.partnerId) : undefined
  if (guest?.state !== 'inside') throw new ServiceError('unauthorized', 'Sign in to the portal first.')
  noteSeen(service, guest.session)
  c.set('caller', guest.caller)
  return guest
}
