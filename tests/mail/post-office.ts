// A real SMTP server on loopback that can be told to misbehave.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface PostOffice {
  port: number
  /** For MAIL_URL. */
  url: string
  /** What was accepted, in order. */
  received: Email[]
  close(): Promise<void>
}

/** An answer of the server that refuses. */
export const refusal = (responseCode: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode })

interface Conduct extends SMTPServerOptions {
  /** 0 picks a free one. */
  port?: number
  /** Runs when a letter has arrived whole, before the server says 250; throws to refuse it. */
  onLetter?(letter: Email): void | Promise<void>
}

/** Opens a server without TLS or login, unless the options say otherwise. */
export async function openPostOffice({ port = 0, onLetter, ...options }: Conduct = {}): Promise<PostOffice> {
  const received: Email[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    closeTimeout: 50,
    onData(stream, _session, callback) {
      buffer(stream)
        .then((bytes) => PostalMime.parse(bytes))
        .then(async (letter) => {
          await onLetter?.(letter)
          received.push(letter)
        })
        .then(() => callback(), callback)
    },
    ...options
  })
  // A client that hangs up in the middle is what some tests are about.
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const opened = portOf(server.server.address())
  return {
    port: opened,
    url: `smtp://127.0.0.1:${opened}`,
    received,
    close: () => new Promise((resolve) => server.close(resolve))
  }
}

/** A server that speaks no SMTP of its own: `onConnection` does with the socket what it likes. */
export async function openRawServer(
  onConnection: (socket: Socket) => void
): Promise<{ url: string; connections(): number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${portOf(server.address())}`,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      })
  }
}

const portOf = (address: ReturnType<ReturnType<typeof createServer>['address']>): number =>
  typeof address === 'object' && address ? address.port : 0
