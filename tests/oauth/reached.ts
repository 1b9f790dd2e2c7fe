// How requests come to a server otherwise than by its own address: by another name, or through a balancer.
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** As `fetch`, for whatever host: all of it goes to the server at `url`, under the name that was asked for. */
export const fetchFrom =
  (url: string): typeof fetch =>
  async (asked, init) => {
    const wanted = new Request(asked, init)
    const { pathname, search, host } = new URL(wanted.url)
    const body = Buffer.from(await wanted.arrayBuffer())
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const { hostname, port } = new URL(url)
      const headers = { ...Object.fromEntries(wanted.headers), host, 'content-length': body.length }
      request({ hostname, port, path: pathname + search, method: wanted.method, headers }, resolve)
        .on('error', reject)
        .end(body)
    })
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk)
    const headers = new Headers()
    for (const [name, values = []] of Object.entries(answer.headersDistinct))
      for (const value of values) headers.append(name, value)
    const status = answer.statusCode ?? 500
    return new Response([204, 304].includes(status) ? null : Buffer.concat(chunks), { status, headers })
  }

export interface Balancer {
  url: string
  /** What each of the servers was asked, as method and path, without ids. */
  asked: string[][]
  close(): void
}

/** Has the servers answer in turns, beginning with the one at `first`. */
export async function balance(urls: readonly string[], first: number): Promise<Balancer> {
  const asked: string[][] = urls.map(() => [])
  let turn = first
  const balancer = createServer((incoming, answer) => {
    const which = turn % urls.length
    turn += 1
    const { method = '', url: path = '', headers } = incoming
    const step = path.replace(/[?].*/, '').replace(/(?<=\/(?:connect|authorize)\/)[\w-]+/, ':uid')
    asked[which]?.push(`${method} ${step}`)
    const { hostname, port } = new URL(urls[which] ?? '')
    const passed = request({ hostname, port, path, method, headers, agent: false }, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.rawHeaders)
      answered.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => {
    balancer.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    asked,
    close() {
      balancer.close()
      balancer.closeAllConnections()
    }
  }
}
