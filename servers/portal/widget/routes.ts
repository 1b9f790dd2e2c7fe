// `/widget.js`: what a page that isn't ours loads. Its address never changes, so browsers ask whether it did.
import { Hono } from 'hono'
import type { DoorEnv } from '../../middleware/door-env.ts'
import { answerPacked } from '../assets/packed.ts'
import { packedWidget, widgetVersion } from './bundle.ts'

const KEEP_SECONDS = 300

/** To be mounted at `/`. */
export function widgetRoutes(): Hono<DoorEnv> {
  const routes = new Hono<DoorEnv>()
  routes.get('/widget.js', (c) => {
    // Weak: the same script, however it is packed.
    const tag = `W/"${widgetVersion()}"`
    c.header('ETag', tag)
    c.header('Cache-Control', `public, max-age=${KEEP_SECONDS}, stale-while-revalidate=86400`)
    // It is the same for everybody and holds no secret: any site may load it.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin')
    c.header('Access-Control-Allow-Origin', '*')
    if (isKnown(c.req.header('if-none-match'), tag)) {
      c.header('Vary', 'Accept-Encoding')
      return c.body(null, 304)
    }
    return answerPacked(c, packedWidget())
  })
  return routes
}

const isKnown = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === tag.slice(2))
