// Bodies are read within a limit, whether their length was announced or not, and within what all bodies together may
// take of the process's memory, of which no tenant gets more than a share.
import type { Context } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import type { Incoming } from '../../src/instances/ssh/write-file.ts'
import { networksOf } from '../../src/limits/networks.ts'
import { clientAddress } from './client-address.ts'
import type { RequestEnv } from './request-env.ts'

/** Of any request: 1 MiB. */
export const MAX_BODY_BYTES = 1_048_576
/** A shorter one that was announced is read at once; of a longer one the request would keep a copy. */
const SHORT_BODY_BYTES = 65_536

/** What bodies take from when they are announced until their answers have left. */
const MAX_HELD_BYTES = 96 * 1_048_576
const MAX_HELD_BYTES_OF_TENANT = 32 * 1_048_576
/** So much every tenant gets, whoever fills the rest. */
const ALWAYS_FREE_BYTES = SHORT_BODY_BYTES

const heldBytes = new Map<string, number>()
let allHeldBytes = 0

/**
 * The body's bytes. One that is announced as too long is refused before anything is read, another one as soon as it
 * passes the limit. They count as held until the answer has left.
 * @throws ServiceError `payload_too_large`; `rate_limited` while too much is held; `invalid_input` when the connection
 *   breaks before the end
 */
export async function readBody(c: Context, maxBytes: number = MAX_BODY_BYTES) {
  const request = c.req.raw
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge(maxBytes)
  const hold = holderFor(c)
  try {
    if (announced === null) return await readUnannounced(request.body, maxBytes, hold)
    // The HTTP parser holds an announced length to what was announced.
    hold(Number(announced))
    if (Number(announced) <= SHORT_BODY_BYTES) return new Uint8Array(await request.arrayBuffer())
    return await readAnnounced(c.env?.incoming ?? request.body ?? [], Number(announced))
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw endedEarly(error)
  }
}

/**
 * The body as it comes, for what takes it no faster than it can pass it on: nothing lies here.
 * @throws ServiceError `payload_too_large`; `invalid_input` without a length, and of the pieces when the connection breaks
 */
export function streamBody(c: Context, maxBytes: number): Incoming {
  const size = Number(c.req.header('content-length') ?? Number.NaN)
  if (Number.isNaN(size)) throw new ServiceError('invalid_input', 'Content-Length is required.')
  if (size > maxBytes) throw tooLarge(maxBytes)
  const { incoming }: Partial<RequestEnv['Bindings']> = c.env ?? {}
  // Who leaves early still answers on this connection.
  return { size, pieces: whole(incoming?.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? []) }
}

async function* whole(body: Incoming['pieces']): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw endedEarly(cause)
  }
}

const endedEarly = (cause: unknown): ServiceError =>
  new ServiceError('invalid_input', 'The body ended before it was complete.', { cause })

/** Piece by piece into its place: to copy 4 MiB at once, into memory that is new, takes up to 20 ms (measured). */
async function readAnnounced(body: AsyncIterable<Uint8Array> | Uint8Array[], length: number) {
  const whole = new Uint8Array(length)
  let at = 0
  for await (const chunk of body) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole.subarray(0, at)
}

/** Whether it would be read for nothing: the answer is there before the end of a long body, or of one without a length. */
export function isLongAndUnread({ env }: Context): boolean {
  const { incoming }: Partial<RequestEnv['Bindings']> = env ?? {}
  if (incoming?.complete !== false) return false
  return !(Number(incoming.headers['content-length']) <= SHORT_BODY_BYTES)
}

/** What lies here of a file while it goes out: the piece that leaves, and the next one. */
const HELD_OF_FILE_BYTES = 2_000_000

/** Counts a file that goes out as what comes in is. @throws ServiceError `rate_limited` while too much is held */
export const holdFile = (c: Context): void => holderFor(c)(HELD_OF_FILE_BYTES)

type Hold = (bytes: number) => void

async function readUnannounced(body: ReadableStream<Uint8Array> | null, maxBytes: number, hold: Hold) {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > maxBytes) throw tooLarge(maxBytes)
    hold(chunk.byteLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/** Counts bytes as held by whoever sends them: the partner where it is known by now, else the client's network. */
function holderFor(c: Context): Hold {
  const { outgoing, trustedProxies = 0 }: RequestEnv['Bindings'] = c.env ?? {}
  // Without a socket there is nobody to hold anything.
  if (!outgoing || outgoing.destroyed) return () => undefined
  const caller: RequestEnv['Variables']['caller'] = c.get('caller')
  const tenant = caller?.partnerId ?? networksOf(clientAddress(c, trustedProxies))[0].name
  let held = 0
  const hold = (bytes: number): void => {
    const ofTenant = (heldBytes.get(tenant) ?? 0) + bytes
    const fits = ofTenant <= MAX_HELD_BYTES_OF_TENANT && allHeldBytes + bytes <= MAX_HELD_BYTES
    if (bytes > 0 && !fits && ofTenant > ALWAYS_FREE_BYTES) {
      throw new ServiceError('rate_limited', 'Too much is being sent at once. Try again in 1 second.', {
        retryAfterSeconds: 1
      })
    }
    if (ofTenant > 0) heldBytes.set(tenant, ofTenant)
    else heldBytes.delete(tenant)
    allHeldBytes += bytes
    held += bytes
  }
  outgoing.once('close', () => hold(-held))
  return hold
}

const tooLarge = (maxBytes: number): ServiceError =>
  new ServiceError('payload_too_large', `The body is larger than ${maxBytes} bytes.`)
