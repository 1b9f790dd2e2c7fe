// A gateway whose credential stands for one customer: what the credential decides is not a model's to say.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mcpGateway } from '../../servers/mcp/gateway.ts'
import { authenticate } from '../../servers/middleware/authentication.ts'
import { makeTool } from '../../servers/tools/tool.ts'
import { addTeamMember, listTeamMembersOperation } from '../../src/team/operations.ts'
import { at, type Fixture, makeFixture, uniqueEmail } from '../support/fixture.ts'
import { type GatewayServer, startGateway } from './gateway-server.ts'
import { call, request } from './messages.ts'

let gateway: GatewayServer
let own: Fixture
let other: Fixture
beforeAll(async () => {
  const fixed = { fixedKeys: ['customerId'], fixedInput: () => ({ customerId: own.customerId }) }
  gateway = await startGateway('sqlite', {
    mount: (service) =>
      mcpGateway(service, {
        name: 'partner',
        serverInfo: { name: 'mindgate', title: 'Mindgate', version: '1.0.0' },
        instructions: ['One customer’s own tools.'],
        credential: { name: 'an API key', example: 'pkt_…' },
        tools: [
          makeTool(addTeamMember, { ...fixed, name: 'internal_team_add' }),
          makeTool(listTeamMembersOperation, { ...fixed, name: 'internal_team_list' })
        ],
        authenticate: (headers) => authenticate(service, 'partner', headers)
      })
  })
  own = await makeFixture(gateway.service, gateway.partner.partnerId)
  other = await makeFixture(gateway.service, gateway.partner.partnerId)
})
afterAll(() => gateway.close())

it('shows the tools under their own names and without the fixed parameter', async () => {
  const { json } = await gateway.post(request('tools/list'))
  expect(at(json, 'result', 'tools', 1)).toMatchObject({
    name: 'internal_team_list',
    inputSchema: { type: 'object', properties: {} }
  })
  expect(at(json, 'result', 'tools', 0, 'inputSchema', 'required')).toEqual(['email', 'name'])
})

it('fills the fixed parameter in', async () => {
  const email = uniqueEmail()
  const { json } = await gateway.post(call('internal_team_add', { email, name: 'Edsger' }))
  expect(at(json, 'result', 'structuredContent', 'data')).toMatchObject({ email, customerId: own.customerId })
})

it.each([() => other.customerId, () => own.customerId, () => null, () => ''])(
  'refuses an argument of that name as unknown (%#)',
  async (customerId) => {
    const { json } = await gateway.post(call('internal_team_list', { customerId: customerId() }))
    expect(at(json, 'result', '_meta', 'mindgate/error')).toMatchObject({
      status: 400,
      code: 'invalid_input',
      field: 'customerId'
    })
  }
)
