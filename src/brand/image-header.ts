// What a raster image says of itself before anything decodes it: a few bytes can promise gigabytes of pixels.

export interface ImageHeader {
  kind: 'png' | 'jpeg' | 'webp'
  /** The largest that any part of the file claims to be. */
  width: number
  height: number
  isAnimated: boolean
  /** Of each channel of a pixel. */
  bits: number
}

/** The header of a PNG, JPEG or WebP file; `undefined` for anything else, and for one that is broken off. */
export function readImageHeader(file: Buffer): ImageHeader | undefined {
  try {
    if (file.subarray(0, 8).equals(PNG_SIGNATURE)) return readPng(file)
    if (file.readUInt16BE(0) === START_OF_IMAGE) return readJpeg(file)
    if (isText(file, 0, 'RIFF') && isText(file, 8, 'WEBP')) return readWebp(file)
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Chunks are length, name, content and checksum; the first is IHDR, and `acTL` before the pixels announces frames. */
function readPng(file: Buffer): ImageHeader | undefined {
  if (!isText(file, 12, 'IHDR')) return undefined
  let isAnimated = false
  for (let at = 8; !isText(file, at + 4, 'IDAT'); at += 12 + file.readUInt32BE(at)) {
    if (isText(file, at + 4, 'acTL')) isAnimated = true
  }
  const [width, height, bits] = [file.readUInt32BE(16), file.readUInt32BE(20), file.readUInt8(24)]
  return { kind: 'png', width, height, isAnimated, bits }
}

/** What of a PNG makes its pixels. The rest, packed in itself, can unfold to a thousand times its size. */
const PIXEL_CHUNKS: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/** The PNG file without anything but its pixels; where it is cut off, so is this. */
export function pixelsOfPng(file: Buffer): Buffer {
  const kept: Uint8Array[] = [PNG_SIGNATURE]
  for (let at = 8; at + 8 <= file.length; ) {
    const type = file.toString('latin1', at + 4, at + 8)
    const end = at + 12 + file.readUInt32BE(at)
    if (PIXEL_CHUNKS.has(type)) kept.push(file.subarray(at, end))
    if (type === 'IEND') break
    at = end
  }
  return Buffer.concat(kept)
}

const START_OF_IMAGE = 0xff_d8
const START_OF_SCAN = 0xda
const SCAN = Buffer.from([0xff, START_OF_SCAN])
/** A progressive picture has about ten; thousands of empty ones would keep a processor busy for minutes. */
const MAX_SCANS = 100
/** SOF0 to SOF15; three numbers among them mean something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Segments are a marker, a length and content. A thumbnail in one is skipped with it; two frames are no photograph. */
function readJpeg(file: Buffer): ImageHeader | undefined {
  let size: { width: number; height: number; bits: number } | undefined
  if (countOf(SCAN, file) > MAX_SCANS) return undefined
  let at = 2
  for (;;) {
    if (file.readUInt8(at) !== 0xff) return undefined
    const marker = file.readUInt8(at + 1)
    // Any number of fill bytes may stand before a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === START_OF_SCAN) return size && { kind: 'jpeg', ...size, isAnimated: false }
    if (isFrame(marker)) {
      if (size) return undefined
      const [width, height] = [file.readUInt16BE(at + 7), file.readUInt16BE(at + 5)]
      size = { width, height, bits: file.readUInt8(at + 4) }
    }
    at += 2 + file.readUInt16BE(at + 2)
  }
}

function countOf(bytes: Buffer, file: Buffer): number {
  let count = 0
  for (let at = file.indexOf(bytes); at >= 0; at = file.indexOf(bytes, at + bytes.length)) count += 1
  return count
}

const ANIMATION_FLAG = 0x02

/** RIFF chunks: the canvas in VP8X and the picture in VP8 or VP8L each have a size, and needn't agree. */
function readWebp(file: Buffer): ImageHeader | undefined {
  const sizes: [width: number, height: number][] = []
  let isAnimated = false
  for (let at = 12; at + 8 <= file.length; ) {
    const content = at + 8
    const name = file.toString('latin1', at, content - 4)
    if (name === 'VP8X') {
      isAnimated ||= (file.readUInt8(content) & ANIMATION_FLAG) !== 0
      sizes.push([file.readUIntLE(content + 4, 3) + 1, file.readUIntLE(content + 7, 3) + 1])
    } else if (name === 'VP8 ') {
      sizes.push([file.readUInt16LE(content + 6) & 0x3fff, file.readUInt16LE(content + 8) & 0x3fff])
    } else if (name === 'VP8L') {
      const bits = file.readUInt32LE(content + 1)
      sizes.push([(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1])
    } else if (name === 'ANIM' || name === 'ANMF') isAnimated = true
    const length = file.readUInt32LE(at + 4)
    at = content + length + (length % 2)
  }
  if (sizes.length === 0) return undefined
  const width = Math.max(...sizes.map(([across]) => across))
  const height = Math.max(...sizes.map(([, down]) => down))
  return { kind: 'webp', width, height, isAnimated, bits: 8 }
}

const isText = (file: Buffer, at: number, text: string): boolean =>
  file.toString('latin1', at, at + text.length) === text
