// The eight memory tools, as the gateways list them, against the specification's tables.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, makeKey } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { clientHeaders } from './gateway-server.ts'
import { type MemoryFixture, makeMemoryFixture, mintToken } from './memory-fixture.ts'
import { modern, modernHeaders, request, toolNames } from './messages.ts'
import { MEMORY_TOOLS } from './spec-4b.ts'
import { GATEWAYS, type GatewayName } from './tool-faces.ts'

let server: TestServer
let fixture: MemoryFixture
beforeAll(async () => {
  server = await startTestServer('sqlite')
  fixture = await makeMemoryFixture(server.service)
})
afterAll(() => server.close())

const listed = async (gateway: GatewayName, isModern: boolean, key?: string): Promise<unknown> => {
  const message = request('tools/list')
  const response = await fetch(server.url + GATEWAYS[gateway], {
    method: 'POST',
    headers: {
      ...clientHeaders(key ?? (gateway === 'customer' ? fixture.token : fixture.partner.key)),
      ...(isModern ? modernHeaders(message) : {})
    },
    body: JSON.stringify(isModern ? modern(message) : message)
  })
  return response.json()
}
const toolOf = async (gateway: GatewayName, isModern: boolean, name: string): Promise<unknown> => {
  const tools = at(await listed(gateway, isModern), 'result', 'tools')
  return Array.isArray(tools) ? tools.find((tool: unknown) => at(tool, 'name') === name) : undefined
}

it('the customer gateway has the table’s tools, in its order, and beside them those for several, search and forget', async () => {
  const named = MEMORY_TOOLS.filter(({ gateway }) => gateway === 'customer').map(({ name }) => name)
  const more = ['internal_memory_remember_many', 'internal_memory_search', 'internal_memory_forget']
  for (const isModern of [false, true]) {
    const all = toolNames(await listed('customer', isModern))
    expect(all.filter((name) => named.some((wanted) => wanted === name))).toEqual(named)
    expect(all.toSorted()).toEqual([...named, ...more].toSorted())
  }
})

it('the partner gateway has the table’s tools, in its order', async () => {
  const named = MEMORY_TOOLS.filter(({ gateway }) => gateway === 'partner').map(({ name }) => name)
  for (const isModern of [false, true])
    expect(toolNames(await listed('partner', isModern))).toEqual(expect.arrayContaining(named))
  const all = toolNames(await listed('partner', false))
  expect(all.filter((name) => named.some((wanted) => wanted === name))).toEqual(named)
})

describe.each(MEMORY_TOOLS)('$name', ({ gateway, name, scope, parameters, credits }) => {
  it.each([false, true])('takes the table’s parameters and no others (2026-07-28: %s)', async (isModern) => {
    const schema = at(await toolOf(gateway, isModern, name), 'inputSchema')
    expect(schema).toMatchObject({ type: 'object' })
    expect(Object.keys(Object(at(schema, 'properties'))).toSorted()).toEqual(
      Object.keys(parameters).toSorted()
    )
    const required = Object.keys(parameters).filter((parameter) => parameters[parameter]?.isRequired)
    expect([at(schema, 'required') ?? []].flat().toSorted()).toEqual(required.toSorted())
  })

  it.each(Object.entries(parameters))(
    'has %s as the table has it',
    async (parameter, { type, oneOf, byDefault }) => {
      const property = at(await toolOf(gateway, false, name), 'inputSchema', 'properties', parameter)
      expect([at(property, 'type'), at(property, 'enum'), at(property, 'default')]).toEqual([
        type,
        oneOf && [...oneOf],
        byDefault
      ])
    }
  )

  it('is open to its scope and hidden without it', async () => {
    const other = scope === 'memory:read' ? 'memory:write' : 'memory:read'
    const withScope = async (wanted: typeof scope): Promise<unknown[]> => {
      const scopes = [wanted]
      const { token: key } =
        gateway === 'customer'
          ? await mintToken(server.service, fixture, { scopes })
          : { token: (await makeKey(server.service, fixture.partner.partnerId, { scopes })).key }
      return toolNames(await listed(gateway, false, key))
    }
    expect(await withScope(scope)).toContain(name)
    expect(await withScope(other)).not.toContain(name)
  })

  it('says in its hints whether it reads only', async () => {
    const annotations = at(await toolOf(gateway, false, name), 'annotations')
    // Asking spends credits.
    const isReading = scope === 'memory:read' && credits !== 'charged'
    expect(annotations).toMatchObject({
      readOnlyHint: isReading,
      destructiveHint: false,
      openWorldHint: false
    })
  })
})
