// What an app says of itself at an address of its own, on this machine: https, under a certificate that this process trusts.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { selfSigned } from '../support/self-signed.ts'
import { REDIRECT } from './apps.ts'

export interface ClientDocument {
  /** Where it stands: the app's id. */
  url: string
  /** How often it was read. */
  timesRead(): number
  close(): void
}

export async function serveClientDocument(
  changes: Record<string, unknown> = {},
  headers: Record<string, string> = {}
): Promise<ClientDocument> {
  const { key, cert } = selfSigned('localhost')
  let timesRead = 0
  const server = createServer({ key, cert }, (_, answer) => {
    timesRead += 1
    answer.writeHead(200, { 'content-type': 'application/json', ...headers })
    answer.end(
      JSON.stringify({
        client_id: url,
        client_name: 'Assistant with an address',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        ...changes
      })
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `https://localhost:${(server.address() as AddressInfo).port}/client.json`
  const distrust = trust(cert)
  return {
    url,
    timesRead: () => timesRead,
    close() {
      distrust()
      server.close()
      server.closeAllConnections()
    }
  }
}

/** Node 20 knows no other way to add to what a process trusts once it runs. Answers what takes it back. */
function trust(cert: string): () => void {
  const { createSecureContext } = tls
  tls.createSecureContext = (options) => {
    const secured = createSecureContext(options)
    secured.context.addCACert(cert)
    return secured
  }
  return () => {
    tls.createSecureContext = createSecureContext
  }
}
