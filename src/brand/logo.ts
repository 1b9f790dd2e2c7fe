// A logo as it was uploaded → the one image that we serve. Only pixels pass: no metadata, no script, no second format.
import { hash } from 'node:crypto'
import { ResizeFilterType, ResizeFit, Transformer } from '@napi-rs/image'
import { MAX_LOGO_BYTES } from '../../schemas/partner.ts'
import { ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { type ImageHeader, pixelsOfPng, readImageHeader } from './image-header.ts'

/** Twice what the portal shows, for screens with small pixels. */
const MAX_WIDTH = 480
const MAX_HEIGHT = 160

/** 16 MB once decoded; anything more is no logo. */
const MAX_PIXELS = 2048 * 2048
const MAX_SIDE = 4096
const MAX_BITS = 8

/** A drawing stays below it without loss; a photograph doesn't need to be without loss. */
const MAX_LOSSLESS_BYTES = 20 * 1024
const LOSSY_QUALITY = 85

const HASH_CHARS = 32

export interface EncodedLogo {
  hash: string
  width: number
  height: number
  /** WebP in base64. */
  image: string
}

/** One image at a time: reading one takes up to 115 MB (measured), whoever uploads. */
const turns = createFairQueue({
  atOnce: 1,
  atOncePerTenant: 1,
  waitingPerTenant: 3,
  refusal: () =>
    new ServiceError('rate_limited', 'Other images of yours are being read. Try again in 2 seconds.', {
      retryAfterSeconds: 2
    })
})

/**
 * Re-encodes a PNG, JPEG or WebP file of the partner's at a size that fits the portal; a small one is not made larger.
 *
 * @throws ServiceError `invalid_input` for anything else, and for a file that promises too many pixels; `rate_limited`
 */
export async function encodeLogo(partnerId: string, file: Buffer): Promise<EncodedLogo> {
  if (file.length > MAX_LOGO_BYTES)
    throw refused('The file is larger than 512 kB. Save it smaller and try again.')
  const header = readImageHeader(file)
  if (!header)
    throw refused('This is no PNG, JPEG or WebP image. Save the logo as one of them and try again.')
  if (header.isAnimated) throw refused('This image moves. Choose one that stands still.')
  const { width, height, bits } = header
  const isTooLarge = Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS
  if (isTooLarge || width < 1 || height < 1) {
    throw refused(
      `The image is ${width} × ${height} pixels. Choose one of at most 2048 × 2048, or as many in another shape of at most ${MAX_SIDE} a side.`
    )
  }
  if (bits > MAX_BITS)
    throw refused(`The image has ${bits} bits for each channel. Save it with ${MAX_BITS} and try again.`)
  const image = await turns.run(partnerId, () => encode(file, header.kind))
  const encoded = readImageHeader(image)
  if (!encoded) throw new Error('The logo was encoded into something that is no image')
  return {
    hash: hash('sha256', image).slice(0, HASH_CHARS),
    width: encoded.width,
    height: encoded.height,
    image: image.toString('base64')
  }
}

async function encode(uploaded: Buffer, kind: ImageHeader['kind']): Promise<Buffer> {
  try {
    // Measured: a color profile of 500 kB took 500 MB to read.
    const file = kind === 'png' ? pixelsOfPng(uploaded) : uploaded
    const isLarge = await exceedsPlace(file)
    const fitted = () => {
      // A camera turns the picture by a note in its metadata, and those don't survive.
      const upright = new Transformer(file).rotate()
      if (!isLarge) return upright
      return upright.resize({
        width: MAX_WIDTH,
        height: MAX_HEIGHT,
        filter: ResizeFilterType.Lanczos3,
        fit: ResizeFit.Inside
      })
    }
    const lossless = await fitted().webpLossless()
    if (lossless.length <= MAX_LOSSLESS_BYTES) return lossless
    const lossy = await fitted().webp(LOSSY_QUALITY)
    return lossy.length < lossless.length ? lossy : lossless
  } catch (error) {
    throw refused('The image is damaged and can’t be read. Save it again and try once more.', error)
  }
}

/** From this one on a picture lies on its side (EXIF). */
const FIRST_SIDEWAYS = 5

async function exceedsPlace(file: Buffer): Promise<boolean> {
  const { width, height, orientation = 1 } = await new Transformer(file).metadata(true)
  const [across, down] = orientation >= FIRST_SIDEWAYS ? [height, width] : [width, height]
  return across > MAX_WIDTH || down > MAX_HEIGHT
}

const refused = (message: string, cause?: unknown) =>
  new ServiceError('invalid_input', message, { field: 'image', cause })
