// Keeps pages to those who have them, on the server: a hidden button is no rule.
import type { MiddlewareHandler } from 'hono'
import { ServiceError } from '../../../src/errors.ts'
import type { PageEnv, PortalVisitor } from '../env.ts'
import { isManager, isOffered, type PortalPlace, placesOf } from './menu.ts'

/** Answers as if the page weren't there where the visitor's menu hasn't got it; a member's forms are refused with 403. */
export function placeGuard(place: PortalPlace): MiddlewareHandler<PageEnv> {
  return async function guardPlace(c, next) {
    const visitor = c.get('visitor')
    if (!isOffered(place, visitor)) throw noSuchPage()
    if (!placesOf(visitor).includes(place)) {
      if (c.req.method === 'POST') requireManager(visitor)
      throw noSuchPage()
    }
    return next()
  }
}

/**
 * Refuses members, who read and ask.
 *
 * @throws ServiceError `missing_scope` (403)
 */
export function requireManager(visitor: PortalVisitor): void {
  if (isManager(visitor)) return
  throw new ServiceError(
    'missing_scope',
    'Members can read and ask. For this, ask an admin of your team or the account’s owner.'
  )
}

const noSuchPage = () => new ServiceError('not_found', 'There is no page at this address.')
