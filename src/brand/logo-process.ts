// Started by logo.ts: makes one image small and ends, and with it what decoding took. (A process that goes on keeps up to
// 300 MB of it, measured: each thread's allocator has its own.)
import { constants, getPriority, setPriority } from 'node:os'
import { ResizeFilterType, ResizeFit, Transformer } from '@napi-rs/image'

/** Twice what the portal shows, for screens with small pixels. */
const BOUNDS = { width: 480, height: 160, filter: ResizeFilterType.Lanczos3, fit: ResizeFit.Inside }

/** A drawing stays below it without loss; a photograph doesn't need to be without loss. */
const MAX_LOSSLESS_BYTES = 20 * 1024
const LOSSY_QUALITY = 85

/** From this one on a picture lies on its side (EXIF). */
const FIRST_SIDEWAYS = 5

/** Where cores are few, the event loop comes first. */
const NICE_INCREMENT = 5

setPriority(Math.min(getPriority() + NICE_INCREMENT, constants.priority.PRIORITY_LOW))
process.once('message', async (file: Uint8Array) => {
  const answer: unknown = await encode(file).catch(String)
  process.send?.(answer, () => process.disconnect())
})

async function encode(file: Uint8Array): Promise<Uint8Array> {
  const picture = new Transformer(file)
  const { width, height, orientation = 1 } = await picture.metadata(true)
  const [across, down] = orientation >= FIRST_SIDEWAYS ? [height, width] : [width, height]
  // A camera turns the picture by a note in its metadata, and those don't survive.
  const upright = picture.rotate()
  const isSmall = across <= BOUNDS.width && down <= BOUNDS.height
  const fitted = isSmall ? upright : upright.resize(BOUNDS)
  const small = await fitted.png()
  const lossless = await new Transformer(small).webpLossless()
  if (lossless.length <= MAX_LOSSLESS_BYTES) return lossless
  const lossy = await new Transformer(small).webp(LOSSY_QUALITY)
  return lossy.length < lossless.length ? lossy : lossless
}
