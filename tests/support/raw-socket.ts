// HTTP as it goes over the wire, for what no client would send.
import { connect, type Socket } from 'node:net'

export interface RawConnection {
  socket: Socket
  /** Everything received so far. */
  received(): string
  /** Resolves once the other side has closed the connection. */
  closed: Promise<void>
  send(text: string | Uint8Array): void
}

/** Opens a connection to the server at `url`. */
export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk) => {
    text += chunk
  })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return { socket, received: () => text, closed, send: (part) => void socket.write(part) }
}

/** Sends the text and answers everything that comes back until the connection is closed. */
export async function exchangeRaw(url: string, text: string): Promise<string> {
  const connection = await openRaw(url)
  connection.send(text)
  await connection.closed
  return connection.received()
}
