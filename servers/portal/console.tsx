import type { Hono } from 'hono'
import type { Service } from '../../src/service.ts'
import { accountPages } from './account-pages.tsx'
import { consoleStatements } from './belongings/statements.tsx'
import { tokenPages } from './belongings/tokens.tsx'
import { customerPages } from './console-customers/pages.tsx'
import { refuseCrossSite } from './csrf.ts'
import type { MenuItem, PageEnv } from './env.ts'
import { answerErrorPage, noSuchPage } from './errors.tsx'
import { readFlash } from './flash.ts'
import { entryOf } from './frames.tsx'
import { instancePages } from './instances/pages.tsx'
import { linkPage } from './link-pages.tsx'
import { pageApp, shareRequest } from './mount.ts'
import { addPages } from './page-kit.tsx'
import { showAudit } from './settings/audit.tsx'
import { billingPage } from './settings/billing.tsx'
import { brandPage, uploadLogo } from './settings/brand.tsx'
import { keyPages } from './settings/keys.tsx'
import { mailPage } from './settings/mail.tsx'
import { planPages } from './settings/plans.tsx'
import { providersPage } from './settings/providers.tsx'
import { addSignInPages, consoleSignIn } from './sign-in-pages.tsx'
import { consoleVisitor } from './visitors.ts'

const MENU: readonly MenuItem[] = [
  { segment: '', label: 'Dashboard', icon: 'home' },
  { segment: 'customers', label: 'Customers', icon: 'people' },
  { segment: 'usage', label: 'Usage', icon: 'chart' },
  { segment: 'statements', label: 'Statements', icon: 'receipt' },
  { segment: 'voice-agents', label: 'Voice agents', icon: 'wave' },
  { segment: 'instances', label: 'Servers', icon: 'server' },
  { segment: 'plans', label: 'Plans', icon: 'layers' },
  { segment: 'keys', label: 'API keys', icon: 'key', group: 'Access' },
  { segment: 'tokens', label: 'MCP tokens', icon: 'ticket', group: 'Access' },
  { segment: 'providers', label: 'Providers', icon: 'cloud', group: 'Access' },
  { segment: 'brand', label: 'Brand', icon: 'brush', group: 'Your side' },
  { segment: 'billing', label: 'Billing settings', icon: 'wallet', group: 'Your side' },
  { segment: 'mail', label: 'Mail', icon: 'mail', group: 'Your side' },
  { segment: 'audit', label: 'Audit log', icon: 'list', group: 'Your side' },
  { segment: 'account', label: 'Account', icon: 'person', group: 'Your side' }
]

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
  app.use(function leadToPages(c, next) {
    c.set('menu', MENU)
    return next()
  })
  app.post('/brand/logo', (c) => uploadLogo({ c, service }))
  addPages(app, service, {
    ...accountPages,
    ...customerPages,
    ...instancePages,
    ...consoleStatements,
    ...keyPages,
    ...tokenPages,
    ...planPages,
    '/brand': brandPage,
    '/billing': billingPage,
    '/providers': providersPage,
    '/audit': showAudit,
    '/mail': mailPage
  })
  app.all('*', () => {
    throw noSuchPage()
  })
  return app
}
