// Real MCP clients, as an agent's own, remember, recall and ask: on both gateways, in both eras.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { at, stringAt, unique } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type MemoryFixture, makeMemoryFixture } from './memory-fixture.ts'
import { unmarked } from './messages.ts'
import { type AnyClient, officialClients } from './official-clients.ts'
import { GATEWAYS, type GatewayName } from './tool-faces.ts'

const toolsOf = {
  customer: { prefix: 'internal_', parameters: () => ({}) },
  partner: { prefix: '', parameters: ({ code }: MemoryFixture) => ({ customerId: code }) }
} as const

describe('memory', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  describe.each(officialClients)('with $name speaking $version', ({ version, connect }) => {
    describe.each(Object.keys(GATEWAYS) as GatewayName[])('on the %s gateway', (gateway) => {
      let fixture: MemoryFixture
      let client: AnyClient
      beforeEach(async () => {
        fixture = await makeMemoryFixture(server.service)
        const key = gateway === 'customer' ? fixture.token : fixture.partner.key
        const { client: connected, agreed } = await connect(new URL(server.url + GATEWAYS[gateway]), key)
        expect(agreed()).toBe(version)
        client = connected
        // The clients hold every structured answer against the output schema that they got with the list.
        await client.listTools()
        return () => connected.close()
      })

      const call = async (tool: 'remember' | 'recall' | 'ask', input: Record<string, unknown> = {}) => {
        const { prefix, parameters } = toolsOf[gateway]
        const result = await client.callTool({
          name: `${prefix}memory_${tool}`,
          arguments: { ...parameters(fixture), ...input }
        })
        return 'structuredContent' in result
          ? { ...result, structuredContent: unmarked(result.structuredContent) }
          : result
      }

      it('remembers, recalls and asks', async () => {
        const place = unique('Lake ')
        const content = `Imogen: The retreat will be held at ${place} in October.`
        const remembered = await call('remember', { content, occurredAt: '2026-01-31T10:00:00Z' })
        expect(at(remembered, 'structuredContent')).toMatchObject({
          duplicate: false,
          credits: expect.any(Number)
        })
        const memoryId = stringAt(remembered, 'structuredContent', 'memoryId')

        const recalled = await call('recall')
        expect(at(recalled, 'structuredContent', 'messages')).toEqual([
          expect.objectContaining({ id: memoryId, content, occurredAt: '2026-01-31T10:00:00.000Z' })
        ])

        const asked = await call('ask', {
          question: 'Where will the retreat be held?',
          reasoningLevel: 'enhanced'
        })
        expect(at(asked, 'structuredContent')).toMatchObject({
          answer: expect.stringContaining(place),
          // Of one memory a higher level tells no more.
          reasoningLevel: 'standard',
          degraded: false
        })
        expect(JSON.stringify(at(asked, 'structuredContent', 'sources'))).toContain(memoryId)
      })

      it('keeps Minds apart', async () => {
        const content = `Only here: ${unique('x')}.`
        await call('remember', { content, mindId: fixture.mindId })
        const named = await call('recall', { mindId: fixture.mindId })
        expect(at(named, 'structuredContent', 'messages', 0, 'content')).toBe(content)
        expect(at(await call('recall'), 'structuredContent', 'messages')).toEqual([])
      })

      it('reads a refusal as a result and goes on', async () => {
        const refused = await call('recall', { mindId: 'mnd_none' })
        expect(refused).toMatchObject({
          isError: true,
          _meta: { 'mindgate/error': { status: 404, code: 'mind_not_found' } }
        })
        expect(refused).not.toHaveProperty('structuredContent')
        expect(at(await call('recall'), 'structuredContent', 'degraded')).toBe(false)
      })
    })
  })
})
