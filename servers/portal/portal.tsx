import type { Hono, MiddlewareHandler } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import type { Service } from '../../src/service.ts'
import { accountPages } from './account-pages.tsx'
import { portalStatements } from './belongings/statements.tsx'
import { portalTeam } from './belongings/team.tsx'
import { portalUsage } from './belongings/usage.tsx'
import { connectPages } from './connect/consent.tsx'
import { refuseCrossSite } from './csrf.ts'
import { agentPages } from './customer/agents.tsx'
import { chatPages, showNoAgent } from './customer/chat-pages.tsx'
import { showHome } from './customer/home-page.tsx'
import { memoryPages } from './customer/memory.tsx'
import { isManager, PLACES, type PortalPlace, placesOf } from './customer/menu.ts'
import { packsPage } from './customer/packs.tsx'
import { addEnterPages } from './enter-pages.tsx'
import type { PageEnv, PortalVisitor } from './env.ts'
import { answerErrorPage, noSuchPage } from './errors.tsx'
import { factorPages } from './factor-pages.tsx'
import { readFlash } from './flash.ts'
import { CONSOLE_LOOK, entryOf } from './frames.tsx'
import { linkPage } from './link-pages.tsx'
import { pageApp, shareRequest } from './mount.ts'
import { addPages } from './page-kit.tsx'
import { addSignInPages, portalSignIn } from './sign-in-pages.tsx'
import { portalVisitor } from './visitors.ts'

/** Every page of a portal, whoever's it is; paths begin below its base. */
export function portalPages(service: Service): Hono<PageEnv> {
  const app = pageApp()
  shareRequest(app, 'portal')
  app.onError((error, c) => answerErrorPage(c, error, c.get('portal') ? entryOf(c) : { look: CONSOLE_LOOK }))
  app.use(async function knownPortal(c, next) {
    if (!c.get('portal')) throw noSuchPage()
    return next()
  })
  app.use(refuseCrossSite())
  app.use(readFlash(service))
  addSignInPages(app, service, portalSignIn(service))
  addEnterPages(app, service)
  addPages(app, service, { ...linkPage('invite'), ...linkPage('reset') })
  app.use(portalVisitor(service))
  for (const place of ['chat', 'memory', 'team', 'usage', 'statements', 'agents', 'account'] as const)
    app.use(`/${place}/*`, placeGuard(place))
  app.on('POST', ['/memory/remember', '/memory/minds/*'], managersOnly)
  app.get('/memory/minds/:mindId/export', managersOnly)
  addPages(app, service, {
    ...accountPages,
    ...factorPages,
    ...connectPages,
    '/': showHome,
    '/packs': packsPage,
    ...chatPages,
    ...memoryPages,
    '/team': portalTeam,
    '/usage': portalUsage,
    ...portalStatements,
    ...agentPages
  })
  app.all('*', () => {
    throw noSuchPage()
  })
  return app
}

/** Answers as if the page weren't there where the visitor's menu hasn't got it; a member's forms are refused with 403. */
function placeGuard(place: PortalPlace): MiddlewareHandler<PageEnv> {
  return async function guardPlace(c, next) {
    const visitor = c.get('visitor')
    if (place === 'chat' && visitor.agents.length === 0) return showNoAgent(c)
    if (!PLACES[place].isOffered(visitor)) throw noSuchPage()
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

/** @throws ServiceError `missing_scope` (403) for members, who read and ask */
function requireManager(visitor: PortalVisitor): void {
  if (isManager(visitor)) return
  throw new ServiceError(
    'missing_scope',
    'Members can read and ask. For this, ask an admin of your team or the account’s owner.'
  )
}
