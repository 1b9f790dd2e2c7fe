// What is done to a customer, and what happened to it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilErased } from '../../src/customers/erasing.ts'
import { makePartner, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { customersInConsole } from './console-customers.ts'
import { type ConsoleBrowser, enterConsole } from './console-visitor.ts'

let server: TestServer
let browser: ConsoleBrowser

beforeAll(async () => {
  server = await startTestServer('sqlite')
  browser = await enterConsole(server, server.partner)
})
afterAll(() => server.close())

const { act, makeCustomer, customer, pathOf } = customersInConsole(() => server)

describe('what happened to a customer', () => {
  it('is told on its timeline, whoever did it and to what of it, removed or not', async () => {
    const customerId = await makeCustomer()
    const other = await makeCustomer()
    const added = await act('team_member_add', { customerId, email: uniqueEmail(), name: 'Grace' })
    await act('team_member_add', { customerId: other, email: uniqueEmail(), name: 'Ida' })
    const { customerId: code } = Object(await customer(customerId))
    const teamMemberId = stringAt(added, 'data', 'id')
    await act('team_member_remove', { customerId: code, teamMemberId })
    await act('customer_token_mint', { customerId, name: 'Cursor', scopes: ['memory:read'] })
    const { html, text } = await browser.get(pathOf(customerId, 'timeline'))
    const acts = [...html.matchAll(/<b title="([a-z_]+)">/g)].map(([, name]) => name)
    expect(acts).toEqual([
      'customer_token_mint',
      'team_member_remove',
      'team_member_add',
      'customer_update',
      'customer_create'
    ])
    expect(text).toContain('Timeline')
    const { data } = await act('audit_list', { customerId: code })
    expect(data).toHaveLength(5)
  })

  it('is by the short code of the partner’s own customer, whoever else has the same', async () => {
    const { service } = server
    const [customerId, rival] = [await makeCustomer(), await makePartner(service)]
    const made = await run(service, rival.partnerId, 'customer_create', { email: uniqueEmail() })
    const theirs = stringAt(made, 'data', 'id')
    const { customerId: code } = Object(await customer(customerId))
    await service.database.transaction((tx) =>
      tx.updateTable('customer').set({ code }).where('id', '=', theirs).execute()
    )
    for (const { partnerId } of [server.partner, rival])
      await run(service, partnerId, 'team_member_add', {
        customerId: code,
        email: uniqueEmail(),
        name: 'Grace'
      })
    const actsOf = async (partnerId: string, id: string) =>
      [(await run(service, partnerId, 'audit_list', { customerId: id })).data].flat().length
    expect(await actsOf(server.partner.partnerId, customerId)).toBe(3)
    expect(await actsOf(rival.partnerId, theirs)).toBe(2)
  })

  it('is nobody else’s, and gone with the customer', async () => {
    const { service } = server
    const customerId = await makeCustomer()
    const rival = await makePartner(service)
    await expect(run(service, rival.partnerId, 'audit_list', { customerId })).rejects.toMatchObject({
      code: 'customer_not_found'
    })
    const { customerId: confirm } = Object(await customer(customerId))
    await act('customer_erase', { customerId, confirm })
    await untilErased({ database: service.database, config: service.config })
    const acts = service.database.read.selectFrom('audit').where('customerId', '=', customerId).selectAll()
    expect(await acts.execute()).toEqual([])
  })
})

describe('a team invite', () => {
  it('is sent again with a new link, while nobody took it', async () => {
    const customerId = await makeCustomer()
    const email = uniqueEmail()
    const added = await act('team_member_add', { customerId, email, name: 'Grace' })
    const teamMemberId = stringAt(added, 'data', 'id')
    const linksOf = () =>
      server.service.database.read
        .selectFrom('accessLink')
        .where('teamMemberId', '=', teamMemberId)
        .select('tokenHash')
        .execute()
    const before = await linksOf()
    const again = pathOf(customerId, 'team', teamMemberId, 'resend')
    expect((await browser.submit(again)).text).toContain('A new invite is on its way.')
    const after = await linksOf()
    expect([before.length, after.length]).toEqual([1, 1])
    expect(after).not.toEqual(before)

    const rival = await enterConsole(server, await makePartner(server.service))
    expect((await rival.post(again)).status).toBe(404)
    const other = await makeCustomer()
    expect((await browser.post(pathOf(other, 'team', teamMemberId, 'resend'))).status).toBe(404)
    await server.service.database.transaction((tx) =>
      tx.updateTable('teamMember').set({ status: 'active' }).where('id', '=', teamMemberId).execute()
    )
    expect((await browser.get(pathOf(customerId, 'team'))).html).not.toContain(again)
    expect((await browser.post(again)).status).toBe(404)
    expect(await linksOf()).toEqual(after)
  })
})
