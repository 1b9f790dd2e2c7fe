// The chat widget's script, as the build left it (scripts/bundle-widget.mjs): among the assets, and at `/widget.js` for
// pages that aren't ours. That address never changes, so browsers ask whether the script did. Each language has its own:
// the same script behind its texts.
import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { LANGUAGES, type Language } from '../../../schemas/language.ts'
import { builtFile } from '../../../src/built-file.ts'
import { catalogueOf, language, type Text } from '../../../src/language/say.ts'
import { onceForValue } from '../../../src/once.ts'
import type { RequestEnv } from '../../middleware/request-env.ts'
import { answerPacked, type Packed, pack, versionOf } from '../assets/packed.ts'
import type { TextKey } from './browser/texts.ts'
import { ENGLISH } from './english.ts'

/** Where our own pages load it from, to keep it for ever. @throws Error when it was never built */
export const widgetPath = (): string => pathIn(language())

const pathIn = (of: Language): string => `/assets/chat-${of}-${SCRIPTS(of).version}.js`

export function widgetAt(path: string): Packed | undefined {
  const of = /^\/assets\/chat-([a-z]{2})-/.exec(path)?.[1]
  return LANGUAGES.filter((one) => one === of && path === pathIn(one)).map((one) => SCRIPTS(one).packed)[0]
}

/** The first page that needs one waits for it, and no start of a process. */
const SCRIPTS = onceForValue((of: Language): { version: string; packed: Packed } => {
  const script = readFileSync(builtFile(new URL('./browser/mindgate-chat.js', import.meta.url)), 'utf8')
  const own = `mindgateChatTexts=${JSON.stringify(textsIn(of))};\n${script}`
  return { version: versionOf(own), packed: pack('text/javascript; charset=utf-8', own) }
})

const TEXTS: Readonly<Record<TextKey, Text>> = ENGLISH

function textsIn(of: Language): Record<string, string> {
  const texts = catalogueOf(of)
  return Object.fromEntries(Object.entries(TEXTS).map(([key, text]) => [key, texts[text] ?? text]))
}

const KEEP_SECONDS = 300

export function widgetRoutes(): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  for (const of of LANGUAGES) {
    routes.get(of === 'en' ? '/widget.js' : `/widget.${of}.js`, (c) => {
      const { version, packed } = SCRIPTS(of)
      // Weak: the same script, however it is packed.
      const tag = `W/"${version}"`
      c.header('ETag', tag)
      c.header('Cache-Control', `public, max-age=${KEEP_SECONDS}, stale-while-revalidate=86400`)
      // It is the same for everybody and holds no secret: any site may load it.
      c.header('Cross-Origin-Resource-Policy', 'cross-origin')
      c.header('Access-Control-Allow-Origin', '*')
      if (isKnown(c.req.header('if-none-match'), tag)) {
        c.header('Vary', 'Accept-Encoding')
        return c.body(null, 304)
      }
      return answerPacked(c, packed)
    })
  }
  return routes
}

const isKnown = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === tag.slice(2))
