// The partner's console: sign-in and what stands before it, then the pages for who is inside.
import type { Hono } from 'hono'
import type { Service } from '../../src/service.ts'
import { accountPages } from './account-pages.tsx'
import { customerPages } from './console-customers/pages.tsx'
import { refuseCrossSite } from './csrf.ts'
import type { PageEnv } from './env.ts'
import { answerErrorPage, noSuchPage } from './errors.tsx'
import { readFlash } from './flash.ts'
import { consoleDoor } from './frames.tsx'
import { instancePages } from './instances/pages.tsx'
import { addLinkPage } from './link-pages.tsx'
import { pageApp, shareRequest } from './mount.ts'
import { addPages } from './page-kit.tsx'
import { auditPages } from './settings/audit.tsx'
import { brandPages } from './settings/brand.tsx'
import { keyPages } from './settings/keys.tsx'
import { mailPages } from './settings/mail.tsx'
import { planPages } from './settings/plans.tsx'
import { providerPages } from './settings/providers.tsx'
import { tokenPages } from './settings/tokens.tsx'
import { addSignInPages, consoleSignIn } from './sign-in-pages.tsx'
import { consoleVisitor } from './visitors.ts'

/** Every page of the console; paths begin below `/console`. */
export function consolePages(service: Service): Hono<PageEnv> {
  const app = pageApp()
  shareRequest(app, 'console')
  app.onError((error, c) => answerErrorPage(c, error, consoleDoor(c)))
  app.use(refuseCrossSite())
  app.use(readFlash(service))
  addSignInPages(app, service, consoleSignIn(service))
  addLinkPage(app, service, 'console')
  app.use(consoleVisitor(service))
  addPages(app, service, accountPages)
  addPages(app, service, customerPages)
  addPages(app, service, instancePages)
  app.route('/keys', keyPages(service))
  app.route('/tokens', tokenPages(service))
  app.route('/plans', planPages(service))
  app.route('/brand', brandPages(service))
  app.route('/providers', providerPages(service))
  app.route('/audit', auditPages(service))
  app.route('/mail', mailPages(service))
  app.all('*', () => {
    throw noSuchPage()
  })
  return app
}
