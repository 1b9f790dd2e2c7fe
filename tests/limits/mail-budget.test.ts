// How many mails people can cause in a day.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { execute } from '../../src/execute.ts'
import { newId } from '../../src/ids.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { mailForgottenPassword } from '../../src/portal-access/access-mails.ts'
import { addTeamMember, removeTeamMember } from '../../src/team/operations.ts'
import { chargeAtOnce, makePayer } from '../credits/payers.ts'
import { makePortalCustomer, textOf } from '../portal/customer-visitors.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeCustomerRow } from '../support/rows.ts'

describe.each(databases)('the mails of a day on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(kind, {
      MAIL_ADDRESS_LIMIT: '3',
      MAIL_CUSTOMER_LIMIT: '7',
      SIGN_IN_LIMIT: '0'
    })
  })
  afterAll(() => server.close())

  const mailsTo = async (recipient: string): Promise<string[]> => {
    const mails = await server.service.database.read
      .selectFrom('mail')
      .where('recipient', '=', recipient)
      .select('template')
      .orderBy('createdAt')
      .execute()
    return mails.map(({ template }) => template)
  }
  const newCustomer = async (partnerId = server.partner.partnerId) =>
    (await makeCustomerRow(server.service, partnerId)).id

  /** Somebody of a customer's invites and removes again; the code of the refusal, if it is one. */
  const inviteAndRemove = async (customerId: string, email: string, partnerId = server.partner.partnerId) => {
    const caller = { partnerId, customerId, actor: newId('idn'), scopes: new Set(SCOPES) }
    const act = (operation: AnyOperation, input: Record<string, unknown>) =>
      execute(operation, server.service, { caller, requestId: 'req_test' }, { customerId, ...input })
    const added = await act(addTeamMember, { email, name: 'Grace' }).catch((error: unknown) => error)
    if (added instanceof Error) return added
    await act(removeTeamMember, { teamMemberId: stringAt(added, 'output', 'data', 'id') })
    return undefined
  }
  const times = async (count: number, act: () => Promise<unknown>): Promise<unknown[]> => {
    const ends = []
    for (let i = 0; i < count; i += 1) ends.push(await act())
    return ends
  }

  it('to one address are no more than the limit, however a customer’s people cause them', async () => {
    const [customerId, email] = [await newCustomer(), uniqueEmail()]
    const ends = await times(5, () => inviteAndRemove(customerId, email))
    const refusal = { code: 'rate_limited', retryAfterSeconds: expect.any(Number) }
    expect(ends).toMatchObject([undefined, undefined, undefined, refusal, refusal])
    expect(String(ends[4])).toContain('This address was sent enough mails for today. Try again in 24 hours.')
    expect(await inviteAndRemove(customerId, email.toUpperCase())).toMatchObject(refusal)
    expect(await mailsTo(email)).toHaveLength(3)
    const team = await run(server.service, server.partner.partnerId, 'team_member_list', { customerId })
    expect(team.data).toEqual([])
  })

  it('to one address can’t be used up by another customer, nor by the partner’s customers for the partner', async () => {
    const email = uniqueEmail()
    const { partnerId } = server.partner
    const greedy = await newCustomer()
    await times(5, () => inviteAndRemove(greedy, email))
    expect(await inviteAndRemove(await newCustomer(), email)).toBeUndefined()
    const other = await makePartner(server.service)
    expect(await inviteAndRemove(await newCustomer(other.partnerId), email, other.partnerId)).toBeUndefined()
    const basic = { email }
    await run(server.service, partnerId, 'customer_onboard', { basic, allowPortalAccess: true })
    expect((await mailsTo(email)).toSorted()).toEqual([
      ...['portal_invite', 'team_invite', 'team_invite', 'team_invite', 'team_invite', 'team_invite']
    ])
  })

  it('that a customer’s people cause are no more than the customer’s limit, and another customer has its own', async () => {
    const customerId = await newCustomer()
    const ends = await times(9, () => inviteAndRemove(customerId, uniqueEmail()))
    expect(ends.filter((end) => end === undefined)).toHaveLength(7)
    expect(ends[8]).toMatchObject({ code: 'rate_limited' })
    expect(String(ends[8])).toContain('You have sent enough mails for today.')
    expect(await inviteAndRemove(await newCustomer(), uniqueEmail())).toBeUndefined()
  })

  it('are as many as a partner onboards customers, and few to each', async () => {
    const { partnerId } = server.partner
    const onboard = () =>
      run(server.service, partnerId, 'customer_onboard', {
        basic: { email: uniqueEmail() },
        allowPortalAccess: true
      })
    const [first] = await times(30, onboard)
    const customerId = stringAt(first, 'data', 'id')
    const reset = () => run(server.service, partnerId, 'customer_send_password_reset', { customerId })
    await reset()
    await reset()
    await expect(reset()).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('aren’t lost where the service tells something by itself', async () => {
    const payer = await makePayer(server.service, {
      credits: 2,
      lowCreditThresholdMicros: 2_000_000,
      lowCreditNotificationsEnabled: 1
    })
    await chargeAtOnce(server.service, payer, 1)
    expect(await mailsTo(payer.customer.email)).toEqual(['low_credit'])
  })

  it('for a forgotten password end without a word, and leave the partner its own', async () => {
    const { partnerId } = server.partner
    const { email, customerId } = await makePortalCustomer(server)
    const errors = () => server.logs.filter((line) => line.includes('"level":"error"'))
    await times(5, () => mailForgottenPassword(server.service, partnerId, email))
    expect((await mailsTo(email)).slice(1)).toEqual(Array(3).fill('password_forgotten'))
    await run(server.service, partnerId, 'customer_send_password_reset', { customerId })
    expect(await mailsTo(email)).toHaveLength(5)
    expect(errors()).toEqual([])
  })

  it('are refused on the team’s page, beside what was typed', async () => {
    const { owner, customerId } = await makePortalCustomer(server, server.partner, { maxTeamMembers: 9 })
    const email = uniqueEmail()
    await times(3, () => inviteAndRemove(customerId, email))
    const refused = await owner.post('/team/invite', { name: 'Grace', email })
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
    expect(textOf(refused.html)).toContain('This address was sent enough mails for today.')
    expect(refused.html).toContain(`value="${email}"`)
  })
})
