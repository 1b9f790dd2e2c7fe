// The stylesheet, the scripts, the mark and partners' logos: named after their content, so browsers keep them for ever.
import { Hono } from 'hono'
import { findLogoImage } from '../../src/brand/store.ts'
import type { Service } from '../../src/service.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import {
  answerPacked,
  CONSOLE_SCRIPT,
  CONSOLE_SCRIPT_PATH,
  MARK,
  MARK_PATH,
  PASSKEY_PATH,
  PASSKEY_SCRIPT,
  type Packed,
  pack,
  SCRIPT,
  SCRIPT_PATH
} from './assets/packed.ts'
import { stylesheet, stylesheetPath } from './assets/stylesheet.ts'
import { widgetAt } from './widget/routes.ts'

/** Stylesheets differ by their accent. Anybody can ask for any, so only so many are kept. */
const MAX_KEPT = 200

const JAVASCRIPT = 'text/javascript; charset=utf-8'

const FOR_EVER = 'public, max-age=31536000, immutable'

export function portalAssets(maxKept = MAX_KEPT): Hono<RequestEnv> {
  const fixed = new Map<string, Packed>([
    [SCRIPT_PATH, pack(JAVASCRIPT, SCRIPT)],
    [CONSOLE_SCRIPT_PATH, pack(JAVASCRIPT, CONSOLE_SCRIPT)],
    [PASSKEY_PATH, pack(JAVASCRIPT, PASSKEY_SCRIPT)],
    [MARK_PATH, pack('image/svg+xml', MARK)]
  ])
  const kept = new Map<string, Packed>()

  /** The asset of that address, unless it is an older version's: its content is gone. */
  const find = (path: string): Packed | undefined => {
    const known = fixed.get(path) ?? kept.get(path) ?? widgetAt(path)
    const hex = /-([0-9a-f]{6})\.css$/.exec(path)?.[1]
    if (known || hex === undefined || path !== stylesheetPath(`#${hex}`)) return known
    const made = pack('text/css; charset=utf-8', stylesheet(`#${hex}`))
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= maxKept) kept.delete(oldest)
    kept.set(path, made)
    return made
  }

  const routes = new Hono<RequestEnv>()
  routes.get('/:file', (c, next) => {
    const asset = find(`/assets/${c.req.param('file')}`)
    if (!asset) return next()
    c.header('Cache-Control', FOR_EVER)
    c.header('Cross-Origin-Resource-Policy', 'same-origin')
    return answerPacked(c, asset)
  })
  return routes
}

export const logoUrl = (partnerId: string, hash: string): string => `/logos/${partnerId}/${hash}.webp`

export function portalLogos({ database }: Service): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/:partnerId/:file', async (c, next) => {
    const hash = /^([0-9a-f]{32})\.webp$/.exec(c.req.param('file'))?.[1]
    const image =
      hash === undefined ? undefined : await findLogoImage(database.read, c.req.param('partnerId'), hash)
    if (!image) return next()
    c.header('Content-Type', 'image/webp')
    c.header('Cache-Control', FOR_EVER)
    c.header('X-Content-Type-Options', 'nosniff')
    // Opened by itself, it is a picture and nothing else.
    c.header('Content-Security-Policy', "default-src 'none'; sandbox")
    c.header('Cross-Origin-Resource-Policy', 'same-origin')
    return c.body(image)
  })
  return routes
}
