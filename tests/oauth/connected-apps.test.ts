// Apps that were connected: who sees them where, and who ends them.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectApp, endApps } from '../../src/connected-apps/store.ts'
import { enterConsole } from '../portal/console-visitor.ts'
import { type SiteClient, siteClient } from '../portal/site-client.ts'
import { startSites } from '../portal/sites.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, run, type TestPartner } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import {
  callGateway,
  connect,
  makeOwner,
  type Owner,
  refresh,
  sendForm,
  signedIn,
  type Tokens
} from './by-hand.ts'
import { makeStaff } from './people.ts'

describe.each(databases)('a connected app on %s', (kind) => {
  let server: TestServer
  let stranger: TestPartner
  let ada: Owner
  let bob: Owner
  let eve: Owner
  beforeAll(async () => {
    server = await startSites(kind)
    stranger = await makePartner(server.service)
    ada = await makeOwner(server)
    bob = await makeOwner(server)
    eve = await makeOwner(server, stranger)
  })
  afterAll(() => server.close())

  const appsOf = async (customerId: string, partner = server.partner) => {
    const { data } = await run(server.service, partner.partnerId, 'customer_app_list', { customerId })
    return Array.isArray(data) ? data : []
  }
  const newestOf = async (customerId: string): Promise<string> =>
    String(at((await appsOf(customerId))[0], 'appId'))
  const callWith = ({ accessToken }: Tokens, gateway: '/api/mcp' | '/api/partner-mcp' = '/api/mcp') =>
    callGateway(server.url, gateway, accessToken)
  const portalOf = (owner: Owner, partner = server.partner): Promise<SiteClient> =>
    signedIn(server.url, owner, partner.slug)

  it('is listed with its name, its client, who connected it and what it may', async () => {
    const { clientId } = await connect(server.url, ada)
    const [app] = await appsOf(ada.customerId)
    expect(app).toMatchObject({
      clientId,
      clientName: 'Test assistant',
      email: ada.email,
      scopes: ['memory:read', 'memory:write'],
      lastUsedAt: null
    })
  })

  it('is ended where it is listed: agents’ page, account, console, and by the operation', async () => {
    const base = `/portal/${server.partner.slug}`
    const browser = await portalOf(ada)
    const console = await enterConsole(server, server.partner)
    const ways = {
      [`${base}/agents`]: (appId: string) => browser.post(`${base}/agents/apps/${appId}/end`, { form: {} }),
      [`${base}/account`]: (appId: string) => browser.post(`${base}/account/apps/${appId}/end`, { form: {} }),
      [`/console/customers/${ada.customerId}/tokens`]: (appId: string) =>
        console.post(`/customers/${ada.customerId}/tokens/apps/${appId}/end`)
    }
    for (const [page, end] of Object.entries(ways)) {
      const tokens = await connect(server.url, ada)
      const appId = await newestOf(ada.customerId)
      const shown = page.startsWith('/console')
        ? (await console.get(page)).html
        : (await browser.get(page)).text
      expect([page, shown.includes(`/apps/${appId}/end`)]).toEqual([page, true])
      expect(await callWith(tokens)).toBe(200)
      expect([page, (await end(appId)).status]).toEqual([page, 303])
      expect([page, await callWith(tokens)]).toEqual([page, 401])
    }
    const tokens = await connect(server.url, ada)
    const appId = await newestOf(ada.customerId)
    await run(server.service, server.partner.partnerId, 'customer_app_end', {
      customerId: ada.customerId,
      appId
    })
    expect(await callWith(tokens)).toBe(401)
    expect((await appsOf(ada.customerId)).map((one) => at(one, 'appId'))).not.toContain(appId)
  })

  it('of the partner’s own people is listed and ended beside its keys, and nowhere else', async () => {
    const tokens = await connect(server.url, await makeStaff(server, server.partner), 'partner')
    const console = await enterConsole(server, server.partner)
    const [, appId = ''] = /keys\/apps\/(app_\w+)\/end/.exec((await console.get('/keys')).html) ?? []
    expect(appId).not.toBe('')
    const strangers = await enterConsole(server, stranger)
    expect((await strangers.get('/keys')).html).not.toContain(appId)
    await strangers.post(`/keys/apps/${appId}/end`)
    expect(await callWith(tokens, '/api/partner-mcp')).toBe(200)
    expect((await console.post(`/keys/apps/${appId}/end`)).status).toBe(303)
    expect(await callWith(tokens, '/api/partner-mcp')).toBe(401)
  })

  it('is neither seen nor ended by another customer or another partner', async () => {
    const tokens = await connect(server.url, ada)
    const appId = await newestOf(ada.customerId)
    const base = `/portal/${server.partner.slug}`
    const bobs = await portalOf(bob)
    const eves = await portalOf(eve, stranger)
    const strangers = await enterConsole(server, stranger)
    for (const path of [`${base}/agents`, `${base}/account`]) {
      expect((await bobs.get(path)).text).not.toContain(appId)
      await bobs.post(`${path}/apps/${appId}/end`, { form: {} })
    }
    await eves.post(`/portal/${stranger.slug}/agents/apps/${appId}/end`, { form: {} })
    await eves.post(`/portal/${stranger.slug}/account/apps/${appId}/end`, { form: {} })
    await strangers.post(`/customers/${ada.customerId}/tokens/apps/${appId}/end`)
    await strangers.post(`/customers/${eve.customerId}/tokens/apps/${appId}/end`)
    await strangers.post(`/keys/apps/${appId}/end`)
    const ended = (customerId: string, partner: TestPartner) =>
      run(server.service, partner.partnerId, 'customer_app_end', { customerId, appId })
    await expect(ended(bob.customerId, server.partner)).rejects.toMatchObject({ code: 'app_not_found' })
    await expect(ended(eve.customerId, stranger)).rejects.toMatchObject({ code: 'app_not_found' })
    await expect(ended(ada.customerId, stranger)).rejects.toMatchObject({ code: 'customer_not_found' })
    const asPartners = run(server.service, server.partner.partnerId, 'partner_app_end', { appId })
    await expect(asPartners).rejects.toMatchObject({ code: 'app_not_found' })
    expect(await callWith(tokens)).toBe(200)
    expect((await siteClient(server.url).get(`${base}/account`)).status).toBe(303)
  })

  it('is named in the audit log by person and client, also once it has ended', async () => {
    const tokens = await connect(server.url, ada)
    const appId = await newestOf(ada.customerId)
    await callGateway(server.url, '/api/mcp', tokens.accessToken)
    await run(server.service, server.partner.partnerId, 'customer_app_end', {
      customerId: ada.customerId,
      appId
    })
    const { data } = await run(server.service, server.partner.partnerId, 'audit_list', { targetId: appId })
    expect(data).toMatchObject([
      { action: 'customer_app_end', targetType: 'connected_app', fields: ['revokedAt'] },
      { action: 'app_connect', actorName: ada.email, targetType: 'connected_app', fields: ['scopes'] }
    ])
  })

  it('is named in the audit log where its own person ended it, or the app itself did', async () => {
    const base = `/portal/${server.partner.slug}`
    const browser = await portalOf(ada)
    const actsOn = async (targetId: string) =>
      (await run(server.service, server.partner.partnerId, 'audit_list', { targetId })).data
    await connect(server.url, ada)
    const byPerson = await newestOf(ada.customerId)
    await browser.post(`${base}/account/apps/${byPerson}/end`, { form: {} })
    expect(await actsOn(byPerson)).toMatchObject([
      { action: 'app_end', actorName: ada.email },
      { action: 'app_connect' }
    ])
    const { clientId, refreshToken } = await connect(server.url, ada)
    const byItself = await newestOf(ada.customerId)
    await sendForm(server.url, '/oauth/revoke', { client_id: clientId, token: refreshToken })
    expect(await actsOn(byItself)).toMatchObject([
      { action: 'app_end', actorName: `${ada.email} by Test assistant` },
      { action: 'app_connect' }
    ])
  })

  it('is told of in words on the console’s page of the log, and shows on a phone, too, what it may', async () => {
    await connect(server.url, ada)
    const console = await enterConsole(server, server.partner)
    const { text } = await console.get('/audit')
    expect(text).toContain('Connect an app')
    expect(text).not.toContain('app_connect')
    const { html } = await console.get(`/customers/${ada.customerId}/tokens`)
    const [may = ''] = /<td[^>]*data-label="May"[^>]*>/.exec(html.slice(html.indexOf('Connected apps'))) ?? []
    expect(may).not.toBe('')
    expect(may).not.toContain('wide')
  })

  it('is one of fifty at most: one more ends the one that was used longest ago', async () => {
    const { database } = server.service
    const { partnerId } = server.partner
    const { identityId } = await database.read
      .selectFrom('customer')
      .where('id', '=', bob.customerId)
      .select('ownerIdentityId as identityId')
      .executeTakeFirstOrThrow()
    const person = { identityId: identityId ?? '' }
    const used = await connect(server.url, bob)
    const unused = await connect(server.url, bob)
    const added = (clientName: string) =>
      database.transaction((tx) =>
        connectApp(tx, partnerId, {
          person,
          membership: { customerId: bob.customerId, teamMemberId: null },
          client: { clientId: 'https://app.example/client.json', clientName },
          scopes: ['memory:read'],
          requestId: 'req_test'
        })
      )
    for (let n = 2; n < 50; n += 1) await added(`number ${n}`)
    expect(await refresh(server.url, unused.clientId, unused.refreshToken)).toMatchObject({ status: 200 })
    expect(await callWith(used)).toBe(200)
    await vi.waitFor(async () =>
      expect((await appsOf(bob.customerId)).find((app) => at(app, 'lastUsedAt'))).toBeDefined()
    )
    await added('one more')
    expect(await callWith(used)).toBe(200)
    expect(await callWith(unused)).toBe(401)
    expect(await database.transaction((tx) => endApps(tx, partnerId, person))).toBe(50)
  })

  it('is no longer listed once it has nothing to go on with', async () => {
    const { clientId } = await connect(server.url, ada)
    const listed = async () => (await appsOf(ada.customerId)).some((app) => at(app, 'clientId') === clientId)
    expect(await listed()).toBe(true)
    await server.service.database.transaction((tx) =>
      tx
        .updateTable('oauthRecord')
        .set({ expiresAt: '2020-01-01T00:00:00.000Z' })
        .where('kind', '<>', 'Grant')
        .execute()
    )
    expect(await listed()).toBe(false)
  })
})

it('tells in its metadata what may be asked for', async () => {
  const server = await startSites('sqlite')
  const answer = await fetch(`${server.url}/.well-known/oauth-authorization-server`)
  expect(await answer.json()).toMatchObject({
    issuer: server.url,
    scopes_supported: expect.arrayContaining(['memory:read', 'memory:write']),
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true
  })
  await server.close()
})
