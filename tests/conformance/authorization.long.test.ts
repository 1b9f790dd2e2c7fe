// The public conformance suite's scenarios for authorization servers, with somebody who signs in. Its other ones about
// authorization (`auth/…`) are for clients: they bring a server of their own.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeClient, makeOwner, type Owner } from '../oauth/by-hand.ts'
import { decide } from '../oauth/people.ts'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import { openToolbox, type Toolbox } from './toolbox.ts'

/** A first run installs the tools. */
const SETUP_WITHIN_MS = 360_000
const PORT = '3123'

let toolbox: Toolbox
let server: TestServer
let owner: Owner
beforeAll(async () => {
  toolbox = await openToolbox()
  server = await startSites('sqlite')
  owner = await makeOwner(server)
}, SETUP_WITHIN_MS)
afterAll(async () => {
  await server?.close()
  toolbox?.close()
})

it('passes in every scenario for authorization servers', { timeout: 120_000 }, async () => {
  const { stdout: listed } = await toolbox.conformance('list', '--authorization')
  const scenarios = [...listed.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name)
  expect(scenarios).toEqual(['authorization-server-metadata-endpoint', 'authorization-code-grant'])

  const clientId = await makeClient(server.url, { redirect_uris: [`http://127.0.0.1:${PORT}/callback`] })
  let printed = ''
  let answered: Promise<Response> | undefined
  const { code, stdout } = await toolbox.conformanceBeside(
    (more) => {
      printed += more
      // It listens by the time that it waits for the answer.
      const isListening = printed.includes('Callback server started')
      const [address] = /^http\S+\/oauth\/authorize\S+/m.exec(isListening ? printed : '') ?? []
      if (address) answered ??= decide(server.url, address, owner).then((callback) => fetch(callback))
    },
    ...['authorization', '--url', server.url, '--client-id', clientId],
    ...['--resource', `${server.url}/api/mcp`, '--port', PORT]
  )
  expect((await answered)?.status).toBe(200)
  expect([code, /^Total: .+$/m.exec(stdout)?.[0]]).toEqual([0, 'Total: 3 passed, 0 failed'])
})
