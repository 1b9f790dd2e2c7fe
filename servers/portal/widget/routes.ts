// The chat widget's script, as the build left it (scripts/bundle-widget.mjs): among the assets, and at `/widget.js` for
// pages that aren't ours. That address never changes, so browsers ask whether the script did.
import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { builtFile } from '../../../src/built-file.ts'
import type { RequestEnv } from '../../middleware/request-env.ts'
import { answerPacked, type Packed, pack, versionOf } from '../assets/packed.ts'

let read: { version: string; packed: Packed } | undefined

/** Where our own pages load it from, to keep it for ever. @throws Error when it was never built */
export const widgetPath = (): string => `/assets/chat-${readOnce().version}.js`

export const widgetAt = (path: string): Packed | undefined =>
  path.startsWith('/assets/chat-') && path === widgetPath() ? readOnce().packed : undefined

/** The first page that needs it waits for it, and no start of a process. */
function readOnce(): { version: string; packed: Packed } {
  if (read) return read
  const script = readFileSync(builtFile(new URL('./browser/mindgate-chat.js', import.meta.url)), 'utf8')
  read = { version: versionOf(script), packed: pack('text/javascript; charset=utf-8', script) }
  return read
}

const KEEP_SECONDS = 300

export function widgetRoutes(): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/widget.js', (c) => {
    // Weak: the same script, however it is packed.
    const tag = `W/"${readOnce().version}"`
    c.header('ETag', tag)
    c.header('Cache-Control', `public, max-age=${KEEP_SECONDS}, stale-while-revalidate=86400`)
    // It is the same for everybody and holds no secret: any site may load it.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin')
    c.header('Access-Control-Allow-Origin', '*')
    if (isKnown(c.req.header('if-none-match'), tag)) {
      c.header('Vary', 'Accept-Encoding')
      return c.body(null, 304)
    }
    return answerPacked(c, readOnce().packed)
  })
  return routes
}

const isKnown = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === tag.slice(2))
