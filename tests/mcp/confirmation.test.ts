// Tools that mail or delete have the user asked where the client can, and go through where it can't.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, makeFixture, makeKey, run, uniqueEmail } from '../support/fixture.ts'
import { type GatewayServer, startGateway } from './gateway-server.ts'

let gateway: GatewayServer
let customerId: string
beforeAll(async () => {
  gateway = await startGateway('sqlite')
  customerId = (await makeFixture(gateway.service, gateway.partner.partnerId)).customerId
})
afterAll(() => gateway.close())

type Answer = 'accept' | 'decline' | 'cancel'

/** A client whose user answers so; it can't ask when there is no answer. */
async function callAs(
  mode: 'auto' | undefined,
  answer: Answer | undefined,
  tool: string,
  input: object,
  key = gateway.partner.key
) {
  const asked: string[] = []
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: answer ? { elicitation: { form: {} } } : {},
      ...(mode ? { versionNegotiation: { mode } } : {})
    }
  )
  if (answer)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return answer === 'accept' ? { action: answer, content: {} } : { action: answer }
    })
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(gateway.url, { requestInit }))
  const result = await client.callTool({ name: tool, arguments: { customerId, ...input } })
  await client.close()
  return { asked, result }
}

const team = () => run(gateway.service, gateway.partner.partnerId, 'team_member_list', { customerId })
const teamSize = async () => {
  const members = at(await team(), 'data')
  return Array.isArray(members) ? members.length : -1
}

describe('a tool that mails', () => {
  const member = () => ({ email: uniqueEmail(), name: 'Robin' })

  it('asks, tells what it is about, and does it once the user agrees', async () => {
    const before = await teamSize()
    const input = member()
    const { asked, result } = await callAs('auto', 'accept', 'team_member_add', input)
    expect(asked).toEqual([expect.stringContaining(input.email)])
    expect(asked[0]).toContain('mail')
    expect(result.isError).toBeFalsy()
    expect(await teamSize()).toBe(before + 1)
  })

  it.each(['decline', 'cancel'] as const)('does nothing where the user answers with %s', async (answer) => {
    const before = await teamSize()
    const { result } = await callAs('auto', answer, 'team_member_add', member())
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toContain('nothing was done')
    expect(await teamSize()).toBe(before)
  })

  it.each(['auto', undefined] as const)('goes through where the client can’t ask (%s)', async (mode) => {
    const before = await teamSize()
    const { asked, result } = await callAs(mode, undefined, 'team_member_add', member())
    expect([asked, result.isError ?? false]).toEqual([[], false])
    expect(await teamSize()).toBe(before + 1)
  })
})

it('onboarding asks only where it sends an invite', async () => {
  const onboard = (allowPortalAccess: boolean) =>
    callAs('auto', 'accept', 'customer_onboard', {
      customerId: undefined,
      basic: { email: uniqueEmail() },
      allowPortalAccess
    })
  expect((await onboard(false)).asked).toHaveLength(0)
  expect((await onboard(true)).asked).toHaveLength(1)
})

it('a tool that deletes asks, and one that reads doesn’t', async () => {
  expect(
    (await callAs('auto', 'decline', 'customer_toggle_portal_block', {})).asked.length
  ).toBeLessThanOrEqual(1)
  expect(
    (await callAs('auto', 'decline', 'team_member_remove', { teamMemberId: 'tmb_none' })).asked
  ).toHaveLength(1)
  expect((await callAs('auto', 'decline', 'customer_get', {})).asked).toHaveLength(0)
})

it('nobody is asked about what is refused anyway', async () => {
  const unfit = await callAs('auto', 'decline', 'team_member_remove', { nobody: 'x' })
  expect([unfit.asked, JSON.stringify(unfit.result)]).toEqual([[], expect.stringContaining('nobody')])
  const { key } = await makeKey(gateway.service, gateway.partner.partnerId, { scopes: ['customers:read'] })
  const forbidden = await callAs('auto', 'decline', 'customer_update', { companyName: 'x' }, key)
  expect([forbidden.asked, JSON.stringify(forbidden.result)]).toEqual([
    [],
    expect.stringContaining('missing_scope')
  ])
})

it('a mail is told of however the switch is written', async () => {
  const input = { customerId: undefined, basic: { email: uniqueEmail() }, allowPortalAccess: 'true' }
  expect((await callAs('auto', 'decline', 'customer_onboard', input)).asked).toEqual([
    expect.stringContaining('This sends a mail')
  ])
})
