// Every path at which the service is asked, from the apps themselves: what is mounted, and the pages behind that.
import type { Hono } from 'hono'
import { createApp } from '../../servers/app.ts'
import { consolePages } from '../../servers/portal/console.tsx'
import { portalPages } from '../../servers/portal/portal.tsx'
import { whitelabelApi } from '../../servers/portal/whitelabel.ts'
import type { Service } from '../../src/service.ts'

export interface Route {
  method: string
  /** As it is asked for; `:name` is any value. */
  path: string
  /** Whether it only leads back to the page whose form is sent there. */
  leadsBack: boolean
}

/** Pages have apps of their own behind these. */
const PAGES = /^\/(portal\/:slug|console|api\/whitelabel)(\/\*)?$/

/** Everything that answers by itself: what only stands before others is left out. */
export function everyRoute(service: Service): Route[] {
  const below = (base: string, app: Pick<Hono, 'routes'>) =>
    app.routes
      .filter(({ handler }) => handler.name !== 'managersOnly')
      .map(({ method, path, handler }) => ({
        method,
        path: `${base}${path}`.replace(/(?<=.)\/$/, ''),
        leadsBack: /^\(c\) ?=> ?c\.redirect\(addressOf\(/.test(String(handler))
      }))
  const all = [
    ...below('', createApp(service)).filter(({ path }) => !PAGES.test(path)),
    ...below('/portal/:slug', portalPages(service)),
    ...below('/console', consolePages(service)),
    ...below('/api/whitelabel', whitelabelApi(service))
  ]
  const known = new Map(all.map((route) => [`${route.method} ${route.path}`, route]))
  return [...known.values()].filter(({ method }) => method !== 'ALL')
}

/** A form of a page below whose address it is sent: at its own it shows nothing. */
export const isFormOfAPage = ({ path }: Route, routes: readonly Route[]): boolean =>
  routes.some((route) => route.path === path && route.leadsBack)
