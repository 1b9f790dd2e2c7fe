import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { at, makePartner, makePlan, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { customersOf } from './customers.ts'

describe.each(databases)('updating customers on %s', (kind) => {
  let server: TestServer
  let partner: TestPartner

  beforeAll(async () => {
    server = await startTestServer(kind)
    partner = await makePartner(server.service)
  })
  afterAll(() => server.close())

  const { patch, get, create } = customersOf(
    () => server,
    () => partner
  )

  it('changes only what is sent, and null clears what is optional', async () => {
    const id = await create({ firstName: 'Ada', lastName: 'Lovelace', companyName: 'Engines' })
    const { status, body } = await patch(id, { firstName: null, languages: ['en'], agreedPrice: 12.345678 })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      data: {
        firstName: null,
        lastName: 'Lovelace',
        companyName: 'Engines',
        languages: ['en'],
        agreedPrice: 12.345678
      }
    })
    expect((await get(`/customers/${id}`)).body).toEqual(body)
  })

  it('keeps e-mails unique within the partner, and lets a customer keep its own in another case', async () => {
    const taken = uniqueEmail()
    await create({ email: taken })
    const email = uniqueEmail()
    const id = await create({ email })
    expect(await patch(id, { email: taken.toUpperCase() })).toMatchObject({
      status: 400,
      body: { field: 'email' }
    })
    expect(await patch(id, { email: email.toUpperCase() })).toMatchObject({ status: 200 })
    expect((await get(`/customers?search=${email}`)).body).toMatchObject({ data: [{ id }] })
  })

  it('lets one of two customers win that change to the same e-mail at once', async () => {
    const email = uniqueEmail()
    const ids = await Promise.all(Array.from({ length: 6 }, () => create()))
    const statuses = await Promise.all(ids.map(async (id) => (await patch(id, { email })).status))
    expect(statuses.toSorted()).toEqual([200, 400, 400, 400, 400, 400])
  })

  it('takes credit plans of the partner only', async () => {
    const id = await create()
    const stranger = await makePartner(server.service)
    const mine = await makePlan(server.service, partner.partnerId, 'credit')
    expect(await patch(id, { creditPlanIds: [mine] })).toMatchObject({
      body: { data: { creditPlanIds: [mine] } }
    })
    const others = [
      await makePlan(server.service, stranger.partnerId, 'credit'),
      await makePlan(server.service, partner.partnerId, 'subscription'),
      'pln_nothing'
    ]
    for (const planId of others) {
      expect(await patch(id, { creditPlanIds: [mine, planId] })).toMatchObject({
        status: 400,
        body: { field: 'creditPlanIds' }
      })
    }
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('refuses a field that it doesn’t know by name, and changes nothing', async () => {
    const id = await create({ firstName: 'Ada' })
    for (const unknown of [
      'orderStatus',
      'firstname',
      'id',
      'credentialStatus',
      'estimatedPrice',
      '__proto__'
    ]) {
      const { status, body } = await server.api('PATCH', `/customers/${id}`, {
        key: partner.key,
        rawBody: `{"firstName":"Eve","${unknown}":"x"}`
      })
      expect([status, at(body, 'field')]).toEqual([400, unknown])
    }
    expect((await get(`/customers/${id}`)).body).toMatchObject({ data: { firstName: 'Ada' } })
  })

  it('takes the catalog’s apps only', async () => {
    const id = await create()
    for (const allowedApps of [['crm'], ['cli-agent', 'crm'], ['CLI-agent'], [' cli-agent'], ['']]) {
      expect(await patch(id, { allowedApps })).toMatchObject({
        status: 400,
        body: { field: `allowedApps.${allowedApps.length - 1}` }
      })
    }
    expect((await get(`/customers/${id}`)).body).toMatchObject({
      data: { allowedApps: ['cli-agent', 'shell-agent'] }
    })
  })

  it('keeps each app, language and credit plan once, in the order in which they came', async () => {
    const planId = await makePlan(server.service, partner.partnerId, 'credit')
    const sent = {
      allowedApps: ['cli-agent', 'cli-agent'],
      languages: ['fr', 'de', 'fr', 'DE'],
      creditPlanIds: [planId, planId]
    }
    const once = { allowedApps: ['cli-agent'], languages: ['fr', 'de', 'DE'], creditPlanIds: [planId] }
    expect(await patch(await create(), sent)).toMatchObject({ status: 200, body: { data: once } })
  })

  it('refuses null where a value must be', async () => {
    const id = await create()
    for (const field of [
      'email',
      'maxTeamMembers',
      'enableAiMemory',
      'billingType',
      'deploymentStatus',
      'allowedApps'
    ]) {
      expect(await patch(id, { [field]: null })).toMatchObject({ status: 400, body: { field } })
    }
  })

  it.each(['agent_ready', 'completed'])(
    'makes the order active when the deployment is %s',
    async (deploymentStatus) => {
      const id = await create()
      expect(at((await patch(id, { deploymentStatus: 'started' })).body, 'data', 'orderStatus')).toBe('new')
      expect(at((await patch(id, { deploymentStatus })).body, 'data', 'orderStatus')).toBe('active')
      expect(at((await patch(id, { deploymentStatus: 'pending' })).body, 'data', 'orderStatus')).toBe(
        'active'
      )
    }
  )

  it('answers timestamps in UTC whatever zone they came in', async () => {
    const { body } = await patch(await create(), { deploymentCompletedAt: '2026-05-01T12:00:00+02:00' })
    expect(at(body, 'data', 'deploymentCompletedAt')).toBe('2026-05-01T10:00:00.000Z')
  })

  it('is found by the short code as by the id', async () => {
    const id = await create()
    const code = stringAt((await get(`/customers/${id}`)).body, 'data', 'customerId')
    expect(code).toMatch(/^C-[0-9A-HJKMNP-TV-Z]{8}$/)
    expect((await get(`/customers/${code.toLowerCase()}`)).body).toMatchObject({ data: { id } })
  })
})
