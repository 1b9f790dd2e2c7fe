// A server whose mails never leave: what they hold can be read.

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { DatabaseKind } from '../support/databases.ts'
import { SECRET_KEY } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

/** Starts the real server beside a mail server that never greets. */
export async function startSites(
  kind: DatabaseKind,
  overrides: Record<string, string> = {},
  options: { alone?: string } = {}
): Promise<TestServer> {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  const { port } = silent.address() as AddressInfo
  const sockets = new Set<import('node:net').Socket>()
  silent.on('connection', (socket) => sockets.add(socket))
  const mail = { MAIL_URL: `smtp://127.0.0.1:${port}`, MAIL_TIMEOUT_MS: '600000' }
  const server = await startTestServer(kind, { SECRET_KEY, ...mail, ...overrides }, options)
  return {
    ...server,
    async close() {
      for (const socket of sockets) socket.destroy()
      silent.close()
      await server.close()
    }
  }
}
