// What was taken from a person is gone from their apps at the next request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { PARTNER_ROLES, type PartnerRole } from '../../schemas/partner-user.ts'
import { execute } from '../../src/execute.ts'
import { updatePartner } from '../../src/partners/store.ts'
import { removePartnerUser } from '../../src/partners/user-operations.ts'
import { CONSOLE_PASSWORD, makeColleague } from '../portal/console-visitor.ts'
import { addTeamMate } from '../portal/customer-visitors.ts'
import { mailedSecret, PASSWORD, siteClient } from '../portal/site-client.ts'
import { startSites } from '../portal/sites.ts'
import { makePartner, run, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { connectApp } from './apps.ts'
import { bareCall } from './bare-call.ts'
import { type Decision, makeOwner, makeStaff } from './people.ts'

const OTHER_PASSWORD = 'another battery staple'

let server: TestServer
let base: string
beforeAll(async () => {
  server = await startSites('sqlite', {
    CREDITS_INITIAL: '1000',
    SIGN_IN_LIMIT: '0',
    SIGN_IN_ADDRESS_LIMIT: '0'
  })
  base = `/portal/${server.partner.slug}`
})
afterAll(() => server.close())

const act = (name: string, input: Record<string, unknown>) =>
  run(server.service, server.partner.partnerId, name, input)

type Call = () => Promise<{ status: number; code: unknown }>

/** All that the last call was answered. */
let answered = ''

/** An app that its user connected just now, and which is answered. */
const connect = async (
  decision: Decision,
  gateway: '/api/mcp' | '/api/partner-mcp' = '/api/mcp',
  tool = 'internal_memory_recall'
): Promise<Call> => {
  const app = await connectApp(server.url, { gateway, decision })
  await app.close()
  const call = async () => {
    const { status, code, text } = await bareCall(server.url + gateway, { token: app.token(), tool })
    answered = text
    return { status, code }
  }
  expect(await call()).toEqual({ status: 200, code: undefined })
  return call
}
const ANSWERED = { status: 200, code: undefined }
const ENDED = { status: 401, code: 'unauthorized' }

describe('an app of a customer’s owner', () => {
  const owner = async () => {
    const { customerId, decision } = await makeOwner(server)
    return { customerId, decision, call: await connect(decision) }
  }

  it('is refused while the customer is blocked', async () => {
    const { customerId, call } = await owner()
    const bystander = await owner()
    await act('customer_toggle_portal_block', { customerId })
    expect(await call()).toEqual({ status: 403, code: 'access_closed' })
    expect(answered).toContain('access is blocked. Ask the provider')
    expect(await bystander.call()).toEqual(ANSWERED)
  })

  it('is refused while the portal is switched off for the customer', async () => {
    const { customerId, call } = await owner()
    await act('customer_update', { customerId, customerPortalEnabled: false })
    expect(await call()).toEqual({ status: 403, code: 'access_closed' })
  })

  it('is refused while access of one’s own is switched off', async () => {
    const { customerId, call } = await owner()
    await act('customer_update', { customerId, enableApiAccess: false })
    expect(await call()).toEqual({ status: 403, code: 'api_access_disabled' })
  })

  it('reads no memory while that is switched off', async () => {
    const { customerId, call } = await owner()
    await act('customer_update', { customerId, enableAiMemory: false })
    expect(await call()).toEqual({ status: 200, code: 'memory_not_enabled' })
  })

  it('ends when the customer’s address moves', async () => {
    const { customerId, decision, call } = await owner()
    const email = uniqueEmail()
    await act('customer_update', { customerId, email })
    expect(await call()).toEqual(ENDED)
    await connect({ ...decision, email })
  })

  it('ends when the customer goes to somebody who is known already', async () => {
    const [{ customerId, call }, other] = [await owner(), await owner()]
    const { partnerId } = server.partner
    const mate = await addTeamMate(server.service, partnerId, other.customerId, 'member', PASSWORD)
    await act('customer_update', { customerId, email: mate.email })
    expect(await call()).toEqual(ENDED)
    expect(await other.call()).toEqual(ANSWERED)
  })

  it('is refused where it isn’t the owner’s any more', async () => {
    const [{ customerId, call }, other] = [await owner(), await owner()]
    await server.service.database.transaction(async (tx) => {
      const { ownerIdentityId } = await tx
        .selectFrom('customer')
        .where('id', '=', other.customerId)
        .select('ownerIdentityId')
        .executeTakeFirstOrThrow()
      await tx.updateTable('customer').set({ ownerIdentityId }).where('id', '=', customerId).execute()
    })
    expect(await call()).toEqual({ status: 403, code: 'access_closed' })
    expect(await other.call()).toEqual(ANSWERED)
  })

  it('ends with the customer', async () => {
    const { customerId, call } = await owner()
    const confirm = stringAt(await act('customer_get', { customerId }), 'data', 'customerId')
    await act('customer_erase', { customerId, confirm })
    expect(await call()).toEqual(ENDED)
  })

  it('ends when they set their password by a mail’s link', async () => {
    const { customerId, decision, call } = await owner()
    await act('customer_send_password_reset', { customerId })
    const { linkToken } = await mailedSecret(server.service, decision.email, 'password_reset')
    const form = { token: linkToken, password: OTHER_PASSWORD }
    expect((await siteClient(server.url).post(`${base}/reset`, { form })).status).toBe(303)
    expect(await call()).toEqual(ENDED)
    await connect({ ...decision, password: OTHER_PASSWORD })
  })

  it('ends when they change their password', async () => {
    const { decision, call } = await owner()
    expect(await changePassword(base, decision)).toBe(303)
    expect(await call()).toEqual(ENDED)
    await connect({ ...decision, password: OTHER_PASSWORD })
  })
})

describe('an app of a team’s member', () => {
  const family = async () => {
    const { customerId, decision: ofOwner } = await makeOwner(server)
    const { partnerId, slug } = server.partner
    const mate = await addTeamMate(server.service, partnerId, customerId, 'admin', PASSWORD)
    const decision = { email: mate.email, password: PASSWORD, portal: slug }
    const { teamMemberId } = mate
    return { customerId, teamMemberId, call: await connect(decision), atOwner: await connect(ofOwner) }
  }

  it('ends with their membership', async () => {
    const { customerId, teamMemberId, call, atOwner } = await family()
    await act('team_member_remove', { customerId, teamMemberId })
    expect(await call()).toEqual(ENDED)
    expect(await atOwner()).toEqual(ANSWERED)
  })

  it('is refused while the customer has no team', async () => {
    const { customerId, call, atOwner } = await family()
    await act('customer_update', { customerId, enableTeamMembers: false })
    expect(await call()).toEqual({ status: 403, code: 'access_closed' })
    expect(await atOwner()).toEqual(ANSWERED)
  })

  it('may no more than they may from now on', async () => {
    const { customerId } = await makeOwner(server)
    const { partnerId, slug } = server.partner
    const mate = await addTeamMate(server.service, partnerId, customerId, 'admin', PASSWORD)
    const decision = { email: mate.email, password: PASSWORD, portal: slug }
    const app = await connectApp(server.url, { gateway: '/api/mcp', decision })
    await app.close()
    const remember = () =>
      bareCall(`${server.url}/api/mcp`, {
        token: app.token(),
        tool: 'internal_memory_remember',
        input: { content: 'The dog is called Rex.' }
      })
    expect((await remember()).status).toBe(200)
    await server.service.database.transaction((tx) =>
      tx.updateTable('teamMember').set({ role: 'member' }).where('id', '=', mate.teamMemberId).execute()
    )
    expect(await remember()).toMatchObject({ status: 200, code: 'missing_scope' })
  })
})

describe('an app of a partner’s staff', () => {
  const staff = async () => {
    const partner = await makePartner(server.service)
    const decision = await makeStaff(server, partner)
    return { partner, decision, call: await connect(decision, '/api/partner-mcp', 'customer_list') }
  }

  it('is refused while the partner is suspended, and so are its customers’', async () => {
    const { partner, call } = await staff()
    const { decision } = await makeOwner({ service: server.service, partner })
    const ofCustomer = await connect(decision)
    await suspend(partner)
    expect(await call()).toEqual({ status: 403, code: 'partner_inactive' })
    expect(await ofCustomer()).toEqual({ status: 403, code: 'partner_inactive' })
  })

  it('ends when they change their password', async () => {
    const { decision, call } = await staff()
    expect(await changePassword('/console', decision)).toBe(303)
    expect(await call()).toEqual(ENDED)
  })

  const colleague = async (role: PartnerRole) => {
    const { partnerId } = await makePartner(server.service)
    const { id, email } = await makeColleague(server.service, partnerId, role)
    return { partnerId, id, decision: { email, password: CONSOLE_PASSWORD } }
  }
  const scopesOf = async (partnerUserId: string): Promise<unknown> => {
    const apps = server.service.database.read.selectFrom('connectedApp').select('scopes')
    const { scopes } = await apps.where('partnerUserId', '=', partnerUserId).executeTakeFirstOrThrow()
    return JSON.parse(scopes)
  }

  it('ends when they are removed', async () => {
    const { partnerId, id, decision } = await colleague('support')
    const call = await connect(decision, '/api/partner-mcp', 'customer_list')
    const actor = (await makeColleague(server.service, partnerId, 'owner')).id
    const caller = { partnerId, actor, scopes: PARTNER_ROLES.owner.scopes }
    const input = { partnerUserId: id }
    await execute(removePartnerUser, server.service, { caller, requestId: 'req_test' }, input)
    expect(await call()).toEqual(ENDED)
  })

  it('is given no more than their role has, whatever the form says', async () => {
    const { id, decision } = await colleague('billing')
    await connect({ ...decision, scopes: [...SCOPES, 'settings:write'] }, '/api/partner-mcp', 'customer_list')
    const scopes = await scopesOf(id)
    expect(scopes).toContain('credits:write')
    for (const scope of [scopes].flat())
      expect([...PARTNER_ROLES.billing.scopes], String(scope)).toContain(scope)
  })

  it('may no more than their role has from now on', async () => {
    const { id, decision } = await colleague('admin')
    const app = await connectApp(server.url, { gateway: '/api/partner-mcp', decision })
    await app.close()
    const create = () =>
      bareCall(`${server.url}/api/partner-mcp`, {
        token: app.token(),
        tool: 'customer_create',
        input: { email: uniqueEmail() }
      })
    expect(await create()).toMatchObject({ status: 200, code: undefined })
    await server.service.database.transaction((tx) =>
      tx.updateTable('partnerUser').set({ role: 'read_only' }).where('id', '=', id).execute()
    )
    expect(await create()).toMatchObject({ status: 200, code: 'missing_scope' })
  })
})

const suspend = ({ partnerId }: TestPartner) =>
  server.service.database.transaction((tx) => updatePartner(tx, partnerId, { isActive: false }))

/** On their account page; answers its status. */
async function changePassword(site: string, { email, password }: Decision): Promise<number> {
  const browser = siteClient(server.url)
  expect((await browser.post(`${site}/sign-in`, { form: { email, password } })).status).toBe(303)
  const form = { current: password, password: OTHER_PASSWORD }
  return (await browser.post(`${site}/account/password`, { form })).status
}
