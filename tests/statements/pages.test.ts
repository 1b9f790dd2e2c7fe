// Statements on the pages of both sites: who has them, what files they come as, and that nobody reaches another's.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enterConsole, formOn } from '../portal/console-visitor.ts'
import { makePortalCustomer, makeTeamMate, type PortalCustomer, textOf } from '../portal/customer-visitors.ts'
import { startSites } from '../portal/sites.ts'
import { at, makePartner, stringAt, type TestPartner } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { lineOf, makeClosedStatement, makeOverdueStatement, post } from '../support/statements.ts'

describe('statements', () => {
  let server: TestServer
  let partner: TestPartner
  let ada: PortalCustomer
  let statementId: string
  const debtor = () => ({ partnerId: partner.partnerId, customerId: ada.customerId })
  beforeAll(async () => {
    server = await startSites('sqlite')
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    partner = await makePartner(server.service)
    ada = await makePortalCustomer(server, partner, { enableTeamMembers: true })
    const lines = [
      lineOf({ amountMicros: 1_500_000, description: '=HYPERLINK("http://evil.example")' }),
      lineOf({ amountMicros: -250_000, kind: 'adjustment', description: 'Outage, "May"', durationMs: null })
    ]
    statementId = await makeClosedStatement(server.service, debtor(), { lines, month: '2026-05' })
  })

  it('are listed for owner and admins, each with its period, its sums and its lines', async () => {
    const admin = await makeTeamMate(server, partner, ada.customerId, 'admin')
    for (const { get } of [ada.owner, admin.browser]) {
      const list = textOf((await get('/statements')).html)
      expect(list).toContain('Statement 1 1 May 2026 – 31 May 2026 Closed $1.25')
      const { status, html } = await get(`/statements/${statementId}`)
      expect(status).toBe(200)
      for (const text of ['1 May 2026 – 31 May 2026 (UTC)', '$1.25', 'Adjustments 1 -$0.25', 'Outage, "May"'])
        expect(textOf(html)).toContain(text)
      expect(html).not.toContain('/bill')
    }
  })

  it('are nothing that members see', async () => {
    const { browser } = await makeTeamMate(server, partner, ada.customerId, 'member')
    for (const path of ['', `/${statementId}`, `/${statementId}/csv`, `/${statementId}/json`])
      expect((await browser.get(`/statements${path}`)).status).toBe(404)
    expect((await browser.get('')).html).not.toContain('/statements')
  })

  it('come as CSV that no spreadsheet runs, and as JSON Lines', async () => {
    const csv = await ada.owner.get(`/statements/${statementId}/csv`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="${statementId}.csv"`)
    const [head, call, adjustment] = csv.html.split('\r\n')
    expect(head).toContain('number,occurredAt,kind,description,durationSeconds,amount,currency,reference')
    expect(call).toMatch(/,call,"'=HYPERLINK\(""http:\/\/evil.example""\)",60,1.5,USD,ref_\w+$/)
    expect(adjustment).toMatch(/,adjustment,"Outage, ""May""",,-0.25,USD,ref_\w+$/)
    const json = await ada.owner.get(`/statements/${statementId}/json`)
    const lines = json.html.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ amount: 1.5 }, { amount: -0.25 }])
  })

  it('are billed and taken back in the console, once each', async () => {
    const console = await enterConsole(server, partner)
    const page = () => console.get(`/statements/${statementId}`)
    const bill = `/console/statements/${statementId}/bill`
    const { fields } = formOn(await page(), bill)
    for (let click = 0; click < 2; click += 1)
      expect((await console.submit(bill, fields)).text).toContain('Statement 1 was marked as billed.')
    expect((await page()).text).toContain('Billed')
    const takeBack = `/console/statements/${statementId}/void`
    const taken = await console.submit(takeBack, formOn(await page(), takeBack).fields)
    expect(taken.text).toContain('Statement 1 was taken back.')
    const again = await console.submit(takeBack)
    expect(again.text).toContain('Statement 1 can’t be taken back: it was taken back.')
    const billing = (await console.get(`/customers/${ada.customerId}/billing`)).text
    expect(billing).toContain('$1.25 not billed yet')
    expect(billing).toContain('Taken back $1.25')
  })

  it('of all customers are listed in the console by state', async () => {
    const console = await enterConsole(server, partner)
    await makeOverdueStatement(server.service, debtor(), { month: '2026-06' })
    expect((await console.get('/statements')).text).toMatch(
      /Draft statement Ada Byron 1 Jun 2026.* Statement 1 Ada Byron 1 May/
    )
    const closed = (await console.get('/statements?status=closed')).text
    expect(closed).toContain('31 May 2026')
    expect(closed).not.toContain('30 Jun 2026')
    expect((await console.get('/statements?status=soon&page=x')).status).toBe(200)
  })

  it('of more lines than a page takes say that the file has them', async () => {
    const lines = Array.from({ length: 301 }, () => lineOf({ description: 'One of many' }))
    await post(server.service, debtor(), ...lines)
    const { data } = JSON.parse(
      JSON.stringify((await server.api('GET', '/statements?status=draft', { key: partner.key })).body)
    )
    const { html } = await ada.owner.get(`/statements/${stringAt(data, 0, 'statementId')}`)
    expect(textOf(html)).toContain('301 lines are too many for a page: the CSV has them all.')
    expect(html.split('One of many').length).toBeLessThan(4)
  })

  it('are nobody else’s: not another customer’s, and not another partner’s', async () => {
    const bob = await makePortalCustomer(server, partner)
    const other = await makePartner(server.service)
    const stranger = await enterConsole(server, other)
    for (const path of ['', '/csv', '/json']) {
      expect((await bob.owner.get(`/statements/${statementId}${path}`)).status).toBe(404)
      expect((await stranger.get(`/statements/${statementId}${path}`)).status).toBe(404)
    }
    for (const act of ['bill', 'void']) {
      expect((await stranger.post(`/statements/${statementId}/${act}`)).status).toBe(404)
      expect((await ada.owner.post(`/statements/${statementId}/${act}`)).status).toBe(404)
    }
    expect((await stranger.get('/statements')).text).not.toContain('Ada')
    expect((await bob.owner.get('/statements')).html).not.toContain(statementId)
    const ofBob = `?customerId=${bob.customerId}`
    for (const path of [`/statements/${statementId}${ofBob}`, `/statements/${statementId}/lines${ofBob}`])
      expect((await server.api('GET', path, { key: partner.key })).status).toBe(404)
    expect((await server.api('GET', `/statements/${statementId}/lines`, { key: other.key })).status).toBe(404)
    const mcp = await fetch(`${server.url}/api/partner-mcp/tools/statement_get`, {
      method: 'POST',
      headers: { authorization: `Bearer ${other.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ statementId })
    })
    expect([mcp.status, at(await mcp.json(), 'code')]).toEqual([404, 'statement_not_found'])
    const state = server.service.database.read.selectFrom('statement').where('id', '=', statementId)
    expect(await state.select('status').executeTakeFirst()).toEqual({ status: 'closed' })
  })

  it('of 50,000 lines stream page by page: what waits for its reader is a page', async () => {
    const { service } = server
    for (let batch = 0; batch < 25; batch += 1)
      await post(service, debtor(), ...Array.from({ length: 2_000 }, () => lineOf()))
    const { body } = await server.api('GET', '/statements?status=draft', { key: partner.key })
    const id = stringAt(body, 'data', 0, 'statementId')
    const { base, cookie } = ada.owner.identity
    const answer = await fetch(`${base}/statements/${id}/csv`, { headers: { cookie } })
    let [lines, bytes, peak] = [0, 0, 0]
    const before = heldBytes()
    for await (const chunk of answer.body ?? []) {
      for (const byte of chunk) if (byte === 10) lines += 1
      // Collecting takes a while; some twenty looks are enough.
      if (Math.floor(bytes / 250_000) < Math.floor((bytes + chunk.length) / 250_000))
        peak = Math.max(peak, heldBytes() - before)
      bytes += chunk.length
    }
    expect(lines).toBe(50_001)
    expect(bytes).toBeGreaterThan(4_000_000)
    // All of them would be some 6 MB of text, and more as objects.
    expect(peak).toBeLessThan(3_000_000)
  }, 60_000)
})

/** Once nothing is left that could be collected. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
