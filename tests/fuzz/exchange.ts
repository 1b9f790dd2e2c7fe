// Requests as they go over the wire, and everything that comes back.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { openRaw } from '../support/raw-socket.ts'
import type { Body } from './hostile.ts'

export interface WireRequest {
  method: string
  /** Path and query, sent as they are. */
  target: string
  headers: Record<string, string>
  body?: Body | undefined
}

export interface WireAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const ANSWER_WITHIN_MS = 15_000

export interface Client {
  /** @throws Error when the connection breaks or no answer comes */
  send(request: WireRequest): Promise<WireAnswer>
  close(): void
}

/** Sends one request after the other on one connection, so that what one leaves behind would hurt the next. */
export function openClient(url: string): Client {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const bytes = body && Buffer.from(body.text, body.encoding)
        const options = {
          agent,
          hostname,
          port,
          method,
          path: target,
          // Node's client announces no length for a method that usually has no body, and sends it all the same.
          headers:
            bytes && !('Transfer-Encoding' in headers)
              ? { ...headers, 'Content-Length': bytes.length }
              : headers,
          timeout: ANSWER_WITHIN_MS
        }
        const request = httpRequest(options, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
          })
        })
        request.on('timeout', () => request.destroy(new Error('no answer in time')))
        request.on('error', reject)
        request.end(bytes)
      }),
    close: () => agent.destroy()
  }
}

/**
 * Sends bytes on a connection of their own and reads until the server has closed it.
 *
 * @param saysEnd tells the server that there are no more bytes; Node then drops a request that it still works on
 * @throws Error when the server leaves the connection open
 */
export async function sendBytes(url: string, bytes: Buffer, saysEnd: boolean): Promise<WireAnswer[]> {
  const connection = await openRaw(url)
  // One character a byte, as lengths are counted.
  connection.socket.setEncoding('latin1')
  connection.send(bytes)
  if (saysEnd) connection.socket.end()
  const patience = setTimeout(
    () => connection.socket.destroy(new Error('the connection was left open')),
    ANSWER_WITHIN_MS
  )
  const startedAt = performance.now()
  await connection.closed
  clearTimeout(patience)
  if (performance.now() - startedAt >= ANSWER_WITHIN_MS) throw new Error('the connection was left open')
  return answersIn(connection.received())
}

/** Every answer in what was received on one connection. */
function answersIn(received: string): WireAnswer[] {
  if (received === '') return []
  const headEnd = received.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = received.slice(0, headEnd).split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]
  if (status === undefined || headEnd < 0) throw new Error(`Not an answer: ${received.slice(0, 300)}`)
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim()
    ])
  )
  const rest = received.slice(headEnd + 4)
  const { text, end } = bodyIn(rest, headers)
  return [{ status: Number(status), headers, text }, ...answersIn(rest.slice(end))]
}

function bodyIn(rest: string, headers: Record<string, string>): { text: string; end: number } {
  if (headers['transfer-encoding'] !== 'chunked') {
    const length = Number(headers['content-length'] ?? 0)
    return { text: rest.slice(0, length), end: length }
  }
  let text = ''
  let end = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', end)
    const length = Number.parseInt(rest.slice(end, lineEnd), 16)
    text += rest.slice(lineEnd + 2, lineEnd + 2 + length)
    end = lineEnd + 2 + length + 2
    if (!(length > 0)) return { text, end }
  }
}
