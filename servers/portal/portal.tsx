// The customers' portal: sign-in and what stands before it, then the pages for who is inside.
import type { Hono } from 'hono'
import type { Service } from '../../src/service.ts'
import { accountPages } from './account-pages.tsx'
import { refuseCrossSite } from './csrf.ts'
import { customerPortalPages } from './customer/pages.tsx'
import { addEnterPages } from './enter-pages.tsx'
import type { PageEnv } from './env.ts'
import { answerErrorPage, noSuchPage } from './errors.tsx'
import { readFlash } from './flash.ts'
import { CONSOLE_LOOK, portalEntry } from './frames.tsx'
import { linkPage } from './link-pages.tsx'
import { pageApp, shareRequest } from './mount.ts'
import { addPages } from './page-kit.tsx'
import { addSignInPages, portalSignIn } from './sign-in-pages.tsx'
import { portalVisitor } from './visitors.ts'

/** Every page of a portal, whoever's it is; paths begin below its base. */
export function portalPages(service: Service): Hono<PageEnv> {
  const app = pageApp()
  shareRequest(app, 'portal')
  app.onError((error, c) =>
    answerErrorPage(c, error, c.get('site') ? portalEntry(c) : { look: CONSOLE_LOOK })
  )
  app.use(async function knownPortal(c, next) {
    if (!c.get('site')) throw noSuchPage()
    return next()
  })
  app.use(refuseCrossSite())
  app.use(readFlash(service))
  addSignInPages(app, service, portalSignIn(service))
  addEnterPages(app, service)
  addPages(app, service, { ...linkPage('invite'), ...linkPage('reset') })
  app.use(portalVisitor(service))
  addPages(app, service, accountPages)
  app.route('/', customerPortalPages(service))
  app.all('*', () => {
    throw noSuchPage()
  })
  return app
}
