// The customer's portal: home, chat, memory, team, agent access. Mounted behind portalVisitor().
import { Hono, type MiddlewareHandler } from 'hono'
import { ServiceError } from '../../../src/errors.ts'
import type { Service } from '../../../src/service.ts'
import { portalTeam } from '../belongings/team.tsx'
import type { PageEnv, PortalVisitor } from '../env.ts'
import { noSuchPage } from '../errors.tsx'
import { addPages } from '../page-kit.tsx'
import { agentPages } from './agents.tsx'
import { chatPages } from './chat-pages.tsx'
import { showHome } from './home-page.tsx'
import { memoryPages } from './memory.tsx'
import { isManager, isOffered, type PortalPlace, placesOf } from './menu.ts'

/** The pages of whoever is signed in to a portal; each is there only for those whose menu has it. */
export function customerPortalPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  for (const place of ['chat', 'memory', 'team', 'agents'] as const) app.use(`/${place}/*`, placeGuard(place))
  app.on('POST', ['/memory/remember', '/memory/minds/*'], managersOnly)
  app.get('/memory/minds/:mindId/export', managersOnly)
  const pages = { '/': showHome, ...chatPages, ...memoryPages, '/team': portalTeam, ...agentPages }
  return addPages(app, service, pages)
}

/** Answers as if the page weren't there where the visitor's menu hasn't got it; a member's forms are refused with 403. */
function placeGuard(place: PortalPlace): MiddlewareHandler<PageEnv> {
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

const managersOnly: MiddlewareHandler<PageEnv> = async function managersOnly(c, next) {
  requireManager(c.get('visitor'))
  return next()
}

/**
 * Refuses members, who read and ask.
 *
 * @throws ServiceError `missing_scope` (403)
 */
function requireManager(visitor: PortalVisitor): void {
  if (isManager(visitor)) return
  throw new ServiceError(
    'missing_scope',
    'Members can read and ask. For this, ask an admin of your team or the account’s owner.'
  )
}
