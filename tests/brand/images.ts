// Image files made byte by byte, honest and hostile.
import { crc32, deflateSync } from 'node:zlib'
import { Transformer } from '@napi-rs/image'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** One chunk of a PNG file. */
export function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

export interface PngOptions {
  width: number
  height: number
  /** 2: RGB, 6: RGBA, 0: grey. */
  colorType?: 0 | 2 | 6
  bitDepth?: 8 | 16
  /** The pixels, if not as many zeros as the header promises. */
  pixels?: Uint8Array
  /** Chunks between the header and the pixels. */
  before?: readonly Buffer[]
  /** Bytes behind the end. */
  after?: Uint8Array
}

const CHANNELS = { 0: 1, 2: 3, 6: 4 }

export function png({
  width,
  height,
  colorType = 6,
  bitDepth = 8,
  pixels,
  before = [],
  after = Buffer.alloc(0)
}: PngOptions): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bitDepth, colorType, 0, 0, 0], 8)
  const rows = pixels ?? Buffer.alloc(height * (1 + width * CHANNELS[colorType] * (bitDepth / 8)))
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    ...before,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
    after
  ])
}

/** A picture that no two pixels of are alike, so that it can't be packed small. */
const noise = (width: number, height: number): Transformer => {
  const pixels = Buffer.alloc(width * height * 4)
  let state = 1
  for (let at = 0; at < pixels.length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    pixels[at] = at % 4 === 3 ? 255 : state >> 16
  }
  return Transformer.fromRgbaPixels(pixels, width, height)
}

export const noisyJpeg = (width: number, height: number): Promise<Buffer> => noise(width, height).jpeg(80)
export const noisyPng = (width: number, height: number): Promise<Buffer> => noise(width, height).png()

export const webp = (width: number, height: number): Promise<Buffer> =>
  new Transformer(png({ width, height })).webpLossless()

/** The JPEG with a segment behind its first marker. */
export function withSegment(jpeg: Buffer, marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}

/** EXIF that says: turn me by 90°; and where it was taken. */
export const EXIF_TURNED = Buffer.concat([
  Buffer.from('Exif\0\0', 'latin1'),
  Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex'),
  Buffer.from('GPS 52.5200 N 13.4050 E', 'latin1')
])

/** A frame header (SOF0) of a JPEG that promises so many pixels, of so many bits each channel. */
export function frameHeader(width: number, height: number, bits = 8): Buffer {
  const content = Buffer.from([bits, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
  content.writeUInt16BE(height, 1)
  content.writeUInt16BE(width, 3)
  return content
}

/** A JPEG of nothing but that frame header. */
export const jpegOfFrame = (header: Uint8Array): Buffer =>
  Buffer.concat([withSegment(Buffer.from([0xff, 0xd8]), 0xc0, header), Buffer.from([0xff, 0xda, 0, 2])])

export function riff(...chunks: readonly [type: string, content: Uint8Array][]): Buffer {
  const body = Buffer.concat(
    chunks.flatMap(([type, content]) => {
      const head = Buffer.alloc(8)
      head.write(type, 'latin1')
      head.writeUInt32LE(content.length, 4)
      return [head, content, Buffer.alloc(content.length % 2)]
    })
  )
  const head = Buffer.alloc(12)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  head.write('WEBP', 8, 'latin1')
  return Buffer.concat([head, body])
}

/** The header of a lossless WebP picture. */
export function vp8l(width: number, height: number): Buffer {
  const content = Buffer.alloc(64)
  content[0] = 0x2f
  content.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1)
  return content
}

/** The canvas of an extended WebP file. */
export function vp8x(width: number, height: number, flags = 0): Buffer {
  const content = Buffer.alloc(10)
  content[0] = flags
  content.writeUIntLE(width - 1, 4, 3)
  content.writeUIntLE(height - 1, 7, 3)
  return content
}
