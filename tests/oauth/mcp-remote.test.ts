// mcp-remote, by which clients that start programs reach an address: it registers, and opens its user's browser.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import { type MovedClock, moveClock } from '../support/moved-clock.ts'
import { freePort } from '../support/postgres.ts'
import { serveClientDocument } from './client-document.ts'
import { type Decision, decide, makeOwner, makeStaff } from './people.ts'

const WAITS = { timeout: 20_000, interval: 50 }

let server: TestServer
let owner: Decision
let staff: Decision
let home: string
let clock: MovedClock | undefined
const clients: Client[] = []
beforeAll(async () => {
  server = await startSites(
    'sqlite',
    { CREDITS_INITIAL: '1000', OAUTH_ALLOW_PRIVATE: '1' },
    { alone: 'this process alone trusts the certificate' }
  )
  owner = (await makeOwner(server)).decision
  staff = await makeStaff(server, server.partner)
  home = mkdtempSync(join(tmpdir(), 'mcp-remote-'))
})
afterEach(async () => {
  clock?.restore()
  clock = undefined
  for (const client of clients.splice(0)) await client.close()
})
afterAll(async () => {
  rmSync(home, { recursive: true, force: true })
  await server.close()
})

const require = createRequire(import.meta.url)
const program = join(dirname(require.resolve('mcp-remote/package.json')), 'dist/proxy.js')

/** A client over it, at `path`; its user follows the address that it prints. How often they were asked, too. */
async function connect(path: string, decision: Decision, flags: readonly string[] = [], keptAt = home) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    // Its own choice may be a port from which somebody connects before it listens; nobody does from this one.
    args: [program, server.url + path, String(await freePort()), ...flags],
    // A browser would open nothing: there is no display, and the one that is named does nothing.
    env: { PATH: dirname(process.execPath), HOME: home, MCP_REMOTE_CONFIG_DIR: keptAt, BROWSER: '/bin/true' },
    stderr: 'pipe'
  })
  let said = ''
  let timesAsked = 0
  let answered: Promise<unknown> = Promise.resolve()
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk
    const [printed, address] = /by visiting:\s*(http\S+)\s/.exec(said) ?? []
    if (address === undefined) return
    said = said.replace(printed ?? '', '')
    timesAsked += 1
    // It tells the address before it listens for the answer.
    answered = decide(server.url, address, decision).then((callback) =>
      vi.waitFor(() => fetch(callback), WAITS)
    )
    answered.catch(() => transport.close())
  })
  const client = new Client({ name: 'mindgate-tests', version: '1.0.0' })
  clients.push(client)
  const connected = client.connect(transport, { timeout: 60_000 })
  await connected.finally(() => answered)
  return {
    client,
    timesAsked: () => timesAsked,
    decideFromNowOn(next: Decision) {
      decision = next
    }
  }
}

it.each([
  { path: '/api/mcp', flags: [], tool: 'internal_memory_recall', who: () => owner },
  { path: '/api/partner-mcp', flags: [], tool: 'customer_list', who: () => staff },
  {
    path: '/api/mcp/readonly',
    flags: ['--protocol', 'auto'],
    tool: 'internal_memory_recall',
    who: () => owner
  }
])(
  'reaches $path by the address alone $flags, and once more without its user',
  async ({ path, flags, tool, who }) => {
    for (const asked of [1, 0]) {
      const { client, timesAsked } = await connect(path, who(), flags)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain(tool)
      const called = await client.callTool({ name: tool, arguments: {} })
      expect(called.structuredContent).toBeDefined()
      expect(called.isError).toBeFalsy()
      expect(timesAsked()).toBe(asked)
    }
  }
)

const REMEMBER = { name: 'internal_memory_remember', arguments: { content: 'The dog is called Rex.' } }
const REMEMBERED = { structuredContent: { memoryId: expect.any(String) } }

it.each(['/api/mcp', '/api/partner-mcp'])('reaches %s by a document of its own', async (path) => {
  const document = await serveClientDocument({ redirect_uris: ['http://localhost/oauth/callback'] })
  onTestFinished(() => document.close())
  const who = path === '/api/mcp' ? owner : staff
  const { client } = await connect(path, who, ['--client-metadata-url', document.url])
  expect((await client.listTools()).tools).not.toEqual([])
  expect(document.timesRead()).toBe(1)
})

it('goes on after its hour without its user, and asks them once more for what it lacks', async () => {
  const reading = { ...owner, scopes: ['memory:read'] }
  const { client, timesAsked, decideFromNowOn } = await connect(
    '/api/mcp',
    reading,
    [],
    join(home, 'reading')
  )
  const recall = { name: 'internal_memory_recall', arguments: {} }
  expect((await client.callTool(recall)).isError).toBeFalsy()
  clock = moveClock(Date.now() + 61 * 60_000)
  expect((await client.callTool(recall)).isError).toBeFalsy()
  expect(timesAsked()).toBe(1)
  decideFromNowOn(owner)
  expect(await client.callTool(REMEMBER)).toMatchObject(REMEMBERED)
  expect(timesAsked()).toBe(2)
})
