// Where the portals and the console stand: below `/portal/{slug}` and `/console` of our own host, and a portal on all
// of a host that the operator approved for its partner.
import { type Context, Hono } from 'hono'
import { inLanguage } from '../../src/language/say.ts'
import type { Service } from '../../src/service.ts'
import { answerError } from '../middleware/error-answer.ts'
import { isOwnHost } from '../middleware/host-guard.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { nextPage, originOf, portalOfHost, portalOfSlug, requestHost } from './addresses.ts'
import { consolePages } from './console.tsx'
import { answerErrorPage } from './errors.tsx'
import { CONSOLE_LOOK } from './frames.tsx'
import { showFrontPage } from './front-page.tsx'
import { languageAsked } from './language.ts'
import { answerPage, pageApp, shareRequest } from './mount.ts'
import { portalPages } from './portal.tsx'
import { CONSOLE_BASE } from './rights.ts'
import { whitelabelApi } from './whitelabel.ts'

const PORTAL_PATH = /^\/portal\/([^/]+)(\/.*)?$/s
const WHITELABEL_API = '/api/whitelabel'
const PORTAL_PATTERN = '/portal/:slug'

export interface PageSites {
  /** `/portal/…`, `/console/…` and `/api/whitelabel/…`. */
  routes: Hono<RequestEnv>
  /** Answers whatever else is asked of a partner's own host; `undefined` on any other. */
  onOwnHost(c: Context<RequestEnv>): Promise<Response | undefined>
}

export function pageSites(service: Service): PageSites {
  const pagesOfPortal = portalPages(service)
  const partnerConsole = consolePages(service)
  const api = whitelabelApi(service)
  const routes = new Hono<RequestEnv>()
  // Where nobody can tell whose place it is, the page looks like nobody's.
  const refuse = (error: unknown, c: Context<RequestEnv>) => {
    if (c.req.path.startsWith('/api/')) return answerError(c, error)
    const refusal = pageApp()
    shareRequest(refusal, 'portal')
    refusal.all('*', (own) => answerErrorPage(own, error, { look: { ...CONSOLE_LOOK, name: 'Portal' } }))
    return answerPage(service, c, refusal, { path: '/', pattern: '' })
  }
  routes.onError(refuse)
  routes.get('/', async (c, next) => {
    // Programs are told that there is nothing, as anywhere else; a partner's own host is its portal.
    const [host, { config }] = [requestHost(c), service]
    const isOurs = config.publicUrl === undefined || isOwnHost(config, host)
    const isForPeople = isOurs && c.req.header('accept')?.includes('text/html')
    if (!isForPeople || (await portalOfHost(service, host))) return next()
    // Who pasted the whole address means its last part.
    const name = c.req.query('portal')?.trim().replace(/\/+$/, '').split('/').at(-1)
    const portal = name ? await portalOfSlug(service, encodeURIComponent(name.toLowerCase())) : undefined
    if (portal) return c.redirect(portal.base, 302)
    const origin = originOf(c, config, undefined)
    return inLanguage(languageAsked(c), () => showFrontPage(c, origin, name))
  })
  routes.on(METHODS, ['/portal/:slug', '/portal/:slug/*'], async (c) => {
    const hosted = await onOwnHost(c)
    if (hosted) return hosted
    const [, slug = '', path = ''] = PORTAL_PATH.exec(c.req.path) ?? []
    const portal = await portalOfSlug(service, slug)
    return answerPage(service, c, pagesOfPortal, { path, pattern: PORTAL_PATTERN, portal })
  })
  routes.on(METHODS, [CONSOLE_BASE, `${CONSOLE_BASE}/*`], async (c) => {
    const hosted = await onOwnHost(c)
    if (hosted) return hosted
    const path = c.req.path.slice(CONSOLE_BASE.length)
    return answerPage(service, c, partnerConsole, { path, pattern: CONSOLE_BASE })
  })
  routes.on(METHODS, `${WHITELABEL_API}/*`, async (c) => {
    const hosted = await portalOfHost(service, requestHost(c))
    const path = c.req.path.slice(WHITELABEL_API.length)
    return answerPage(service, c, api, { path, pattern: WHITELABEL_API, ...hosted })
  })
  return { routes, onOwnHost: (c) => onOwnHost(c).catch((error: unknown) => refuse(error, c)) }

  async function onOwnHost(c: Context<RequestEnv>): Promise<Response | undefined> {
    const hosted = await portalOfHost(service, requestHost(c))
    // The APIs are served on every host, and so are their refusals.
    if (!hosted || c.req.path.startsWith('/api/')) return undefined
    const [, slug, rest = '/'] = PORTAL_PATH.exec(c.req.path) ?? []
    // Links from before the partner had a host of its own; 308 keeps the method of a form.
    if (slug === hosted.portal.slug) return c.redirect(nextPage('', rest + new URL(c.req.url).search), 308)
    return answerPage(service, c, pagesOfPortal, { path: c.req.path, pattern: PORTAL_PATTERN, ...hosted })
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
