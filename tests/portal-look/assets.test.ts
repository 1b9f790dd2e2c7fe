// What a browser loads once and keeps.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MARK_PATH, SCRIPT, SCRIPT_PATH } from '../../servers/portal/assets/packed.ts'
import { stylesheet, stylesheetPath } from '../../servers/portal/assets/stylesheet.ts'
import { portalAssets } from '../../servers/portal/assets-routes.ts'

const assets = portalAssets()
const get = (path: string, headers: Record<string, string> = {}) =>
  assets.request(path.replace(/^\/assets/, ''), { headers })
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

describe('an asset', () => {
  it.each([
    ['the stylesheet', stylesheetPath('#0f766e'), 'text/css; charset=utf-8'],
    ['the script', SCRIPT_PATH, 'text/javascript; charset=utf-8'],
    ['the mark', MARK_PATH, 'image/svg+xml']
  ])('may be kept for ever: %s', async (_name, path, type) => {
    const answer = await get(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('is the same however it is packed', async () => {
    const path = stylesheetPath('#0f766e')
    const plain = await bytesOf(await get(path))
    const brotli = await get(path, { 'Accept-Encoding': 'gzip, deflate, br' })
    const gzip = await get(path, { 'Accept-Encoding': 'gzip;q=1.0, br;q=0' })
    const none = await get(path, { 'Accept-Encoding': 'br;q=0.0, gzip; q=0' })

    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(await bytesOf(brotli)).equals(plain)).toBe(true)
    expect(gzip.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(await bytesOf(gzip)).equals(plain)).toBe(true)
    expect(none.headers.get('content-encoding')).toBeNull()
    for (const answer of [brotli, gzip, none]) expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  })

  it('of an older version is gone', async () => {
    const path = stylesheetPath('#0f766e')
    const older = path.replace(/portal-./, (start) => (start.endsWith('0') ? 'portal-1' : 'portal-0'))
    for (const gone of [
      older,
      path.replace('0f766e', '0F766E'),
      path.replace('0f766e', '0f766'),
      '/assets/'
    ]) {
      expect((await get(gone)).status, gone).toBe(404)
    }
  })
})

describe('the stylesheet', () => {
  it('has another address for another accent, and one for any spelling of it', () => {
    expect(stylesheetPath('#0f766e')).not.toBe(stylesheetPath('#0f766f'))
    expect(stylesheetPath('#0F766E')).toBe(stylesheetPath('#0f766e'))
  })

  it('falls back to the usual accent instead of carrying what is no colour', async () => {
    for (const wrong of ['', 'red', '#0f7', '#0f766e;}body{display:none}', '#0f766e\n']) {
      const path = stylesheetPath(wrong)
      expect(path).toMatch(/^\/assets\/portal-[0-9a-f]{12}-[0-9a-f]{6}\.css$/)
      expect((await get(path)).status).toBe(200)
    }
  })

  it('stays correct for more accents than are kept', async () => {
    const few = portalAssets(2)
    const ask = (accent: string) => few.request(stylesheetPath(accent).replace(/^\/assets/, ''))
    for (const accent of ['#000000', '#000001', '#000002', '#000003']) await ask(accent)
    const answer = await ask('#000000')
    expect(await answer.text()).toBe(stylesheet('#000000'))
  })

  it('is small, loads nothing from elsewhere, and knows no left or right', () => {
    const styles = stylesheet('#0f766e')
    expect(Buffer.byteLength(styles)).toBeLessThanOrEqual(30 * 1024)
    expect(styles.match(/url\((?!"data:image\/svg\+xml)/g)).toBeNull()
    expect(styles).not.toContain('@import')
    expect(styles.match(/[{; ](margin|padding|border|inset)?-?(left|right)\s*:/g)).toBeNull()
  })
})

describe('the script', () => {
  it('is small', () => {
    expect(Buffer.byteLength(SCRIPT)).toBeLessThanOrEqual(6 * 1024)
  })
})
