import type { Hono } from 'hono'
import type { Service } from '../../src/service.ts'
import { accountPages } from './account-pages.tsx'
import { consoleStatements } from './belongings/statements.tsx'
import { tokenPages } from './belongings/tokens.tsx'
import { connectPages } from './connect/consent.tsx'
import { customerPages } from './console-customers/pages.tsx'
import { refuseCrossSite } from './csrf.ts'
import type { PageEnv } from './env.ts'
import { answerErrorPage, noSuchPage } from './errors.tsx'
import { factorPages } from './factor-pages.tsx'
import { readFlash } from './flash.ts'
import { entryOf } from './frames.tsx'
import { instancePages } from './instances/pages.tsx'
import { linkPage } from './link-pages.tsx'
import { pageApp, shareRequest } from './mount.ts'
import { addPages, type Page } from './page-kit.tsx'
import { showAudit } from './settings/audit.tsx'
import { billingPage } from './settings/billing.tsx'
import { brandPage, uploadLogo } from './settings/brand.tsx'
import { keyPages } from './settings/keys.tsx'
import { mailPage } from './settings/mail.tsx'
import { mailTextsPage } from './settings/mail-texts.tsx'
import { planPages } from './settings/plans.tsx'
import { providersPage } from './settings/providers.tsx'
import { securityPage } from './settings/security.tsx'
import { teamPage } from './settings/team.tsx'
import { webhookPages } from './settings/webhooks.tsx'
import { addSignInPages, consoleSignIn } from './sign-in-pages.tsx'
import { consoleVisitor } from './visitors.ts'

/** Those for who is signed in. What each takes to be opened is in `rights.ts`. */
export const CONSOLE_PAGES: Readonly<Record<string, Page | Page['show']>> = {
  ...accountPages,
  ...factorPages,
  ...connectPages,
  ...customerPages,
  ...instancePages,
  ...consoleStatements,
  ...keyPages,
  ...tokenPages,
  ...planPages,
  ...webhookPages,
  '/brand': brandPage,
  '/billing': billingPage,
  '/providers': providersPage,
  '/audit': showAudit,
  '/mail': mailPage,
  '/mail/texts': mailTextsPage,
  '/security': securityPage,
  '/team': teamPage
}

/** Every page of the console; paths begin below `/console`. */
export function consolePages(service: Service): Hono<PageEnv> {
  const app = pageApp()
  shareRequest(app, 'console')
  app.onError((error, c) => answerErrorPage(c, error, entryOf(c)))
  app.use(refuseCrossSite())
  app.use(readFlash(service))
  addSignInPages(app, service, consoleSignIn(service))
  addPages(app, service, linkPage('console'))
  app.use(consoleVisitor(service))
  app.post('/brand/logo', (c) => uploadLogo({ c, service }))
  addPages(app, service, CONSOLE_PAGES)
  app.all('*', () => {
    throw noSuchPage()
  })
  return app
}
