// The chat widget's script, as the build left it (scripts/bundle-widget.mjs).
import { existsSync, readFileSync } from 'node:fs'
import { type Packed, pack } from '../assets/packed.ts'
import { versionOf } from '../assets/version.ts'

/** Beside this file once it is built; where this runs from its source, in `dist`. */
const PLACES = ['./browser/mindgate-chat.js', '../../../dist/servers/portal/widget/browser/mindgate-chat.js']

let read: { version: string; packed: Packed } | undefined

/** @throws Error when it was never built */
export const packedWidget = (): Packed => readOnce().packed

/** Changes with the script. */
export const widgetVersion = (): string => readOnce().version

/** Where our own pages load it from, to keep it for ever. */
export const widgetPath = (): string => `/assets/chat-${widgetVersion()}.js`

export const isWidgetPath = (path: string): boolean =>
  path.startsWith('/assets/chat-') && path === widgetPath()

/** The first page that needs it waits for it, and no start of a process. */
function readOnce(): { version: string; packed: Packed } {
  if (read) return read
  const file = PLACES.map((place) => new URL(place, import.meta.url)).find((place) => existsSync(place))
  if (!file) throw new Error('The chat widget isn’t built. Run: npm run build')
  const script = readFileSync(file, 'utf8')
  read = { version: versionOf(script), packed: pack('text/javascript; charset=utf-8', script) }
  return read
}
