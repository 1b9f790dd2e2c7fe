// Something that browsers load, packed once for all of them.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Context } from 'hono'
import type { DoorEnv } from '../../middleware/door-env.ts'

export interface Packed {
  type: string
  plain: string
  gzip: Uint8Array<ArrayBuffer>
  brotli: Uint8Array<ArrayBuffer>
}

/** Quality 5 is a tenth larger than the best and a hundred times faster: a colour that nobody has costs next to nothing. */
export const pack = (type: string, plain: string): Packed => ({
  type,
  plain,
  gzip: new Uint8Array(gzipSync(plain)),
  brotli: new Uint8Array(brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
})

/** Answers it in the best way that the browser takes. */
export function answerPacked(c: Context<DoorEnv>, { type, plain, gzip, brotli }: Packed): Response {
  c.header('Content-Type', type)
  c.header('Vary', 'Accept-Encoding')
  c.header('X-Content-Type-Options', 'nosniff')
  const accepted = c.req.header('accept-encoding') ?? ''
  for (const [encoding, bytes] of [['br', brotli] as const, ['gzip', gzip] as const]) {
    if (!accepts(accepted, encoding)) continue
    c.header('Content-Encoding', encoding)
    return c.body(bytes)
  }
  return c.body(plain)
}

const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name, ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
