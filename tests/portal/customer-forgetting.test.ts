// Forgetting one memory on its pages, and undoing that: in the portal and in the console.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, makeMemory, run, stringAt } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { enterConsole } from './console-visitor.ts'
import { makePortalCustomer, textOf } from './customer-visitors.ts'

describe('forgetting on a page', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  const as = (name: string, input: Record<string, unknown>) =>
    run(server.service, server.partner.partnerId, name, input)

  async function makeRemembering(content: string) {
    const customer = await makePortalCustomer(server)
    const answer = await as('memory_remember', { customerId: customer.customerId, content })
    const mindId = stringAt(answer, 'mindId')
    return { ...customer, mindId, memoryId: stringAt(answer, 'memoryId'), mind: `/memory/minds/${mindId}` }
  }
  const newest = async ({ customerId }: { customerId: string }) =>
    Object(await as('memory_recall', { customerId })).messages

  it('forgets one memory, with what was read from it', async () => {
    const { owner, mind, memoryId, customerId } = await makeRemembering('Ada: I live in Lisbon.')
    const page = await owner.get(mind)
    expect(textOf(page.html)).toContain('“Ada: I live in Lisbon.”')
    const { status, html } = await owner.post(`${mind}/memories/${memoryId}/forget`)
    expect(status).toBe(200)
    expect(textOf(html)).toContain('The memory was forgotten. Undo')
    expect(textOf(html)).not.toContain('Lisbon')
    expect(await newest({ customerId })).toEqual([])
    expect((await owner.post(`${mind}/memories/${memoryId}/forget`)).status).toBe(404)
  })

  it.each(['Ada: I live in Lisbon.', '漢'.repeat(32_768)])(
    'brings one back that was just forgotten, once',
    async (content) => {
      const { owner, mind, memoryId, customerId, mindId } = await makeRemembering(content)
      const { action, fields } = undoOn((await owner.post(`${mind}/memories/${memoryId}/forget`)).html)
      expect(action).toBe(`${mind}/undo`)
      expect(textOf((await owner.submit(action, fields)).html)).toContain('It is remembered again.')
      expect(await as('memory_export', { customerId, mindId })).toMatchObject({
        memories: [{ id: memoryId, content }]
      })
      const again = await owner.post(action, { ...fields, idempotencyKey: 'another' })
      expect(again.status).toBe(400)
      expect(textOf(again.html)).toContain('This can’t be undone any more.')
    }
  )

  it('takes no credits for bringing one back, nor for what another customer forgot', async () => {
    const { owner, mind, memoryId, customerId } = await makeRemembering('Ada: I like tea.')
    await as('customer_update', { customerId, aiCreditsEnabled: true })
    const { action, fields } = undoOn((await owner.post(`${mind}/memories/${memoryId}/forget`)).html)
    const other = await makeRemembering('Bob: I like maps.')
    const crossed = await other.owner.post(`${other.mind}/undo`, fields)
    expect(textOf(crossed.html)).toContain('This can’t be undone any more.')
    expect(await newest(other)).toHaveLength(1)
    await owner.submit(action, fields)
    expect(await newest({ customerId })).toHaveLength(1)
    expect(at(await as('customer_credits_balance', { customerId }), 'data', 'balance')).toBe(0)
  })

  it('goes back to the list as it was searched', async () => {
    const { owner, mind, customerId, memoryId } = await makeRemembering('Ada: I drink green tea.')
    await as('memory_remember', { customerId, content: 'Bob: Tea is for Ada.' })
    const tea = await owner.get(`${mind}/memories?query=tea&author=&since=&until=`)
    expect(tea.html).toContain(`${mind}/memories/${memoryId}/forget?query=tea&amp;from=list"`)
    const forgotten = await owner.post(
      `${mind}/memories/${memoryId}/forget?query=tea&from=list&x=https://evil.example`
    )
    expect(forgotten.html).toContain('<h1>All memories</h1>')
    expect(textOf(forgotten.html)).toContain('Tea is for Ada')
    expect(textOf(forgotten.html)).not.toContain('green tea')
    expect(forgotten.html).toContain(`data-page="/portal/${server.partner.slug}${mind}/memories?query=tea"`)
    const { action, fields } = undoOn(forgotten.html)
    const undone = await owner.post(action, fields)
    expect(undone.headers.get('location')).toMatch(/\/memories\?query=tea$/)
  })

  it('is undone in the console, by who forgot it', async () => {
    const { owner, mind, customerId, memoryId, mindId } = await makeRemembering('Ada: I like tea.')
    const browser = await enterConsole(server, server.partner)
    const page = `/customers/${customerId}/memory/${mindId}`
    const forgotten = await browser.post(`${page}/memories/${memoryId}/forget`)
    expect([forgotten.status, forgotten.text.includes('The memory was forgotten. Undo')]).toEqual([200, true])
    const { fields } = undoOn(forgotten.html)
    expect((await owner.post(`${mind}/undo`, fields)).status).toBe(400)
    expect((await browser.submit(`${page}/undo`, fields)).text).toContain('It is remembered again.')
    expect(await newest({ customerId })).toMatchObject([{ id: memoryId }])
  })

  it('is in the audit log, in words', async () => {
    const { customerId } = await makePortalCustomer(server)
    const { partnerId } = server.partner
    const { mindId, memoryId } = await makeMemory(server.service, partnerId, customerId)
    const browser = await enterConsole(server, server.partner)
    await browser.post(`/customers/${customerId}/memory/${mindId}/memories/${memoryId}/forget`)
    const { html, text } = await browser.get(`/audit?target=${memoryId}`)
    expect(text).toContain('Forget a memory, with undo')
    expect(html).toContain('<b title="memory_forget_with_undo">')
  })
})

/** The form of the message that offers to undo, as its button sends it. */
function undoOn(html: string): { action: string; fields: Record<string, string> } {
  const toast = html.match(/<div class="toast .*?<\/form>/s)?.[0] ?? ''
  const sent = (name: string) =>
    toast.match(new RegExp(`name="${name}" value="([^"]*)"`))?.[1] ?? `no ${name}`
  const action = toast.match(/action="\/portal\/[^/]+([^"]*)"/)?.[1] ?? 'no action'
  return {
    action: action.replaceAll('&amp;', '&'),
    fields: { undo: sent('undo'), idempotencyKey: sent('idempotencyKey') }
  }
}
