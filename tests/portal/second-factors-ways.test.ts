// No way into a portal or the console leads around the second step, and who may turn it off.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailKey } from '../../src/customers/email.ts'
import { databases } from '../support/databases.ts'
import { makePartner, quickHash, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { makeColleague } from './console-visitor.ts'
import { people, type Somebody } from './second-step.ts'
import { mailedSecret, onboard, onboardOwner, PASSWORD, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

describe.each(databases)('around the second step on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startSites(kind, { SIGN_IN_LIMIT: '5', SIGN_IN_ADDRESS_LIMIT: '0', RATE_LIMIT: '0' })
  })
  afterAll(() => server.close())
  const { sites, signIn, isIn, enrol, give, actsOf } = people(() => server)

  it('comes before choosing a portal, and is not asked again by it', async () => {
    const somebody = await sites.portal()
    const { customerId } = await onboardOwner(server.service, somebody.partner, uniqueEmail(), 'Second')
    await server.service.database.transaction(async (tx) => {
      const mine = tx
        .selectFrom('identity')
        .where('emailKey', '=', emailKey(somebody.email))
        .where('partnerId', '=', somebody.partner.partnerId)
        .select('id')
      await tx.updateTable('customer').set({ ownerIdentityId: mine }).where('id', '=', customerId).execute()
    })
    const first = await signIn(somebody)
    await first.post(`${somebody.base}/choose`, { form: { membership: customerId } })
    const [code = ''] = (await enrol(first, somebody)).codes
    const client = await signIn(somebody)
    expect(
      (await client.post(`${somebody.base}/choose`, { form: { membership: customerId } })).location
    ).toMatch(/\/factor/)
    expect(await isIn(client, somebody)).toBe(false)
    await give(client, somebody, code)
    expect((await client.get(somebody.base)).location).toMatch(/\/choose/)
    await client.post(`${somebody.base}/choose`, { form: { membership: customerId } })
    expect(await isIn(client, somebody)).toBe(true)
  })

  it('follows a temporary password and an invite', async () => {
    const somebody = await sites.portal()
    await enrol(await signIn(somebody), somebody)
    const again = await onboard(server.service, somebody.partner.partnerId, uniqueEmail())
    const joining = await run(server.service, somebody.partner.partnerId, 'team_member_add', {
      customerId: again.customerId,
      email: somebody.email,
      name: 'Grace'
    })
    expect(stringAt(joining, 'data', 'id')).toMatch(/^tm_/)
    const { linkToken: token } = await mailedSecret(server.service, somebody.email, 'team_invite')
    const invited = siteClient(server.url)
    await invited.post(`${somebody.base}/accept`, { form: { token, password: somebody.password } })
    expect((await invited.get(somebody.base)).location).toMatch(/\/factor/)

    await server.service.database.transaction(async (tx) =>
      tx
        .updateTable('identity')
        .set({
          temporaryPasswordHash: await temporary,
          temporaryPasswordExpiresAt: new Date(Date.now() + 60_000).toISOString()
        })
        .where('emailKey', '=', emailKey(somebody.email))
        .where('partnerId', '=', somebody.partner.partnerId)
        .execute()
    )
    const client = await signIn({ ...somebody, password: 'temporary words' })
    await client.post(`${somebody.base}/password`, { form: { password: 'a quite different one' } })
    expect((await client.get(somebody.base)).location).toMatch(/\/factor/)
  })
  const temporary = quickHash('temporary words')

  it('is turned off by who may, and by nobody else', async () => {
    const admin = await sites.console()
    const { partnerId } = admin.partner
    const { email: ownerEmail, id: ownerId } = await makeColleague(server.service, partnerId, 'owner')
    const owner: Somebody = { ...admin, email: ownerEmail }
    const ownerClient = await signIn(owner)
    await enrol(ownerClient, owner)
    const adminClient = await signIn(admin)
    await adminClient.post(`/console/team/${ownerId}/reset-factors`)
    expect(await isIn(ownerClient, owner)).toBe(true)
    const other = await signIn(await sites.console())
    await other.post(`/console/team/${ownerId}/reset-factors`)
    expect(await isIn(await signIn(owner), owner)).toBe(false)

    await enrol(adminClient, admin)
    const page = await ownerClient.get('/console/team')
    const adminId = [...page.text.matchAll(/team\/(usr_\w+)\/reset-factors/g)].map(([, id]) => id)
    for (const id of adminId) await ownerClient.post(`/console/team/${id}/reset-factors`)
    expect(await isIn(adminClient, admin)).toBe(false)
    expect(await isIn(await signIn(admin), admin)).toBe(true)
    expect(await actsOf(admin)).toContain('partner_user_reset_factors')

    // The operator does it for the partner that is named, and for nobody of another one.
    const recover = (of: string, who: string) =>
      run(server.service, of, 'partner_user_recover', { email: who })
    const rival = await makePartner(server.service)
    await expect(recover(rival.partnerId, ownerEmail)).rejects.toMatchObject({
      code: 'partner_user_not_found'
    })
    expect(await isIn(await signIn(owner), owner)).toBe(false)
    await recover(partnerId, ownerEmail.toUpperCase())
    const recovered = await signIn(owner)
    expect(await isIn(recovered, owner)).toBe(true)
    expect(await isIn(ownerClient, owner)).toBe(false)

    const { customerId, email } = await onboardOwner(server.service, admin.partner, uniqueEmail())
    const customer = {
      base: `/portal/${admin.partner.slug}`,
      email,
      password: PASSWORD,
      partner: admin.partner
    }
    const customerClient = await signIn(customer)
    await enrol(customerClient, customer)
    await other.post(`/console/customers/${customerId}/portal-access/reset-factors`)
    expect(await isIn(customerClient, customer)).toBe(true)
    await recovered.post(`/console/customers/${customerId}/portal-access/reset-factors`)
    expect(await isIn(customerClient, customer)).toBe(false)
    expect(await isIn(await signIn(customer), customer)).toBe(true)
  })
})
