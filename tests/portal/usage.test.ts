// Usage on the pages of both sites: who has them, what they show of whose calls, and what providers' words do there.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeCall } from '../support/calls.ts'
import { makePartner, run, type TestPartner } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { enterConsole, formOn, type PageAnswer } from './console-visitor.ts'
import { makePortalCustomer, makeTeamMate, type PortalCustomer, textOf } from './customer-visitors.ts'
import { startSites } from './sites.ts'

describe('usage', () => {
  let server: TestServer
  let partner: TestPartner
  let ada: PortalCustomer
  beforeAll(async () => {
    server = await startSites('sqlite')
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    partner = await makePartner(server.service)
    ada = await makePortalCustomer(server, partner, {
      enableAdvancedAnalytics: true,
      enableTeamMembers: true
    })
  })

  const call = (given: Parameters<typeof makeCall>[2]) => makeCall(server.service, partner.partnerId, given)
  const set = (terms: { showsCosts?: 1; showsRecordings?: 1; timeZone?: string }) =>
    server.service.database.transaction((tx) =>
      tx.updateTable('partner').set(terms).where('id', '=', partner.partnerId).execute()
    )
  const recordingUrl = 'https://example.com/call.wav'

  it('shows the owner its calls in the partner’s time zone, and what it owes', async () => {
    await set({ timeZone: 'Pacific/Kiritimati' })
    await call({
      customerId: ada.customerId,
      endedAt: '2026-03-01T10:05:00.000Z',
      durationMs: 3_665_000,
      recordingUrl
    })
    await call({ customerId: ada.customerId, costMicros: null })
    const { status, html } = await ada.owner.get('/usage')
    expect(status).toBe(200)
    const text = textOf(html)
    expect(text).toContain('2 Mar 2026, 00:05')
    expect(text).toContain(`Agent asst-${ada.customerId} Customer ended call 1:01:05 $0.1400`)
    expect(text).toContain('Pending')
    expect(text).toContain('$0.14 Not billed yet')
    expect(textOf((await ada.owner.get('')).html)).toContain('$0.14 owed, not billed yet')
  })

  it('shows a customer neither cost, multiplier nor recording, unless the partner lets it see those', async () => {
    await call({ customerId: ada.customerId, costMicros: 3_000_000, recordingUrl })
    const before = await ada.owner.get('/usage')
    expect(before.html).toContain('$4.2000')
    for (const secret of ['$3.00', 'Cost', 'Margin', '1.4<', 'Multiplier', recordingUrl])
      expect(before.html).not.toContain(secret)
    await set({ showsCosts: 1, showsRecordings: 1 })
    const after = await ada.owner.get('/usage')
    expect(after.html).toContain('$3.0000')
    expect(after.html).toContain(`href="${recordingUrl}" target="_blank" rel="noopener noreferrer"`)
    expect(after.html).not.toMatch(/Margin|Multiplier/)
  })

  it('has no page for members, nor for anybody where analytics is off', async () => {
    const admin = await makeTeamMate(server, partner, ada.customerId, 'admin')
    const member = await makeTeamMate(server, partner, ada.customerId, 'member')
    expect((await admin.browser.get('/usage')).status).toBe(200)
    expect((await member.browser.get('/usage')).status).toBe(404)
    expect((await member.browser.get('')).html).not.toContain('not billed yet')
    await run(server.service, partner.partnerId, 'customer_update', {
      customerId: ada.customerId,
      enableAdvancedAnalytics: false
    })
    expect((await ada.owner.get('/usage')).status).toBe(404)
    expect((await ada.owner.get('')).html).not.toContain('not billed yet')
  })

  it('finds calls by the days that the filter says, and shows all where it makes no sense', async () => {
    const ended = ['2026-03-01', '2026-03-02', '2026-03-03']
    for (const day of ended)
      await call({ customerId: ada.customerId, endedAt: `${day}T12:00:00.000Z`, outcome: `on-${day}` })
    const shown = async (query: string) => {
      const { status, html } = await ada.owner.get(`/usage?${query}`)
      return [status, ...ended.map((day) => html.includes(`On ${day.replaceAll('-', ' ')}`))]
    }
    expect(await shown('from=2026-03-02&to=2026-03-02')).toEqual([200, false, true, false])
    expect(await shown('from=2026-03-03&to=2026-03-01')).toEqual([200, false, false, false])
    expect(await shown('from=soon&page=x')).toEqual([200, true, true, true])
  })

  it('shows what providers say as text, however long and whatever it spells', async () => {
    const evil = '<img src=x onerror=alert(1)>'
    await call({
      customerId: ada.customerId,
      outcome: evil + '=cmd()'.repeat(2_000),
      agentId: `${evil}-agent`
    })
    await call({ agentId: evil, outcome: evil })
    const console = await enterConsole(server, partner)
    const pages = [
      await ada.owner.get('/usage'),
      await console.get('/usage'),
      await console.get(`/customers/${ada.customerId}/usage`)
    ]
    for (const { status, html } of pages) {
      expect(status).toBe(200)
      expect(html).not.toContain('<img src=x')
      expect(html.length).toBeLessThan(60_000)
    }
  })

  it('shows the partner revenue, cost and margin of all customers, and none of another partner', async () => {
    const other = await makePartner(server.service)
    await call({ customerId: ada.customerId, costMicros: 5_000_000 })
    const text = (await (await enterConsole(server, partner)).get('/usage')).text
    for (const figure of [
      '$7.00 Charged',
      '$5.00 Cost',
      '$2.00 Margin',
      '$7.00 Not billed yet',
      'Ada Byron 1 1'
    ])
      expect(text).toContain(figure)
    const theirs = await enterConsole(server, other)
    expect((await theirs.get('/usage')).text).toContain('$0.00 Charged')
    expect((await theirs.get(`/customers/${ada.customerId}/usage`)).status).toBe(404)
  })

  it('assigns calls of nobody to a customer, back to the first of them', async () => {
    await call({ agentId: 'a/b c', endedAt: '2026-03-01T10:00:00.000Z', costMicros: 2_000_000 })
    await call({ agentId: 'a/b c', costMicros: 1_000_000 })
    await call({ agentId: null })
    const console = await enterConsole(server, partner)
    const usage = await console.get('/usage')
    expect(usage.text).toContain('a/b c Vapi 2 2 $3.00')
    expect((await console.get('')).text).toContain('3 calls that no customer is charged for')
    const whose = '/usage/assign/a%3Aa%2Fb%20c/2026-03-01T10%3A00%3A00.000Z'
    expect(usage.html).toContain(`href="/console${whose}"`)
    const [, form = ''] = (await console.get(whose)).html.match(/href="([^"]*voice-agents\?[^"]*)"/) ?? []
    const { action: map, fields } = mappingOn(await console.get(form.replaceAll('&amp;', '&')), ada)
    expect(fields).toMatchObject({
      agent: 'a:a/b c',
      since: '2026-03-01T10:00:00.000',
      profitMultiplier: '1'
    })
    const refused = await console.post(map, { ...fields, profitMultiplier: '0' })
    expect(refused.status).toBe(400)
    const done = await console.submit(map, { ...fields, profitMultiplier: '1.5' })
    expect(done.text).toContain('The agent is mapped.')
    const period = await server.service.database.read
      .selectFrom('voiceAgentPeriod')
      .where('partnerId', '=', partner.partnerId)
      .select(['agentId', 'customerId', 'startsAt', 'multiplierMicros'])
      .executeTakeFirst()
    expect(period).toEqual({
      agentId: 'a/b c',
      customerId: ada.customerId,
      startsAt: '2026-03-01T10:00:00.000Z',
      multiplierMicros: 1_500_000
    })
  })

  it('offers calls from before a mapping to whose agent it is, at its multiplier', async () => {
    await call({ agentId: 'desk' })
    const mapping = { agentId: 'desk', customerId: ada.customerId, profitMultiplier: 1.7 }
    await run(server.service, partner.partnerId, 'voice_a_agent_map_customer', mapping)
    const console = await enterConsole(server, partner)
    const [, form = ''] = (await console.get('/usage')).html.match(/href="([^"]*)"[^>]*>Assign/) ?? []
    const { fields } = mappingOn(await console.get(form.replaceAll('&amp;', '&')), ada)
    expect(fields).toMatchObject({ agent: 'a:desk', profitMultiplier: '1.7' })
  })

  it('says how far calls are read, and on the dashboard where that has stopped or is behind', async () => {
    const console = await enterConsole(server, partner)
    expect((await console.get('/usage')).text).toContain('No calls are read yet')
    const readAt = new Date().toISOString()
    // By nobody who would read: what is due is taken by whoever looks first.
    const held = { leaseOwner: 'somebody', leaseExpiresAt: '2126-01-01T00:00:00.000Z' }
    await server.service.database.transaction((tx) =>
      tx
        .insertInto('usageSync')
        .values([
          {
            ...{ partnerId: partner.partnerId, provider: 'a', position: '{}', failures: 1, dueAt: null },
            ...{ lastDoneAt: readAt, syncedTo: readAt, lastError: 'Vapi refuses the key.' },
            ...held
          },
          {
            ...{ partnerId: partner.partnerId, provider: 'b', position: '{}', failures: 0, dueAt: readAt },
            ...{ lastDoneAt: readAt, syncedTo: '2026-03-01T00:00:00.000Z', lastError: null },
            ...held
          }
        ])
        .execute()
    )
    const { text } = await console.get('/usage')
    expect(text).toContain('Vapi Stopped now now Vapi refuses the key.')
    expect(text).toContain('Retell Behind now 1 Mar 2026')
    const dashboard = await console.get('')
    expect(dashboard.text).toContain('Calls of Vapi aren’t read as they should be Stopped')
    expect(dashboard.text).toContain('Calls of Retell aren’t read as they should be Behind')
    await server.service.database.transaction((tx) =>
      tx
        .updateTable('usageSync')
        .set({ dueAt: readAt, lastDoneAt: null, syncedTo: null, lastError: null })
        .where('partnerId', '=', partner.partnerId)
        .where('provider', '=', 'a')
        .execute()
    )
    expect((await console.get('/usage')).text).toContain('Vapi Not read yet – – –')
    const other = await enterConsole(server, await makePartner(server.service))
    expect((await other.get('/usage')).text).not.toContain('Vapi refuses')
  })

  it('assigns neither calls of an agent that there isn’t, nor any to another partner’s customer', async () => {
    await call({ agentId: 'desk' })
    const other = await makePartner(server.service)
    const theirs = await makePortalCustomer(server, other)
    const console = await enterConsole(server, partner)
    for (const [{ customerId }, agent] of [
      [ada, 'a:none'],
      [theirs, 'a:desk']
    ] as const) {
      const map = `/customers/${customerId}/voice-agents/map`
      expect((await console.post(map, { agent, profitMultiplier: '1' })).status).toBeGreaterThanOrEqual(400)
    }
    expect((await console.get(`/customers/${theirs.customerId}/voice-agents?agent=a:desk`)).status).toBe(404)
    const periods = server.service.database.read.selectFrom('voiceAgentPeriod').select('agentId')
    expect(await periods.where('partnerId', 'in', [partner.partnerId, other.partnerId]).execute()).toEqual([])
  })
})

/** The form that maps an agent, as it stands. */
function mappingOn(page: PageAnswer, { customerId }: PortalCustomer) {
  const html = page.html.slice(page.html.indexOf('<form id="map"'))
  return formOn({ ...page, html }, `/console/customers/${customerId}/voice-agents/map`)
}
