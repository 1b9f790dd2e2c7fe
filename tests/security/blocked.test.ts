// What a customer's tokens and agents get while it is blocked, or may not make tokens itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { execute } from '../../src/execute.ts'
import { mintCustomerTokenOperation } from '../../src/keys/operations.ts'
import { databases } from '../support/databases.ts'
import { entitle } from '../support/deploys.ts'
import {
  type Fixture,
  makeFixture,
  makePartner,
  run,
  stringAt,
  type TestPartner,
  unique
} from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

describe.each(databases)('the tokens and agents of a customer on %s', (kind) => {
  let server: TestServer
  let partner: TestPartner
  let customer: Fixture
  /** By whom each was made. */
  let tokens: { partner: string; customer: string }
  let aiKey: string
  beforeAll(async () => {
    server = await startTestServer(kind)
    partner = await makePartner(server.service)
    await entitle(server.service, partner.partnerId)
    customer = await makeFixture(server.service, partner.partnerId)
    const { customerId, instanceId } = customer
    await change({ enableApiAccess: true })
    await call('customer_enable_portal_access')
    tokens = { partner: await mint({}), customer: await mint({ customerId }) }
    aiKey = await server.service.aiKeys.mint({
      ...{ partnerId: partner.partnerId, instanceId, alias: unique('agent-'), models: ['auto-1'] }
    })
  })
  afterAll(() => server.close())

  const call = (name: string) =>
    run(server.service, partner.partnerId, name, { customerId: customer.customerId })
  const change = (fields: Record<string, unknown>) =>
    run(server.service, partner.partnerId, 'customer_update', { customerId: customer.customerId, ...fields })

  async function mint(owner: { customerId?: string }): Promise<string> {
    const caller = { partnerId: partner.partnerId, actor: 'test', scopes: new Set(SCOPES), ...owner }
    const input = { customerId: customer.customerId, name: 'test' }
    const { output } = await execute(
      mintCustomerTokenOperation,
      server.service,
      { caller, requestId: 'r' },
      input
    )
    return stringAt(output, 'token')
  }

  async function ask(path: string, bearer: string, body?: unknown): Promise<[number, unknown]> {
    const answer = await fetch(server.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const { code, error } = Object(await answer.json())
    return [answer.status, code ?? Object(error).code]
  }
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const channels = () => ({
    plain: ask('/api/mcp/tools/internal_memory_recall', tokens.partner, {}),
    mcp: ask('/api/mcp', tokens.partner, list).then(([status]) => [status]),
    own: ask('/api/mcp/tools/internal_memory_recall', tokens.customer, {}),
    ai: ask('/ai/v1/models', aiKey)
  })
  const answers = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(channels()).map(async ([channel, got]) => [channel, await got]))
    )
  const OPEN = { plain: [200, undefined], mcp: [200], own: [200, undefined], ai: [200, undefined] }

  it('are refused while it is blocked, and only so long', async () => {
    expect(await answers()).toEqual(OPEN)
    await call('customer_toggle_portal_block')
    const closed = [403, 'access_closed']
    expect(await answers()).toEqual({ plain: closed, mcp: [403], own: closed, ai: closed })
    await call('customer_toggle_portal_block')
    expect(await answers()).toEqual(OPEN)
  })

  it('are refused where it made them itself and may not any more, and only so long', async () => {
    await change({ enableApiAccess: false })
    expect(await answers()).toEqual({ ...OPEN, own: [403, 'api_access_disabled'] })
    await change({ enableApiAccess: true })
    expect(await answers()).toEqual(OPEN)
  })
})
