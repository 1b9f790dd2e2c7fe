// Pages have apps of their own, apart from the APIs: their many routes don't slow the APIs' router down, and one set of
// portal pages serves every partner wherever its portal stands.
import { type Context, Hono } from 'hono'
import { routePath } from 'hono/route'
import { inLanguage } from '../../src/language/say.ts'
import type { Service } from '../../src/service.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { originOf } from './addresses.ts'
import type { PageEnv } from './env.ts'
import { languageAsked } from './language.ts'

interface Place {
  path: string
  /** As the log line names the base. */
  pattern: string
  portal?: PageEnv['Bindings']['portal']
  approvedOrigin?: string | undefined
}

export const pageApp = (): Hono<PageEnv> =>
  new Hono<PageEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })

export async function answerPage(
  service: Service,
  outer: Context<RequestEnv>,
  app: Hono<PageEnv>,
  { path, pattern, portal, approvedOrigin }: Place
): Promise<Response> {
  const env = {
    ...outer.env,
    outer,
    path: path.replace(/\/+$/, '') || '/',
    pattern,
    portal,
    origin: originOf(outer, service.config, approvedOrigin),
    trustedProxies: service.config.trustedProxies
  }
  return app.fetch(outer.req.raw, env)
}

/** Makes a page's request known as the outer one is, and the other way round. */
export function shareRequest(app: Hono<PageEnv>, channel: 'portal' | 'console'): void {
  app.use(async function shareRequest(c, next) {
    const { outer, portal, origin = 'http://localhost', pattern = '' } = c.env
    c.set('requestId', outer?.get('requestId') ?? '')
    c.set('origin', origin)
    c.set('channel', channel)
    if (portal) c.set('portal', portal)
    await inLanguage(channel === 'console' ? 'en' : languageAsked(c, portal?.language), next)
    if (!outer) return
    outer.set('channel', channel)
    outer.set('route', pattern + routePath(c))
    for (const name of ['caller', 'operation', 'code'] as const) outer.set(name, c.get(name))
    if (c.error) outer.error = c.error
  })
}
