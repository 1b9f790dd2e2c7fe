// Apps connect by the gateway's address alone, and people sign in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSites } from '../portal/sites.ts'
import { databases } from '../support/databases.ts'
import type { TestServer } from '../support/http.ts'
import { apps, connectApp } from './apps.ts'
import { type ClientDocument, serveClientDocument } from './client-document.ts'
import { type Decision, makeOwner, makeStaff } from './people.ts'

describe.each(databases)('an app that knows the address alone, on %s', (kind) => {
  let server: TestServer
  let owner: Decision
  let staff: Decision
  let document: ClientDocument
  beforeAll(async () => {
    server = await startSites(
      kind,
      { CREDITS_INITIAL: '1000', OAUTH_ALLOW_PRIVATE: '1' },
      { alone: 'this process alone trusts the certificate' }
    )
    owner = (await makeOwner(server)).decision
    staff = await makeStaff(server, server.partner)
    document = await serveClientDocument()
  })
  afterAll(async () => {
    document.close()
    await server.close()
  })

  describe.each(apps)('as $name', ({ connect }) => {
    describe.each([
      { how: 'by registering', isNamed: false },
      { how: 'by its own document', isNamed: true }
    ])('$how', ({ isNamed }) => {
      const named = () => (isNamed ? { metadataUrl: document.url } : {})

      it('connects to a customer’s memory', async () => {
        const app = await connect(server.url, { gateway: '/api/mcp', decision: owner, ...named() })
        const { tools } = await app.listTools()
        expect(tools.map(({ name }) => name)).toContain('internal_memory_remember')
        const call = {
          name: 'internal_memory_remember',
          arguments: { content: 'The dog is called Rex.' }
        }
        expect(await app.callTool(call)).toMatchObject({
          structuredContent: { memoryId: expect.stringMatching(/^mem_/) }
        })
        expect(app.memory.client?.client_id === document.url).toBe(isNamed)
        await app.close()
      })

      it('connects to a partner’s customers', async () => {
        const app = await connect(server.url, { gateway: '/api/partner-mcp', decision: staff, ...named() })
        const { tools } = await app.listTools()
        expect(tools.map(({ name }) => name)).toContain('customer_list')
        const listed = await app.callTool({ name: 'customer_list', arguments: {} })
        expect(JSON.stringify(listed.structuredContent)).toContain(owner.email)
        expect(app.memory.client?.client_id === document.url).toBe(isNamed)
        await app.close()
      })
    })
  })

  it('is told no when its user declines', async () => {
    const decision = { ...owner, refuses: true }
    const connected = connectApp(server.url, { gateway: '/api/mcp', decision })
    await expect(connected).rejects.toThrow('The person declined.')
  })

  it('reads an app’s document once for all who come by it', () => {
    expect(document.timesRead()).toBe(1)
  })
})
