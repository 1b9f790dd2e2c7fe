// A Mind's profile as a resource and as a prompt, by the official client in both eras, and across tenants.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKey, makePartner, run } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type MemoryFixture, makeMemoryFixture } from './memory-fixture.ts'

let server: TestServer
let fixture: MemoryFixture
let stranger: MemoryFixture
beforeAll(async () => {
  server = await startTestServer('sqlite')
  fixture = await makeMemoryFixture(server.service, server.partner)
  stranger = await makeMemoryFixture(server.service, await makePartner(server.service))
  for (const { partner, customerId } of [fixture, stranger]) {
    const content = 'Dana: I live in Lisbon.'
    await run(server.service, partner.partnerId, 'memory_remember', { customerId, content })
  }
})
afterAll(() => server.close())

describe.each(['auto', undefined] as const)('with versions negotiated: %s', (mode) => {
  async function connected<T>(gateway: string, key: string, use: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ name: 'test', version: '1' }, mode ? { versionNegotiation: { mode } } : {})
    const requestInit = { headers: { Authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url + gateway), { requestInit }))
    try {
      return await use(client)
    } finally {
      await client.close()
    }
  }
  const asPartner = <T>(use: (client: Client) => Promise<T>) =>
    connected('/api/partner-mcp', server.partner.key, use)
  const asCustomer = <T>(use: (client: Client) => Promise<T>) => connected('/api/mcp', fixture.token, use)

  const textOf = (answer: object): string => JSON.stringify(answer)

  it('a customer’s agent lists and reads its own profile, fenced', async () => {
    const { resources } = await asCustomer((client) => client.listResources())
    expect(resources.map(({ uri }) => uri)).toEqual(['memory://me/profile'])
    const text = textOf(await asCustomer((client) => client.readResource({ uri: 'memory://me/profile' })))
    expect(text).toContain('Lisbon')
    expect(text).toMatch(/<stored-text \w{24}>/)
  })

  it('a partner’s agent reads that of any customer of its own, by a template', async () => {
    const { resourceTemplates } = await asPartner((client) => client.listResourceTemplates())
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['memory://{customerId}/profile'])
    for (const id of [fixture.customerId, fixture.code]) {
      const uri = `memory://${id}/profile`
      expect(textOf(await asPartner((client) => client.readResource({ uri })))).toContain('Lisbon')
    }
  })

  it('nobody reads another’s', async () => {
    const theirs = { uri: `memory://${stranger.customerId}/profile` }
    await expect(asPartner((client) => client.readResource(theirs))).rejects.toThrow(/customer/)
    for (const { customerId } of [stranger, fixture])
      await expect(
        asCustomer((client) => client.readResource({ uri: `memory://${customerId}/profile` }))
      ).rejects.toThrow(/not found/i)
    await expect(
      asPartner((client) =>
        client.getPrompt({ name: 'customer_memory', arguments: { customerId: stranger.customerId } })
      )
    ).rejects.toThrow(/customer/)
    await expect(
      asCustomer((client) =>
        client.getPrompt({ name: 'customer_memory', arguments: { customerId: stranger.customerId } })
      )
    ).rejects.toThrow(/customerId/)
  })

  it('a key without memory:read is offered neither', async () => {
    const key = (await makeKey(server.service, server.partner.partnerId, { scopes: ['customers:read'] })).key
    const uri = `memory://${fixture.customerId}/profile`
    await connected('/api/partner-mcp', key, async (client) => {
      expect((await client.listResourceTemplates()).resourceTemplates).toEqual([])
      expect((await client.listPrompts()).prompts).toEqual([])
      await expect(client.readResource({ uri })).rejects.toThrow(/not found/i)
    })
  })

  it('the prompt tells what is known about the customer', async () => {
    const { prompts } = await asPartner((client) => client.listPrompts())
    expect(prompts).toMatchObject([
      {
        name: 'customer_memory',
        title: 'What I know about this customer',
        arguments: [{ name: 'customerId' }]
      }
    ])
    const asked = { name: 'customer_memory', arguments: { customerId: fixture.customerId } }
    expect(textOf(await asPartner((client) => client.getPrompt(asked)))).toContain('Lisbon')
    expect(textOf(await asCustomer((client) => client.getPrompt({ name: 'customer_memory' })))).toContain(
      'Lisbon'
    )
  })
})
