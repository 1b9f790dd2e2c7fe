// The console's settings: keys, tokens, plans, brand, providers, audit and mail.
import { Hono } from 'hono'
import type { Service } from '../../../src/service.ts'
import type { PageEnv } from '../env.ts'
import { auditPages } from './audit.tsx'
import { brandPages } from './brand.tsx'
import { keyPages } from './keys.tsx'
import { mailPages } from './mail.tsx'
import { planPages } from './plans.tsx'
import { providerPages } from './providers.tsx'
import { tokenPages } from './tokens.tsx'

/** The settings of the partner console, to be mounted behind `consoleVisitor()`. */
export const settingsPages = (service: Service): Hono<PageEnv> =>
  new Hono<PageEnv>()
    .route('/keys', keyPages(service))
    .route('/tokens', tokenPages(service))
    .route('/plans', planPages(service))
    .route('/brand', brandPages(service))
    .route('/providers', providerPages(service))
    .route('/audit', auditPages(service))
    .route('/mail', mailPages(service))
