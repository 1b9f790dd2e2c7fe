import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import { VERSION } from '../../src/version.ts'
import { at, uniqueEmail } from '../support/fixture.ts'
import { type GatewayServer, startGateway } from './gateway-server.ts'
import { unfenced, unmarked } from './messages.ts'
import { type AnyClient, type Connected, officialClients } from './official-clients.ts'

describe('official clients', () => {
  let gateway: GatewayServer
  beforeAll(async () => {
    gateway = await startGateway('sqlite')
  })
  afterAll(() => gateway.close())

  describe.each(officialClients)('$name', ({ version, connect }) => {
    let client: AnyClient
    let agreed: Connected['agreed']
    beforeAll(async () => {
      ;({ client, agreed } = await connect(gateway.url, gateway.partner.key))
    })
    afterAll(() => client.close())

    it('learns who it talks to and how to use it', () => {
      expect(client.getServerVersion()).toMatchObject({
        name: 'mindgate',
        title: 'Mindgate',
        version: VERSION
      })
      expect(client.getInstructions()).toMatch(/customer_list/)
    })

    it(`agrees on protocol version ${version}`, () => {
      expect(agreed()).toBe(version)
    })

    it('lists every operation that is offered over MCP, in the list’s order, but for what is unlisted', async () => {
      const { tools } = await client.listTools()
      const offered = operations.filter(({ channels, isUnlisted }) => channels.includes('mcp') && !isUnlisted)
      expect(tools.map(({ name }) => name)).toEqual(offered.map(({ name }) => name))
    })

    it('calls a tool and gets structured content and the same as text', async () => {
      await client.listTools()
      const email = uniqueEmail()
      const created = await client.callTool({ name: 'customer_create', arguments: { email } })
      expect(at(created, 'structuredContent', 'data', 'email')).toBe(email)
      const got = await client.callTool({
        name: 'customer_get',
        arguments: { customerId: String(at(created, 'structuredContent', 'data', 'customerId')) }
      })
      expect(at(got, 'structuredContent', 'data')).toEqual(at(created, 'structuredContent', 'data'))
      expect(JSON.parse(unfenced(String(at(got, 'content', 0, 'text'))))).toEqual(
        unmarked(at(got, 'structuredContent'))
      )
    })

    it('reads a refused call as a result and goes on', async () => {
      await client.listTools()
      const refused = await client.callTool({ name: 'customer_get', arguments: { customerId: 'cus_none' } })
      expect(refused).toMatchObject({
        isError: true,
        _meta: { 'mindgate/error': { status: 404, code: 'customer_not_found' } }
      })
      await expect(client.callTool({ name: 'customer_list', arguments: {} })).resolves.toHaveProperty(
        'structuredContent.pagination.currentPage',
        1
      )
    })

    it('is told with a protocol error that a tool doesn’t exist', async () => {
      await expect(client.callTool({ name: 'customer_explode', arguments: {} })).rejects.toMatchObject({
        code: -32602
      })
    })
  })
})
