// One address for many processes, as a load balancer has it: what an agent was told stays true.
import { createServer, request } from 'node:http'

export interface FrontProxy {
  /** What agents and clients are told, whichever process answers. */
  url: string
  /** Whom it passes requests on to; nobody while there is none. */
  leadTo(url: string): void
  close(): Promise<void>
}

/** An address that outlives the processes behind it, as a load balancer's does. */
export async function openProxy(): Promise<FrontProxy> {
  let target = ''
  const server = createServer((incoming, answer) => {
    const { method, headers, url } = incoming
    const refuse = () => answer.writeHead(502).end()
    if (target === '') return refuse()
    const onward = request(new URL(url ?? '/', target), { method, headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers)
      from.pipe(answer)
      from.on('error', () => answer.destroy())
    })
    onward.on('error', () => (answer.headersSent ? answer.destroy() : refuse()))
    incoming.pipe(onward)
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    leadTo: (url) => {
      target = url
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    }
  }
}
