// Partners' logos. Named after their content, so browsers keep them for ever.
import { Hono } from 'hono'
import { findLogoImage } from '../../src/brand/store.ts'
import type { Service } from '../../src/service.ts'
import type { RequestEnv } from '../middleware/request-env.ts'

const LOGOS = '/logos'

/** Where a partner's logo with that hash is served. */
export const logoUrl = (partnerId: string, hash: string): string => `${LOGOS}/${partnerId}/${hash}.webp`

/** To be mounted at `/logos`. */
export function portalLogos({ database }: Service): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/:partnerId/:file', async (c, next) => {
    const hash = /^([0-9a-f]{32})\.webp$/.exec(c.req.param('file'))?.[1]
    const image =
      hash === undefined ? undefined : await findLogoImage(database.read, c.req.param('partnerId'), hash)
    if (!image) return next()
    c.header('Content-Type', 'image/webp')
    c.header('Cache-Control', 'public, max-age=31536000, immutable')
    c.header('X-Content-Type-Options', 'nosniff')
    // Opened by itself, it is a picture and nothing else.
    c.header('Content-Security-Policy', "default-src 'none'; sandbox")
    c.header('Cross-Origin-Resource-Policy', 'same-origin')
    return c.body(image)
  })
  return routes
}
