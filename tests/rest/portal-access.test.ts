import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { fromNow, HOUR_MS, now } from '../../src/clock.ts'
import { databases } from '../support/databases.ts'
import {
  makeFixture,
  makePartner,
  run,
  stringAt,
  type TestPartner,
  unique,
  uniqueEmail
} from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

describe.each(databases)('portal access on %s', (kind) => {
  let server: TestServer
  let partner: TestPartner

  beforeAll(async () => {
    server = await startTestServer(kind)
    partner = await makePartner(server.service)
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  afterAll(() => server.close())

  const post = (path: string) => server.api('POST', path, { key: partner.key })
  const newCustomer = async (): Promise<string> =>
    stringAt(
      await run(server.service, partner.partnerId, 'customer_create', { email: uniqueEmail() }),
      'data',
      'id'
    )
  const stateOf = async (id: string) =>
    (await server.api('GET', `/customers/${id}`, { key: partner.key })).body
  const mailsOf = (customerId: string) =>
    server.service.database.read
      .selectFrom('mail')
      .where('customerId', '=', customerId)
      .selectAll()
      .orderBy('createdAt')
      .execute()
  const linksOf = (customerId: string) =>
    server.service.database.read
      .selectFrom('accessLink')
      .where('customerId', '=', customerId)
      .selectAll()
      .execute()
  const ownerOf = (customerId: string) =>
    server.service.database.read
      .selectFrom('customer')
      .innerJoin('identity', 'identity.id', 'customer.ownerIdentityId')
      .where('customer.id', '=', customerId)
      .selectAll('identity')
      .executeTakeFirst()

  it('sends a new invite when asked again, and the earlier link and password end', async () => {
    const id = await newCustomer()
    await post(`/customers/${id}/portal-access`)
    const [firstLink] = await linksOf(id)
    const firstOwner = await ownerOf(id)
    await post(`/customers/${id}/portal-access`)
    const links = await linksOf(id)
    expect(links).toHaveLength(1)
    expect(links[0]?.tokenHash).not.toBe(firstLink?.tokenHash)
    expect((await ownerOf(id))?.temporaryPasswordHash).not.toBe(firstOwner?.temporaryPasswordHash)
    expect((await ownerOf(id))?.id).toBe(firstOwner?.id)
    expect(await mailsOf(id)).toHaveLength(2)
  })

  it('keeps an even number of racing toggles where it was', async () => {
    const id = await newCustomer()
    await post(`/customers/${id}/portal-access`)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(`/customers/${id}/portal-access/block`))
    )
    const actions = answers.map(({ body }) => stringAt(body, 'action'))
    expect(actions.filter((action) => action === 'blocked')).toHaveLength(5)
    expect(await stateOf(id)).toMatchObject({ data: { credentialStatus: 'active' } })
  })

  const block = (id: string, newStatus: 'active' | 'suspended') =>
    server.api('POST', `/customers/${id}/portal-access/block`, { key: partner.key, body: { newStatus } })
  const auditsOf = (id: string) =>
    server.service.database.read
      .selectFrom('audit')
      .where('targetId', '=', id)
      .where('action', '=', 'customer_toggle_portal_block')
      .select('id')
      .execute()

  it('has the state that block is told, however often and in whatever race it is told', async () => {
    const id = await newCustomer()
    await post(`/customers/${id}/portal-access`)
    for (const [newStatus, action] of [
      ['suspended', 'blocked'],
      ['active', 'granted']
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 6 }, () => block(id, newStatus)))
      for (const { status, body } of answers) {
        expect([status, body]).toEqual([
          200,
          { success: true, message: expect.any(String), newStatus, action }
        ])
      }
      expect(answers.filter(({ body }) => String(body.message).endsWith('already.'))).toHaveLength(5)
      expect(await stateOf(id)).toMatchObject({ data: { credentialStatus: newStatus } })
    }
    expect(await auditsOf(id)).toHaveLength(2)
    expect(await mailsOf(id)).toHaveLength(1)
  })

  describe('when the customer’s e-mail changes', () => {
    const change = (id: string, email: string) =>
      server.api('PATCH', `/customers/${id}`, { key: partner.key, body: { email } })

    it('follows the owner and ends links sent to the old address', async () => {
      const id = await newCustomer()
      await post(`/customers/${id}/portal-access`)
      const before = await ownerOf(id)
      const email = uniqueEmail()
      await change(id, email)
      expect(await ownerOf(id)).toMatchObject({ id: before?.id, email })
      expect(await linksOf(id)).toEqual([])
    })

    it('leaves the owner’s identity alone when somebody else already signs in with the new address', async () => {
      const id = await newCustomer()
      await post(`/customers/${id}/portal-access`)
      const email = uniqueEmail()
      const memberIdentity = {
        id: unique('idn_'),
        partnerId: partner.partnerId,
        email,
        emailKey: email,
        passwordHash: 'a hash of their own',
        temporaryPasswordHash: null,
        temporaryPasswordExpiresAt: null,
        createdAt: now(),
        updatedAt: now()
      }
      await server.service.database.transaction((tx) =>
        tx.insertInto('identity').values(memberIdentity).execute()
      )
      await change(id, email)
      expect(await ownerOf(id)).toBeUndefined()
      await post(`/customers/${id}/portal-access`)
      expect(await ownerOf(id)).toMatchObject({ email, passwordHash: 'a hash of their own' })
    })
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('is enabled with a hashed temporary password, one invite link and one mail', async () => {
    const id = await newCustomer()
    expect(await post(`/customers/${id}/portal-access`)).toMatchObject({
      status: 200,
      body: { success: true }
    })
    expect(await stateOf(id)).toMatchObject({
      data: { credentialStatus: 'active', customerPortalEnabled: true }
    })
    expect(await ownerOf(id)).toMatchObject({
      passwordHash: null,
      temporaryPasswordHash: expect.stringContaining('$argon2id$')
    })
    expect(await linksOf(id)).toMatchObject([{ purpose: 'portal_invite', usedAt: null }])
    expect(await mailsOf(id)).toMatchObject([{ template: 'portal_invite' }])
  })

  it('is toggled between suspended and active by block (§3)', async () => {
    const id = await newCustomer()
    await post(`/customers/${id}/portal-access`)
    expect(await post(`/customers/${id}/portal-access/block`)).toMatchObject({
      status: 200,
      body: { success: true, newStatus: 'suspended', action: 'blocked' }
    })
    expect(await stateOf(id)).toMatchObject({ data: { credentialStatus: 'suspended' } })
    expect(await post(`/customers/${id}/portal-access/block`)).toMatchObject({
      body: { newStatus: 'active', action: 'granted' }
    })
    expect(await stateOf(id)).toMatchObject({ data: { credentialStatus: 'active' } })
  })

  it.each([
    ['without a body', {}],
    ['with an empty object', { body: {} }],
    [
      'with an empty body that is called JSON',
      { rawBody: '', headers: { 'Content-Type': 'application/json' } }
    ],
    ['with an empty body that is called a form', { rawBody: '', headers: { 'Content-Type': 'text/plain' } }]
  ])('is toggled by block %s', async (_, request) => {
    const id = await newCustomer()
    await post(`/customers/${id}/portal-access`)
    const toggle = () =>
      server.api('POST', `/customers/${id}/portal-access/block`, { key: partner.key, ...request })
    expect(await toggle()).toMatchObject({ status: 200, body: { newStatus: 'suspended' } })
    expect(await toggle()).toMatchObject({ status: 200, body: { newStatus: 'active' } })
  })

  it.each(['none', 'blocked', '', null, true])('can’t be told to be %j', async (newStatus) => {
    const id = await newCustomer()
    await post(`/customers/${id}/portal-access`)
    const answer = await server.api('POST', `/customers/${id}/portal-access/block`, {
      key: partner.key,
      body: { newStatus }
    })
    expect(answer).toMatchObject({ status: 400, body: { field: 'newStatus' } })
    expect(await stateOf(id)).toMatchObject({ data: { credentialStatus: 'active' } })
  })

  it('can’t be told its state in the query, where a toggle would overlook it', async () => {
    const id = await newCustomer()
    await post(`/customers/${id}/portal-access`)
    const answer = await post(`/customers/${id}/portal-access/block?newStatus=active`)
    expect(answer).toMatchObject({ status: 400, body: { field: 'newStatus' } })
    expect(await stateOf(id)).toMatchObject({ data: { credentialStatus: 'active' } })
  })

  it('becomes active again when it is enabled while suspended', async () => {
    const id = await newCustomer()
    await post(`/customers/${id}/portal-access`)
    await post(`/customers/${id}/portal-access/block`)
    await post(`/customers/${id}/portal-access`)
    expect(await stateOf(id)).toMatchObject({ data: { credentialStatus: 'active' } })
  })

  it('can’t be blocked or reset before it was ever enabled', async () => {
    const id = await newCustomer()
    expect(await post(`/customers/${id}/portal-access/block`)).toMatchObject({
      status: 400,
      body: { code: 'portal_access_missing' }
    })
    for (const newStatus of ['active', 'suspended'] as const) {
      expect(await block(id, newStatus)).toMatchObject({
        status: 400,
        body: { code: 'portal_access_missing' }
      })
    }
    expect(await post(`/customers/${id}/reset-password`)).toMatchObject({
      status: 400,
      body: { code: 'portal_access_missing' }
    })
    expect(await mailsOf(id)).toEqual([])
  })

  it('sends a reset link that is valid for an hour and leaves the password alone', async () => {
    const id = await newCustomer()
    await post(`/customers/${id}/portal-access`)
    const owner = await ownerOf(id)
    const earliest = fromNow(HOUR_MS)
    expect(await post(`/customers/${id}/reset-password`)).toMatchObject({
      status: 200,
      body: { success: true }
    })
    const { expiresAt = '' } = (await linksOf(id)).find(({ purpose }) => purpose === 'password_reset') ?? {}
    expect(expiresAt >= earliest && expiresAt <= fromNow(HOUR_MS)).toBe(true)
    expect(await ownerOf(id)).toEqual(owner)
    expect((await mailsOf(id)).map(({ template }) => template)).toEqual(['portal_invite', 'password_reset'])
  })

  it('gets a reset while suspended, which leaves it suspended', async () => {
    const id = await newCustomer()
    await post(`/customers/${id}/portal-access`)
    await post(`/customers/${id}/portal-access/block`)
    expect(await post(`/customers/${id}/reset-password`)).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('once access is granted again') }
    })
    expect(await stateOf(id)).toMatchObject({ data: { credentialStatus: 'suspended' } })
  })

  it('never keeps a link’s token or a temporary password in the clear, nor answers it', async () => {
    const { customerId } = await makeFixture(server.service, partner.partnerId)
    const answer = await post(`/customers/${customerId}/portal-access`)
    const [mail] = (await mailsOf(customerId)).slice(-1)
    const secret: { linkToken: string; temporaryPassword: string } = JSON.parse(
      server.service.secrets.unseal(mail?.sealedSecret ?? '', mail?.id ?? '')
    )
    expect(secret.temporaryPassword).toMatch(/^(\w{4}-){3}\w{4}$/)
    const everything = JSON.stringify([
      answer.body,
      await mailsOf(customerId),
      await linksOf(customerId),
      await ownerOf(customerId)
    ])
    expect(everything).not.toContain(secret.linkToken)
    expect(everything).not.toContain(secret.temporaryPassword)
    expect(server.logs.join('')).not.toContain(secret.linkToken)
  })
})
