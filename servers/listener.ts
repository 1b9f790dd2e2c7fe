// The HTTP server: limits on headers and time, answers to what is not HTTP, and an end that lets requests finish.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { ServiceError } from '../src/errors.ts'
import { newId } from '../src/ids.ts'
import { noteArrival } from '../src/slices.ts'
import { errorBody } from './middleware/error-answer.ts'
import { createPipelining } from './pipelining.ts'

const MAX_HEADER_BYTES = 16_384
/** A client has this long to send its headers, and its whole request. */
const HEADERS_WITHIN_MS = 15_000
const REQUEST_WITHIN_MS = 60_000
/** Longer than the idle timeout of the usual proxies, so that they close first and no request meets a closed socket. */
const KEEP_ALIVE_MS = 75_000
/** A client that takes nothing of its answer for so long is given up. */
const UNREAD_MS = 60_000
/** A client that is answered before it has sent everything gets so long to read that. */
const LINGER_MS = 1_000
/** Many clients read while they send, and leave. */
const LEFT_WITHIN_MS = 100
/** Of those that read only when they have sent all, so much is thrown away. */
const DISCARDED_BYTES = 8 * 1_048_576
/** Open requests get this long to finish when the process stops. */
const DRAIN_WITHIN_MS = 60_000

export interface Listener {
  /** `http://host:port` as it was bound; a wildcard address is shown as this machine's own. */
  url: string
  /** Refuses new connections, closes idle ones, lets open requests finish, and closes what is left at the deadline. */
  drain(): Promise<void>
}

/** Listens on the address. @throws Error with Node's code, such as `EADDRINUSE` when the port is taken */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  address: { host: string; port: number },
  { drainWithinMs = DRAIN_WITHIN_MS, unreadMs = UNREAD_MS } = {}
): Promise<Listener> {
  const sockets = new Set<Socket>()
  const { serve, afterAnswers, isAnswering, isReceiving, Message } = createPipelining(
    getRequestListener(fetch, { errorHandler: () => malformedRequest(), autoCleanupIncoming: false }),
    sockets
  )
  const server = createServer(
    {
      IncomingMessage: Message,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 5_000
    },
    serve
  )
  // An expectation that we don't know would be answered by Node itself, with a bare 417; HTTP lets us pass it over.
  server.on('checkExpectation', serve)
  // Nobody is offered another protocol: this is a connection with too many requests.
  server.on('upgrade', (_, socket) => socket.destroy())
  server.on('clientError', (error: ClientError, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else afterAnswers(socket, () => answerClientError(error, socket))
  })
  server.setTimeout(unreadMs, (socket) => {
    // Who waits for us may be silent.
    if (!isAnswering(socket) || socket.writableLength > 0) socket.destroy()
  })
  server.on('connection', (socket) => {
    noteArrival()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => (isReceiving(socket) ? void leave(socket) : destroySoon())
  })
  server.listen(address.port, address.host)
  await once(server, 'listening')
  return { url: urlOf(server), drain: () => drain(server, sockets, drainWithinMs) }
}

/** Closed at once, the connection would be reset, and a client that still sends might never see the answer. */
async function leave(socket: Socket): Promise<void> {
  socket.end()
  // Node would read on from the next tick, and throw it away.
  await setImmediate()
  socket.pause()
  await sleep(LEFT_WITHIN_MS)
  socket.resume()
  const mostBytes = socket.bytesRead + DISCARDED_BYTES
  for (let ms = LEFT_WITHIN_MS; ms < LINGER_MS && !socket.destroyed; ms += 10) {
    if (socket.bytesRead > mostBytes) socket.pause()
    await sleep(10)
  }
  socket.destroy()
}

/** `close` alone would wait for keep-alive sockets and for those that never sent anything. */
async function drain(server: Server, sockets: ReadonlySet<Socket>, withinMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // Node counts a socket that never sent a byte as busy.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  // An answer whose headers left before the drain keeps its socket alive; it is idle once the answer is out.
  const recheck = setInterval(() => server.closeIdleConnections(), 100)
  const deadline = setTimeout(() => server.closeAllConnections(), withinMs)
  await closed
  clearInterval(recheck)
  clearTimeout(deadline)
}

function urlOf(server: Server): string {
  const bound = server.address()
  // Only a pipe has a text as its address, and we listen on none.
  if (bound === null || typeof bound === 'string') throw new Error('The server has no TCP address')
  const { address, family, port } = bound
  const host = { '::': '::1', '0.0.0.0': '127.0.0.1' }[address] ?? address
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`
}

function malformed() {
  const requestId = newId('req')
  const error = new ServiceError('invalid_input', 'The request is not valid HTTP.')
  return { requestId, body: errorBody(error, requestId) }
}

/** A request that the adapter can't turn into a URL. */
function malformedRequest(): Response {
  const { requestId, body } = malformed()
  return Response.json(body, { status: 400, headers: { 'X-Request-Id': requestId, Connection: 'close' } })
}

const STATUS_LINES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout'
}

type ClientError = Error & { code?: string }

/** What never became a request is answered on the bare socket, and the socket is closed. */
function answerClientError(error: ClientError, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { requestId, body } = malformed()
  const json = JSON.stringify(body)
  socket.end(
    [
      `HTTP/1.1 ${STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(json)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      json
    ].join('\r\n')
  )
}
