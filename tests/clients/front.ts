// What stands between a client and the server, and isn't always kind.
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { type Listener, listen } from '../support/listen.ts'

/** A proxy of HTTP that answers some requests itself; `handle` says whether it does. */
export async function startFront(
  url: string,
  handle: (incoming: IncomingMessage, answer: ServerResponse) => boolean
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, answer) => {
    if (handle(incoming, answer)) return void incoming.resume()
    const { method = '', headers, url: path = '' } = incoming
    const onward = forward(url + path, { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 0, got.headers)
      got.pipe(answer)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** Passes everything on, and hangs up the first time when the server answers: it has done the work, and nobody hears of it. */
export function hangUpOnce(url: string): Promise<Listener> {
  let hasHungUp = false
  return listen((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1')
    far.on('error', () => near.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far)
    if (hasHungUp) return void far.pipe(near)
    hasHungUp = true
    far.once('data', () => near.destroy())
  })
}
