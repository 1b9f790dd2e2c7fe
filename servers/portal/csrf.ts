// No other site acts in a visitor's name. Browsers say where a request comes from (Sec-Fetch-Site, Origin): what they
// say must fit. Forms are what other sites can send without asking, so a form that says nothing is refused; JSON needs
// the other site to ask first (CORS), which nobody answers, so JSON without either header is no browser's.
import type { Context, MiddlewareHandler } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import type { PageEnv } from './env.ts'
import { isJson } from './forms.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** @throws ServiceError `cross_site` (403) for what another site sends, at every method that can change something */
export function refuseCrossSite(): MiddlewareHandler<PageEnv> {
  return async function refuseCrossSite(c, next) {
    if (!SAFE_METHODS.has(c.req.method) && !isOwn(c)) {
      throw new ServiceError(
        'cross_site',
        'This form was sent from another site, or your browser doesn’t say from where. Open the page here and try again.'
      )
    }
    return next()
  }
}

export function isOwn(c: Context<PageEnv>): boolean {
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  if (site === undefined && origin === undefined) return isJson(c)
  // `none`: typed, bookmarked or sent again by the reader himself.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin.toLowerCase() === c.get('origin')
}
