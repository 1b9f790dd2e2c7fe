import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { at, makePartner, run, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

describe.each(databases)('team members on %s', (kind) => {
  let server: TestServer
  let partner: TestPartner

  beforeAll(async () => {
    server = await startTestServer(kind)
    partner = await makePartner(server.service)
  })
  afterAll(() => server.close())

  const newCustomer = async (changes: Record<string, unknown> = {}): Promise<string> => {
    const created = await run(server.service, partner.partnerId, 'customer_create', { email: uniqueEmail() })
    const customerId = stringAt(created, 'data', 'id')
    await run(server.service, partner.partnerId, 'customer_update', { customerId, ...changes })
    return customerId
  }
  const add = (customerId: string, fields: Record<string, unknown> = {}) =>
    server.api('POST', `/customers/${customerId}/team-members`, {
      key: partner.key,
      body: { email: uniqueEmail(), name: 'Grace', ...fields }
    })
  const list = (customerId: string) =>
    server.api('GET', `/customers/${customerId}/team-members`, { key: partner.key })
  const mailsOf = (customerId: string) =>
    server.service.database.read.selectFrom('mail').where('customerId', '=', customerId).selectAll().execute()

  it('never exceed the limit when invites race', async () => {
    const customerId = await newCustomer({ maxTeamMembers: 3 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(customerId)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, ...Array(7).fill(400)])
    expect(at((await list(customerId)).body, 'data')).toHaveLength(3)
  })

  it('have one e-mail each within a customer, whatever its case; another customer may have it too', async () => {
    const customerId = await newCustomer()
    const email = uniqueEmail()
    await add(customerId, { email })
    expect(await add(customerId, { email: email.toUpperCase() })).toMatchObject({
      status: 400,
      body: { code: 'email_exists' }
    })
    expect(await add(await newCustomer(), { email })).toMatchObject({ status: 200 })
  })

  it('are not removed through another customer of the same partner', async () => {
    const customerId = await newCustomer()
    const id = stringAt((await add(customerId)).body, 'data', 'id')
    const path = `/customers/${await newCustomer()}/team-members/${id}`
    expect(await server.api('DELETE', path, { key: partner.key })).toMatchObject({ status: 404 })
    expect(at((await list(customerId)).body, 'data')).toHaveLength(1)
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('start pending with the role member, and an invite is mailed to them', async () => {
    const customerId = await newCustomer()
    const email = uniqueEmail()
    const { body } = await add(customerId, { email })
    expect(body).toMatchObject({
      success: true,
      data: { customerId, name: 'Grace', email, role: 'member', status: 'pending' }
    })
    expect(await mailsOf(customerId)).toMatchObject([{ template: 'team_invite', recipient: email }])
  })

  it('are refused over maxTeamMembers with the limit in the text, and nobody is mailed', async () => {
    const customerId = await newCustomer({ maxTeamMembers: 1 })
    await add(customerId)
    const refused = await add(customerId)
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'team_limit_reached', error: expect.stringContaining('1') }
    })
    expect(at((await list(customerId)).body, 'data')).toHaveLength(1)
    expect(await mailsOf(customerId)).toHaveLength(1)
  })

  it('are refused with 403 when the feature is off for the customer', async () => {
    const customerId = await newCustomer({ enableTeamMembers: false })
    expect(await add(customerId)).toMatchObject({ status: 403, body: { code: 'team_disabled' } })
  })

  it('are removed with their invite links, once', async () => {
    const customerId = await newCustomer()
    const id = stringAt((await add(customerId)).body, 'data', 'id')
    const remove = () =>
      server.api('DELETE', `/customers/${customerId}/team-members/${id}`, { key: partner.key })
    expect(await remove()).toMatchObject({ status: 200, body: { success: true } })
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'team_member_not_found' } })
    const links = await server.service.database.read
      .selectFrom('accessLink')
      .where('customerId', '=', customerId)
      .selectAll()
      .execute()
    expect(links).toEqual([])
  })
})
