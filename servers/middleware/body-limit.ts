// Bodies are read within a limit, whether their length was announced or not.
import { ServiceError } from '../../src/errors.ts'

/** The longest body of any door: 1 MiB. */
export const MAX_BODY_BYTES = 1_048_576

/**
 * The body's bytes. One that is announced as too long is refused before anything is read, another one as soon as it
 * passes the limit.
 *
 * @throws ServiceError `payload_too_large` (413); `invalid_input` when the connection breaks before the end
 */
export async function readBody(request: Request, maxBytes: number = MAX_BODY_BYTES): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge(maxBytes)
  try {
    // The HTTP parser holds an announced length to what was announced.
    if (announced !== null) return new Uint8Array(await request.arrayBuffer())
    return request.body ? await readStream(request.body, maxBytes) : new Uint8Array()
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError('invalid_input', 'The body ended before it was complete.', { cause: error })
  }
}

async function readStream(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

const tooLarge = (maxBytes: number): ServiceError =>
  new ServiceError('payload_too_large', `The body is larger than ${maxBytes} bytes.`)
