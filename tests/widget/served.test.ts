// The script as browsers get it.
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../schemas/language.ts'
import { portalAssets } from '../../servers/portal/assets-routes.ts'
import { widgetPath, widgetRoutes } from '../../servers/portal/widget/routes.ts'
import { catalogueOf, inLanguage } from '../../src/language/say.ts'

const MAX_GZIPPED_BYTES = 55_000
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
const get = (headers: Record<string, string> = {}) => widgetRoutes().request('/widget.js', { headers })

describe('the widget', () => {
  it('weighs at most 55 KB gzipped', async () => {
    const plain = await bytesOf(await get())
    const gzipped = gzipSync(plain, { level: 9 }).length
    process.stdout.write(`The widget: ${gzipped} bytes gzipped, ${plain.length} bytes plain.\n`)
    expect(gzipped).toBeLessThanOrEqual(MAX_GZIPPED_BYTES)
    expect((await bytesOf(await get({ 'Accept-Encoding': 'gzip' }))).length).toBeLessThanOrEqual(
      MAX_GZIPPED_BYTES
    )
  })

  it('is the same however it is packed', async () => {
    const plain = await bytesOf(await get())
    const brotli = await get({ 'Accept-Encoding': 'br' })
    const gzip = await get({ 'Accept-Encoding': 'gzip' })
    expect(brotliDecompressSync(await bytesOf(brotli)).equals(plain)).toBe(true)
    expect(gunzipSync(await bytesOf(gzip)).equals(plain)).toBe(true)
  })

  it('can be loaded by any page, is kept for minutes, and costs nothing when it hasn’t changed', async () => {
    const answer = await get()
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=86400')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const tag = answer.headers.get('etag') ?? ''
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`]) {
      const again = await get({ 'If-None-Match': known })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
    }
    expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200)
  })

  it('is kept for ever where our own pages load it', async () => {
    const answer = await portalAssets().request(widgetPath().replace('/assets', ''))
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await answer.text()).toBe(await (await get()).text())
    expect((await portalAssets().request('/chat-000000000000.js')).status).toBe(404)
  })

  it.each(LANGUAGES)(
    'brings its texts along in %s, at an address that changes with them',
    async (language) => {
      const path = language === 'en' ? '/widget.js' : `/widget.${language}.js`
      const answer = await widgetRoutes().request(path)
      expect(answer.status).toBe(200)
      const script = await answer.text()
      const text = 'Start a conversation with {name}'
      expect(script).toContain(JSON.stringify(catalogueOf(language)[text] ?? text))
      expect(script.includes(text)).toBe(language === 'en')
      const own = inLanguage(language, widgetPath)
      expect(own).toMatch(new RegExp(`^/assets/chat-${language}-[0-9a-f]{12}\\.js$`))
      const kept = await portalAssets().request(own.replace('/assets', ''))
      expect(await kept.text()).toBe(script)
      expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(MAX_GZIPPED_BYTES)
    }
  )

  it('is there in no other language', async () => {
    for (const path of ['/widget.nl.js', '/widget.en.js', '/widget...js', '/widget.__proto__.js']) {
      expect((await widgetRoutes().request(path)).status).toBe(404)
    }
    const path = widgetPath().replace('/assets', '').replace('chat-en', 'chat-nl')
    expect((await portalAssets().request(path)).status).toBe(404)
  })
})
