// What becomes of the files that somebody uploads as a logo.

import { deflateSync } from 'node:zlib'
import { Transformer } from '@napi-rs/image'
import { describe, expect, it } from 'vitest'
import { pixelsOfPng, readImageHeader } from '../../src/brand/image-header.ts'
import { encodeLogo } from '../../src/brand/logo.ts'
import {
  chunk,
  EXIF_TURNED,
  frameHeader,
  jpegOfFrame,
  noisyJpeg,
  noisyPng,
  png,
  riff,
  vp8l,
  vp8x,
  webp,
  withSegment
} from './images.ts'

const decoded = (image: string) => new Transformer(Buffer.from(image, 'base64')).metadata(true)
const pixelsOf = (image: string) => new Transformer(Buffer.from(image, 'base64')).rawPixels()

/** Why a file was refused. */
const refusalOf = async (file: Buffer): Promise<unknown> => {
  try {
    await encodeLogo('prt_1', file)
    return 'taken'
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_input', field: 'image' })
    return error instanceof Error ? error.message : error
  }
}

describe('a logo', () => {
  it.each([
    ['a wide PNG', () => noisyPng(960, 200), 480, 100],
    ['a tall JPEG', () => noisyJpeg(300, 640), 75, 160],
    ['a large WebP', () => webp(2000, 2000), 160, 160],
    ['a small PNG', async () => png({ width: 48, height: 32 }), 48, 32],
    ['one that just fits', async () => png({ width: 480, height: 160 }), 480, 160],
    ['a grey PNG', async () => png({ width: 64, height: 64, colorType: 0 }), 64, 64],
    ['one of as many pixels as may be', async () => png({ width: 4096, height: 1024 }), 480, 120]
  ])('keeps its shape and fits: %s', async (_, make, width, height) => {
    const logo = await encodeLogo('prt_1', await make())
    expect(logo).toMatchObject({ width, height })
    expect(await decoded(logo.image)).toMatchObject({ format: 'webp', width, height })
  })

  it('stays see-through where it was', async () => {
    const clear = await encodeLogo('prt_1', png({ width: 600, height: 200 }))
    const pixels = await pixelsOf(clear.image)
    expect(pixels.length).toBe(480 * 160 * 4)
    expect(pixels[3]).toBe(0)
  })

  it('has the same hash for the same file and another for another', async () => {
    const [one, again, other] = await Promise.all([
      encodeLogo('prt_1', png({ width: 40, height: 40 })),
      encodeLogo('prt_1', png({ width: 40, height: 40 })),
      encodeLogo('prt_1', png({ width: 41, height: 40 }))
    ])
    expect(one.hash).toMatch(/^[0-9a-f]{32}$/)
    expect(again).toEqual(one)
    expect(other.hash).not.toBe(one.hash)
  })

  it('stays light even as a photograph', async () => {
    const { image } = await encodeLogo('prt_1', await noisyJpeg(900, 300))
    expect(Buffer.from(image, 'base64').length).toBeLessThan(64 * 1024)
  })

  it('stands upright as the camera meant it, and forgets where it was taken', async () => {
    const turned = withSegment(await noisyJpeg(600, 300), 0xe1, EXIF_TURNED)
    expect(turned.includes('GPS 52.5200')).toBe(true)
    const logo = await encodeLogo('prt_1', turned)
    expect(logo).toMatchObject({ width: 80, height: 160 })
    const { exif, orientation } = await decoded(logo.image)
    expect([exif, orientation]).toEqual([undefined, undefined])
    expect(Buffer.from(logo.image, 'base64').includes('GPS')).toBe(false)
  })

  it('loses everything that isn’t a pixel', async () => {
    const script = Buffer.from('<script>alert(1)</script>')
    const polyglot = png({
      width: 40,
      height: 40,
      before: [chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script]))],
      after: script
    })
    const { image } = await encodeLogo('prt_1', polyglot)
    expect(Buffer.from(image, 'base64').toString('latin1')).not.toContain('script')
  })
})

describe('many logos at once', () => {
  const upload = (partnerId: string) => encodeLogo(partnerId, png({ width: 40, height: 40 }))

  it('wait for each other up to a few, and take no other partner’s turn', async () => {
    const greedy = Promise.allSettled(Array.from({ length: 10 }, () => upload('prt_greedy')))
    await expect(upload('prt_modest')).resolves.toMatchObject({ width: 40 })
    const outcomes = await greedy
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'rate_limited', retryAfterSeconds: 2 } })
    await expect(upload('prt_greedy')).resolves.toMatchObject({ width: 40 })
  })
})

describe('a file that is no logo', () => {
  const NO_IMAGE = expect.stringMatching(/no PNG, JPEG or WebP/)

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['two bytes', Buffer.from([0xff, 0xd8])],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04', 'latin1')],
    ['a bitmap', Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)])],
    ['a TIFF', Buffer.concat([Buffer.from('II*\0'), Buffer.alloc(200)])],
    ['a RIFF that is sound', Buffer.concat([Buffer.from('RIFF\x10\0\0\0WAVEfmt '), Buffer.alloc(64)])],
    ['a PNG that ends in its header', png({ width: 9, height: 9 }).subarray(0, 20)],
    ['a PNG without pixels', Buffer.concat([png({ width: 9, height: 9 }).subarray(0, 33), Buffer.alloc(9)])],
    ['a WebP without a picture', riff(['EXIF', Buffer.alloc(20)])]
  ])('is refused in words: %s', async (_, file) => {
    expect(await refusalOf(file)).toEqual(NO_IMAGE)
  })

  it.each([
    ['cut off', async () => (await noisyPng(300, 100)).subarray(0, 20_000)],
    [
      'full of zeros behind its header',
      async () => Buffer.concat([png({ width: 90, height: 90 }).subarray(0, 41), Buffer.alloc(4000)])
    ],
    [
      'a PNG with fewer pixels than it promises',
      async () => png({ width: 90, height: 90, pixels: Buffer.alloc(50) })
    ],
    ['a WebP of nothing but a header', async () => riff(['VP8L', vp8l(40, 40)])]
  ])('is refused as damaged: %s', async (_, make) => {
    expect(await refusalOf(await make())).toMatch(/damaged|no PNG, JPEG or WebP/)
  })

  it('is refused when it is larger than 512 kB', async () => {
    const heavy = png({ width: 20, height: 20, after: Buffer.alloc(512 * 1024) })
    expect(await refusalOf(heavy)).toMatch(/larger than 512 kB/)
  })

  it.each([
    ['a PNG that is too wide', async () => png({ width: 4097, height: 1, pixels: Buffer.alloc(1) })],
    ['a PNG of too many pixels', async () => png({ width: 4096, height: 1025, pixels: Buffer.alloc(1) })],
    [
      'a PNG of four billion pixels a side',
      async () => png({ width: 2 ** 31 - 1, height: 2 ** 31 - 1, pixels: Buffer.alloc(9) })
    ],
    ['a PNG of no pixels', async () => png({ width: 0, height: 40, pixels: Buffer.alloc(9) })],
    ['a WebP', async () => riff(['VP8L', vp8l(16_383, 16_383)])],
    [
      'a WebP whose canvas is small',
      async () => riff(['VP8X', vp8x(10, 10)], ['VP8L', vp8l(16_383, 16_383)])
    ],
    [
      'a WebP whose picture is small',
      async () => riff(['VP8X', vp8x(2 ** 24, 2 ** 24)], ['VP8L', vp8l(10, 10)])
    ]
  ])('is refused by what it promises, before anything is decoded: %s', async (_, make) => {
    const file = await make()
    const before = process.memoryUsage().rss
    expect(await refusalOf(file)).toMatch(/pixels\. Choose one of at most 2048 × 2048, or .* 4096 a side/)
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })

  it('is refused by the frame that the JPEG decodes, not by the thumbnail in its metadata', async () => {
    const thumbnail = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), await noisyJpeg(16, 16)])
    const jpeg = withSegment(await noisyJpeg(900, 90), 0xe1, thumbnail)
    expect(readImageHeader(jpeg)).toMatchObject({ width: 900, height: 90 })
    const twoFrames = withSegment(await noisyJpeg(20, 20), 0xc0, frameHeader(65_535, 65_535))
    expect(await refusalOf(twoFrames)).toEqual(NO_IMAGE)
    expect(await refusalOf(jpegOfFrame(frameHeader(65_500, 65_500)))).toMatch(/65500 × 65500 pixels/)
  })

  it.each([
    ['a PNG', async () => png({ width: 40, height: 40, bitDepth: 16 })],
    ['a JPEG', async () => jpegOfFrame(frameHeader(40, 40, 16))]
  ])('is refused where its channels have 16 bits: %s', async (_, make) => {
    expect(await refusalOf(await make())).toMatch(/16 bits for each channel. Save it with 8/)
  })

  it('is refused when a JPEG has more scans than a picture needs', async () => {
    const scans = Buffer.concat(Array.from({ length: 101 }, () => Buffer.from([0xff, 0xda, 0, 2])))
    expect(await refusalOf(Buffer.concat([await noisyJpeg(40, 40), scans]))).toEqual(NO_IMAGE)
  })

  it.each([
    [
      'a PNG with frames',
      async () => png({ width: 20, height: 20, before: [chunk('acTL', Buffer.alloc(8, 1))] })
    ],
    ['a WebP that says so', async () => riff(['VP8X', vp8x(20, 20, 2)], ['VP8L', vp8l(20, 20)])],
    [
      'a WebP with frames',
      async () => riff(['VP8X', vp8x(20, 20)], ['ANMF', Buffer.alloc(24)], ['VP8L', vp8l(20, 20)])
    ]
  ])('is refused when it moves: %s', async (_, make) => {
    expect(await refusalOf(await make())).toMatch(/moves/)
  })

  it('can’t unfold its metadata in our memory: none of it is decoded', () => {
    const bomb = deflateSync(Buffer.alloc(1024 * 1024))
    const plain = png({ width: 20, height: 20 })
    for (const [type, head] of [
      ['zTXt', 'Comment\0\0'],
      ['iCCP', 'p\0\0'],
      ['eXIf', ''],
      ['spAm', '']
    ] as const) {
      const extra = chunk(type, Buffer.concat([Buffer.from(head), bomb]))
      const packed = png({ width: 20, height: 20, before: [extra], after: bomb })
      expect(pixelsOfPng(packed)).toEqual(plain)
    }
  })
})
