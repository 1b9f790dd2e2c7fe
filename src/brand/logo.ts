// A logo as it was uploaded → the one image that we serve. Only pixels pass: no metadata, no script, no second format.
import { fork } from 'node:child_process'
import { hash } from 'node:crypto'
import { MAX_LOGO_BYTES } from '../../schemas/partner.ts'
import { builtFile } from '../built-file.ts'
import { ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { type ImageHeader, pixelsOfPng, readImageHeader } from './image-header.ts'

/** 16 MB once decoded; anything more is no logo. */
const MAX_PIXELS = 2048 * 2048
const MAX_SIDE = 4096
const MAX_BITS = 8

/** Far longer than four million pixels take. */
const DECODE_TIMEOUT_MS = 20_000

const HASH_CHARS = 32

/** So many of a partner's images wait, beside the one that is read. */
export const MAX_WAITING_IMAGES = 3

export const tooManyImages = (): ServiceError =>
  new ServiceError('rate_limited', 'Other images of yours are being read. Try again in 2 seconds.', {
    retryAfterSeconds: 2
  })

/** One image at a time: decoding one takes a processor and some hundred MB, whoever uploads. */
const turns = createFairQueue({ atOnce: 1, waitingPerTenant: MAX_WAITING_IMAGES, refusal: tooManyImages })

/** Fit for the portal. @throws ServiceError `invalid_input`, also where it promises too many pixels; `rate_limited` */
export async function encodeLogo(partnerId: string, file: Buffer) {
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
  const address = hash('sha256', image).slice(0, HASH_CHARS)
  return { hash: address, width: encoded.width, height: encoded.height, image: image.toString('base64') }
}

/** In a process of its own, which knows none of our secrets. */
async function encode(uploaded: Buffer, kind: ImageHeader['kind']): Promise<Buffer> {
  const program = builtFile(new URL('./logo-process.js', import.meta.url))
  const child = fork(program, {
    serialization: 'advanced',
    env: {},
    execArgv: [],
    timeout: DECODE_TIMEOUT_MS,
    killSignal: 'SIGKILL'
  })
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const fail = (cause: unknown) =>
        reject(refused('The image is damaged and can’t be read. Save it again and try once more.', cause))
      child.once('message', (answer) =>
        answer instanceof Uint8Array ? resolve(Buffer.from(answer)) : fail(answer)
      )
      child.once('exit', fail)
      child.once('error', reject)
      // Measured: a color profile of 500 kB took 500 MB to read.
      child.send(kind === 'png' ? pixelsOfPng(uploaded) : uploaded)
    })
  } finally {
    child.kill('SIGKILL')
  }
}

const refused = (message: string, cause?: unknown) =>
  new ServiceError('invalid_input', message, { field: 'image', cause })
