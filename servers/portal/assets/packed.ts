// What browsers load: packed once for all of them, at an address that changes with it, so that they keep it for ever.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import type { RequestEnv } from '../../middleware/request-env.ts'

export const versionOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)

/** Without what it says to who reads its source. */
const scriptOf = (...files: string[]): string =>
  files
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('')
    .replaceAll(/^ *\/(\/.*|\*.*\*\/)\n+/gm, '')

/** The one small script of the pages; all of them work without it. */
export const SCRIPT = scriptOf('./copy-text.js', './relative-time.js', './browser.js')
export const SCRIPT_PATH = `/assets/portal-${versionOf(SCRIPT)}.js`

/** What the console has beyond that. */
export const CONSOLE_SCRIPT = scriptOf('./console.js')
export const CONSOLE_SCRIPT_PATH = `/assets/console-${versionOf(CONSOLE_SCRIPT)}.js`

/** What a page needs that asks for a passkey, and no other. */
export const PASSKEY_SCRIPT = scriptOf('./passkey.js')
export const PASSKEY_PATH = `/assets/passkey-${versionOf(PASSKEY_SCRIPT)}.js`

/** The icon of a browser's tab where the partner has no logo. */
export const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f2937"/><path d="M8 22V10l8 7 8-7v12" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`
export const MARK_PATH = `/assets/mark-${versionOf(MARK)}.svg`

export type Packed = ReturnType<typeof pack>

/** Quality 5 is a tenth larger than the best and a hundred times faster: a colour that nobody has costs next to nothing. */
export const pack = (type: string, plain: string) => ({
  type,
  plain,
  gzip: new Uint8Array(gzipSync(plain)),
  brotli: new Uint8Array(brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
})

export function answerPacked(c: Context<RequestEnv>, { type, plain, gzip, brotli }: Packed): Response {
  c.header('Content-Type', type)
  c.header('Vary', 'Accept-Encoding')
  c.header('X-Content-Type-Options', 'nosniff')
  const accepted = parseAccept(c.req.header('accept-encoding')?.toLowerCase() ?? '')
  for (const [encoding, bytes] of [['br', brotli] as const, ['gzip', gzip] as const]) {
    if (!accepted.some(({ type, q }) => type === encoding && q > 0)) continue
    c.header('Content-Encoding', encoding)
    return c.body(bytes)
  }
  return c.body(plain)
}
