// Input as models write it: what is meant beyond doubt is taken, and what isn't is told what would be.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerTools } from '../../servers/mcp/customer-gateway.ts'
import { nearestOf } from '../../servers/tools/lenient-input.ts'
import { type Tool, toolsOf } from '../../servers/tools/tool.ts'
import { readToolInput } from '../../servers/tools/tool-input.ts'
import { operations } from '../../src/operations.ts'
import { at } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type MemoryFixture, makeMemoryFixture } from './memory-fixture.ts'
import { callTool, type Face, type GatewayName } from './tool-faces.ts'

const TOOLS: Record<GatewayName, readonly Tool[]> = {
  partner: toolsOf(operations),
  customer: customerTools(operations)
}
const toolNamed = (name: string): Tool => {
  const tool = [...TOOLS.partner, ...TOOLS.customer].find((one) => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return tool
}
const read = (tool: string, input: Record<string, unknown>) => readToolInput(toolNamed(tool), input, {})

describe('is taken', () => {
  it.each([
    ['customer_list', { limit: '5', page: ' 2 ' }, { limit: 5, page: 2 }],
    [
      'customer_update',
      { customerId: 'c', agreedPrice: '49.50', enableAiMemory: 'True' },
      { customerId: 'c', agreedPrice: 49.5, enableAiMemory: true }
    ],
    [
      'customer_update',
      { customerId: 'c', companyName: '5', enableApiAccess: 'false' },
      { customerId: 'c', companyName: '5', enableApiAccess: false }
    ],
    ['customer_update', { customerId: 'c', languages: 'de' }, { customerId: 'c', languages: ['de'] }],
    [
      'customer_onboard',
      { basic: { email: 'a@b.example', lastName: null }, business: '{"companyName":"X"}', planId: null },
      { basic: { email: 'a@b.example' }, business: { companyName: 'X' } }
    ],
    [
      'memory_ask',
      { customerId: 'c', question: 'q', reasoningLevel: 'Deep' },
      { customerId: 'c', question: 'q', reasoningLevel: 'deep' }
    ],
    [
      'memory_remember',
      { customerId: 'c', content: '7', occurredAt: '2026-10-03' },
      { customerId: 'c', content: '7', occurredAt: '2026-10-03T00:00:00Z' }
    ],
    [
      'voice_agent_map',
      { provider: 'A', agentId: '12', customerId: 'c', profitMultiplier: '1.2', since: '' },
      { provider: 'a', agentId: '12', customerId: 'c', profitMultiplier: 1.2 }
    ]
  ])('by %s: %j', (tool, sent, taken) => {
    expect(read(tool, sent)).toEqual(taken)
  })

  it.each(['1e3', '0x10', 'NaN', 'Infinity', '1,5', '٣', '--5', '9'.repeat(30), 'five', ''])(
    'no number from "%s"',
    (limit) => {
      expect([undefined, limit]).toContain(read('customer_list', { limit }).limit)
    }
  )
})

describe('an unknown name', () => {
  it.each([
    ['customer_update', 'maxTeam', 'maxTeamMembers'],
    ['customer_update', 'company_name', 'companyName'],
    ['customer_list', 'serach', 'search'],
    ['voice_agent_map', 'customer', 'customerId'],
    ['voice_agent_map', 'multiplier', 'profitMultiplier']
  ])('of %s, "%s", is told the nearest: %s', (tool, sent, nearest) => {
    expect(() => read(tool, { [sent]: 'x' })).toThrow(
      `${sent} is not a field of this request: did you mean ${nearest}?`
    )
  })

  it('is told all there are where none is near, within objects too', () => {
    expect(() => read('customer_get', { wantsEverything: 1 })).toThrow('there are customerId')
    expect(() => read('customer_onboard', { basic: { email: 'a@b.example', shoeSize: 7 } })).toThrow(
      /^basic\.shoeSize is not a field of this request: there are email, /
    )
  })

  it('costs little however long it is', () => {
    const known = Object.keys(toolNamed('customer_update').inputSchema.properties ?? {})
    const startedAt = performance.now()
    expect(nearestOf('x'.repeat(1_000_000), known)).toBeUndefined()
    for (let i = 0; i < 100; i += 1) nearestOf('y'.repeat(60), known)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})

/** Values of every kind that models send where another kind is wanted. */
const sloppy = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    'null',
    'true',
    'TRUE',
    '5',
    '5.0',
    '-1',
    '1e9',
    'none',
    'yes',
    '2026-10-03'
  ),
  fc.constantFrom<unknown>('tomorrow', '2026-02-30', 'not an e-mail', '{"a":1}', '[1]', [], {}, [null], {
    a: { b: 1 }
  }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.string({ maxLength: 20 })
)

describe.each(['MCP 2025-11-25', 'plain HTTP'] as const)('whatever is sent over %s', (face: Face) => {
  let server: TestServer
  let fixture: MemoryFixture
  beforeAll(async () => {
    server = await startTestServer('sqlite', { RATE_LIMIT: '0', MEMORY_RATE_LIMIT: '0' })
    fixture = await makeMemoryFixture(server.service, server.partner)
  })
  afterAll(() => server.close())

  const every = Object.entries(TOOLS).flatMap(([gateway, tools]) =>
    tools.map((tool) => ({ gateway: gateway as GatewayName, tool: tool.name, schema: tool.inputSchema }))
  )

  it.each(every)(
    'is refused by $tool with the field, what it takes and the next step',
    async ({ gateway, tool, schema }) => {
      const known = Object.keys(schema.properties ?? {})
      const names = fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...known, 'x') },
        {
          weight: 1,
          arbitrary: fc.constantFrom(...known.map((name) => name.slice(0, -1)), 'custmerId', 'foo_bar')
        }
      )
      const inputs = fc.sample(fc.dictionary(names, sloppy, { maxKeys: 4 }), { numRuns: 25, seed: 18 })
      const key = gateway === 'customer' ? fixture.token : server.partner.key
      let refused = 0
      for (const input of inputs) {
        const given = known.includes('customerId') ? { customerId: fixture.customerId, ...input } : input
        const { status, code, field, text } = await callTool(face, {
          url: server.url,
          gateway,
          key,
          tool,
          input: given
        })
        expect([status, text.slice(0, 300)]).not.toEqual([500, expect.anything()])
        if (code !== 'invalid_input') continue
        refused += 1
        const said = face === 'plain HTTP' ? String(at(JSON.parse(text), 'error')) : text
        // What is wrong with the whole of it names no field.
        if (field !== undefined) {
          expect(said).toContain(String(field).slice(0, 60))
          expect(said).toMatch(
            / takes |must be (one of|a) |did you mean|there are |is not a field|both set and cleared/
          )
        }
        if (face !== 'plain HTTP') expect(said).toContain('Correct that argument and call again.')
      }
      expect(refused).toBeGreaterThan(0)
    }
  )
})
