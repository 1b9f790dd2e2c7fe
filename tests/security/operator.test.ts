// What only the operator may do is nowhere that a key or somebody who is signed in could reach.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { operations } from '../../src/operations.ts'
import { makeKey, makePartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

const OPERATORS = operations.filter(({ channels }) => channels.every((channel) => channel === 'operator'))

describe('the operator’s operations', () => {
  let server: TestServer
  let key: string
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    const { partnerId } = await makePartner(server.service)
    ;({ key } = await makeKey(server.service, partnerId, { scopes: [...SCOPES] }))
  })
  afterAll(() => server.close())

  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body)
    })
    return { status: answer.status, text: await answer.text() }
  }

  it('are known here by name', () => {
    expect(OPERATORS.map(({ name }) => name).toSorted()).toEqual([
      ...['memory_backfill', 'memory_import', 'partner_create', 'partner_credits_grant', 'partner_erase'],
      ...['partner_list', 'partner_update', 'partner_user_recover', 'secrets_rotate', 'usage_sync'],
      'voice_agent_import'
    ])
  })

  it.each(OPERATORS.map(({ name }) => name))('%s is no route and no tool', async (name) => {
    expect(operations.find((operation) => operation.name === name)?.http).toBeUndefined()
    expect(await post(`/api/partner-mcp/tools/${name}`, {})).toMatchObject({ status: 404 })
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }
    expect((await post('/api/partner-mcp', call)).text).toContain('-32602')
    const known = { ...call, params: { name: 'customer_list', arguments: {} } }
    expect((await post('/api/partner-mcp', known)).text).toContain('"result"')
  })
})
