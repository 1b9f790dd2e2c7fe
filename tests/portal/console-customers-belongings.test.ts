// What a customer has, in the console: Minds and memories, credits, tokens.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, makeMemory, stringAt, unique } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { customersInConsole } from './console-customers.ts'
import { type ConsoleBrowser, enterConsole, formOn } from './console-visitor.ts'

let server: TestServer
let browser: ConsoleBrowser

beforeAll(async () => {
  server = await startTestServer('sqlite')
  browser = await enterConsole(server, server.partner)
})
afterAll(() => server.close())

const { act, makeCustomer, customer, pathOf } = customersInConsole(() => server)

describe('a customer’s memory in the console', () => {
  it('says how to turn it on, and does', async () => {
    const customerId = await makeCustomer({ enableAiMemory: false })
    const path = pathOf(customerId, 'memory')
    const off = await browser.get(path)
    expect(off.text).toContain('Memory is off for this customer')
    const on = await browser.submit(`${path}/enable`, formOn(off, `${path}/enable`).fields)
    expect(on.text).toContain('Memory is on for this customer')
    expect(await customer(customerId)).toMatchObject({ enableAiMemory: true })
  })

  it('shows a Mind, forgets one memory, then the Mind', async () => {
    const customerId = await makeCustomer()
    const word = unique('word')
    const { mindId, memoryId } = await makeMemory(
      server.service,
      server.partner.partnerId,
      customerId,
      `Ada: <img src=x onerror=alert(1)> says ${word}.`
    )
    const path = pathOf(customerId, 'memory', mindId)
    const page = await browser.get(path)
    expect(page.text).toContain(word)
    expect(page.html).not.toContain('<img src=x')
    const found = await browser.get(`${path}/memories?query=${word}`)
    expect(found.text).toContain(word)
    expect(found.html).not.toContain('<img src=x')
    expect((await browser.get(`${path}/memories?since=2026-02-01&until=2026-01-01`)).text).toContain(
      'From must be earlier than the end of the period.'
    )
    expect((await browser.get(pathOf(customerId, 'memory', 'mnd_none', 'memories'))).status).toBe(404)
    const after = await browser.post(`${path}/memories/${memoryId}/forget`)
    expect(after.status).toBe(200)
    expect(after.text).not.toContain(word)
    const minds = await browser.submit(`${path}/forget`)
    expect(minds.text).toContain('It was forgotten')
    expect((await browser.get(path)).status).toBe(404)
  })

  it('makes another Mind', async () => {
    const customerId = await makeCustomer({ enableAiMemory: true })
    const page = await browser.submit(pathOf(customerId, 'memory', 'create'), {
      name: 'Contracts & “more”',
      description: 'What was signed'
    })
    expect(page.text).toContain('The part “Contracts & “more”” was added')
  })

  it('is downloaded as JSON Lines, also while memory is off', async () => {
    const customerId = await makeCustomer()
    const { mindId, memoryId } = await makeMemory(server.service, server.partner.partnerId, customerId)
    await act('customer_update', { customerId, enableAiMemory: false })
    const answer = await browser.get(pathOf(customerId, 'memory', mindId, 'export'))
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="C-\w+-mnd_\w+\.jsonl"$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(
      answer.html
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    ).toMatchObject([{ id: memoryId }])
  })

  it('sends the address of a form that was refused back to its page', async () => {
    const customerId = await makeCustomer({ enableAiMemory: true })
    const answer = await browser.get(pathOf(customerId, 'memory', 'create'))
    expect([answer.status, answer.headers.get('location')]).toEqual([302, pathOf(customerId, 'memory')])
  })
})

describe('a customer’s credits in the console', () => {
  it('are granted once, with the note in the entries', async () => {
    const customerId = await makeCustomer()
    const path = pathOf(customerId, 'credits')
    const form = formOn(await browser.get(path), `${path}/grant`)
    const fields = { ...form.fields, amount: '250.5', note: 'Invoice 7 <b>' }
    const page = await browser.submit(form.action, fields)
    await browser.submit(form.action, fields)
    expect(page.text).toContain('250.5 credits were granted')
    expect(page.text).toContain('Invoice 7 <b>')
    expect(await act('customer_credits_balance', { customerId })).toEqual({ data: { balance: 250.5 } })
  })

  it.each(['', '0', '-5', 'many', '1e300', '0.0000001'])(
    'refuse the amount “%s” at its field',
    async (amount) => {
      const customerId = await makeCustomer()
      const refused = await browser.post(pathOf(customerId, 'credits', 'grant'), { amount, note: 'kept' })
      expect([refused.status, refused.text.includes('Amount must')]).toEqual([400, true])
      expect(formOn(refused, pathOf(customerId, 'credits', 'grant')).fields.note).toBe('kept')
      expect(await act('customer_credits_balance', { customerId })).toEqual({ data: { balance: 0 } })
    }
  )

  it('have their entries on pages', async () => {
    const customerId = await makeCustomer()
    for (let n = 1; n <= 21; n += 1)
      await act('credits_grant', { customerId, amount: n, note: `grant-${n}.` })
    const first = await browser.get(pathOf(customerId, 'credits'))
    expect([first.text.includes('grant-21.'), first.text.includes('grant-1.')]).toEqual([true, false])
    const second = await browser.get(`${pathOf(customerId, 'credits')}?page=2`)
    expect([second.text.includes('grant-21.'), second.text.includes('grant-1.')]).toEqual([false, true])
  })
})

describe('a customer’s tokens in the console', () => {
  it('are shown once, open the gateway, and are revoked', async () => {
    const customerId = await makeCustomer({ enableAiMemory: true })
    const path = pathOf(customerId, 'tokens')
    const form = formOn(await browser.get(path), `${path}/mint`)
    const fields = { ...form.fields, name: 'Claude <3' }
    const minted = await browser.post(form.action, fields)
    expect(minted.status).toBe(200)
    const [token = ''] = minted.text.match(/mct_\w+/) ?? []
    expect(await statusWith(token)).toBe(200)

    const again = await browser.post(form.action, fields)
    expect(again.text).toContain('This token was shown already')
    const list = await browser.get(path)
    expect(list.html).not.toContain(token)
    const [kept, ...others] = [at(await act('customer_token_list', { customerId }), 'data')].flat()
    expect([stringAt(kept, 'name'), others]).toEqual(['Claude <3', []])

    await browser.submit(`${path}/${stringAt(kept, 'tokenId')}/revoke`)
    expect(await statusWith(token)).toBe(401)
  })

  it('need a name and something that they may', async () => {
    const customerId = await makeCustomer()
    const path = pathOf(customerId, 'tokens', 'mint')
    expect((await browser.post(path, { name: ' ', scopes: ['memory:read'] })).text).toContain(
      'Name must not be'
    )
    const refused = await browser.post(path, { name: 'Claude', scopes: [] })
    expect([refused.status, formOn(refused, path).fields.name]).toEqual([400, 'Claude'])
    expect(at(await act('customer_token_list', { customerId }), 'data')).toEqual([])
  })

  async function statusWith(token: string): Promise<number> {
    const answer = await fetch(`${server.url}/api/mcp/tools/internal_memory_recall`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}'
    })
    await answer.text()
    return answer.status
  }
})
