// The public suite can't send a key: this proxy adds it, and leaves every other header and every byte as it is.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

export interface KeyProxy {
  /** `http://127.0.0.1:<port>`; the suite forges foreign hosts against servers of this machine alone. */
  url: string
  close(): Promise<void>
}

/** Passes requests on to `target` with a bearer key; Host and Origin reach it as the client sent them. */
export async function startKeyProxy(target: string, key: string): Promise<KeyProxy> {
  const server = createServer((incoming, outgoing) => {
    forward(target, key, incoming, outgoing).catch(() => outgoing.destroy())
  })
  const { port } = await new Promise<AddressInfo>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address && typeof address === 'object') resolve(address)
      else reject(new Error('The proxy has no TCP address'))
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

async function forward(target: string, key: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const onward = request(new URL(incoming.url ?? '/', target), {
    method: incoming.method,
    // As a list, so that Node adds no Host of its own and keeps spelling, order and repetitions.
    headers: [...incoming.rawHeaders, 'Authorization', `Bearer ${key}`],
    agent: false
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    onward.once('response', resolve)
    onward.once('error', reject)
  })
  outgoing.once('close', () => onward.destroy())
  await pipeline(incoming, onward)
  const answer = await answered
  outgoing.sendDate = false
  outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders)
  await pipeline(answer, outgoing)
}
