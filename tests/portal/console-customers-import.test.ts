// Customers from a file: what is wrong with it is named by line, and each is onboarded once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePartner, makePlan, run, unique, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type ConsoleBrowser, enterConsole, makeColleague, signInAt, textOf } from './console-visitor.ts'

const CHECK = '/console/customers/import'

describe('a file of customers', () => {
  let server: TestServer
  let browser: ConsoleBrowser
  beforeAll(async () => {
    server = await startTestServer('sqlite', { RATE_LIMIT: '0' })
    browser = await enterConsole(server, server.partner)
  })
  afterAll(() => server.close())

  const send = async (path: string, form: FormData, cookie = browser.cookie) => {
    const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(server.url + path, { method: 'POST', body: form, headers })
    const html = await answer.text()
    return { status: answer.status, html, text: textOf(html) }
  }
  const check = (content: string | Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.set('file', new Blob([content]), 'customers.csv')
    return send(CHECK, form)
  }
  const onboard = (text: string, cookie?: string) => {
    const form = new FormData()
    form.set('text', text)
    return send(`${CHECK}/onboard`, form, cookie)
  }
  const customers = () =>
    server.service.database.read
      .selectFrom('customer')
      .where('partnerId', '=', server.partner.partnerId)
      .selectAll()
      .execute()
  const emailsOf = async () => (await customers()).map(({ email }) => email).toSorted()

  it('brings fifty, checked first, and sent twice none twice', async () => {
    const emails = Array.from({ length: 50 }, () => uniqueEmail())
    const planId = await makePlan(server.service, server.partner.partnerId, 'subscription', { trialDays: 9 })
    const lines = emails.map(
      (email, n) => `${email},"Ada, ${n}",${n % 2 ? 'yes' : 'No'},"en;de",${planId},1.5`
    )
    const text = ['E-mail,First name,wantsDemo,Languages,Plan,AI credits to start with', ...lines, ''].join(
      '\r\n'
    )
    const before = (await customers()).length
    const checked = await check(`\uFEFF${text}`)
    expect([checked.status, checked.text.includes('Customers in it: 50')]).toEqual([200, true])
    expect(await customers()).toHaveLength(before)
    const first = await onboard(text)
    expect(first.text).toContain('50 of 50')
    const again = await onboard(text)
    expect(again.text).toContain('50 of 50')
    const all = await customers()
    expect(all).toHaveLength(before + 50)
    const one = all.find(({ email }) => email === emails[1])
    expect(one).toMatchObject({ firstName: 'Ada, 1', wantsDemo: 1, languages: '["en","de"]', planId })
    expect((await check(text)).text).toContain(`A customer has ${emails[0]} already.`)
    // A page of another partner knows none of them.
    const other = await makePartner(server.service)
    const theirs = await signInAt(
      server.url,
      (await makeColleague(server.service, other.partnerId, 'owner')).email
    )
    expect((await onboard(text.replaceAll(`,${planId},`, ',,'), theirs.cookie)).text).toContain('50 of 50')
  })

  it('has what is wrong named by line and column, and then nobody is onboarded', async () => {
    const email = uniqueEmail()
    const text = `email;firstName;wantsDemo\n${email};Ada;perhaps\nnot an address;Bo;\n${email.toUpperCase()};;1\n${email};;`
    const before = await emailsOf()
    const { text: told } = await check(text)
    expect(told).toContain('Line 2 Wants a demo must be a boolean.')
    expect(told).toContain('Line 3 E-mail is not a valid e-mail address.')
    expect(told).toContain('Line 5 E-mail is the one of line 4.')
    expect((await onboard(text)).text).toContain('is wrong in line 2')
    expect(await emailsOf()).toEqual(before)
  })

  it('goes on behind one that fails, and says which', async () => {
    const [taken, free] = [uniqueEmail(), uniqueEmail()]
    await run(server.service, server.partner.partnerId, 'customer_create', { email: taken })
    const { text } = await onboard(`email,planId\n${taken},\n${uniqueEmail()},pln_none\n${free},`)
    expect(text).toContain(`Line 2: ${taken} failed`)
    expect(text).toContain('1 of 3')
    expect(text).toMatch(/Not done: Line 2: \S+, Line 3: /)
    expect(await emailsOf()).toContain(free)
  })

  it('takes back what it exported with an apostrophe', async () => {
    const email = uniqueEmail()
    await onboard(`email,businessPhone,companyName\n${email},'+1 555 0100,'90s Records`)
    const found = (await customers()).find((customer) => customer.email === email)
    expect(found).toMatchObject({ businessPhone: '+1 555 0100', companyName: "'90s Records" })
  })

  it.each([
    ['nothing', '', 'The file is missing.'],
    ['a head alone', 'email\n', 'has no customer in it'],
    ['no address', 'First name\nAda', 'has no column E-mail'],
    ['a column twice', 'email,E-mail\na@example.com,b@example.com', 'has a column twice'],
    ['another table', 'email,password\na@example.com,x', 'no customer has: “password”'],
    ['very many columns', `email${',x'.repeat(9_000)}\na@example.com`, 'no customer has: “x”'],
    ['too many customers', `email\n${'a@example.com\n'.repeat(501)}`, 'has more than 500'],
    ['a giant cell', `email,firstName\na@example.com,"${'x'.repeat(30_000)}"`, 'can’t be read'],
    ['a quote without an end', 'email,firstName\na@example.com,"Ada', 'can’t be read'],
    ['a zero', 'email\na\0@example.com', 'isn’t text in UTF-8'],
    [
      'Latin-1',
      Uint8Array.from([...Buffer.from('email,firstName\na@example.com,Zo'), 0xeb]),
      'isn’t text in UTF-8'
    ],
    ['UTF-16', Uint8Array.from(Buffer.from('\uFEFFemail\na@example.com', 'utf16le')), 'isn’t text in UTF-8'],
    ['what is too large', 'x'.repeat(262_145), 'larger than 256 KiB'],
    ['what is far too large', 'x'.repeat(3_000_000), '']
  ])('is refused where it is %s', async (_what, content, why) => {
    const before = await emailsOf()
    const { status, text } = await check(content as string)
    expect([status >= 400 && status < 500, text]).toEqual([true, expect.stringContaining(why)])
    expect(await emailsOf()).toEqual(before)
  })

  it('is for those whose role may onboard', async () => {
    const reader = await makeColleague(server.service, server.partner.partnerId, 'read_only')
    const { cookie } = await signInAt(server.url, reader.email)
    const email = uniqueEmail()
    expect((await onboard(`email\n${email}`, cookie)).text).toContain('0 of 1')
    expect(await emailsOf()).not.toContain(email)
  })

  it('shows as text whatever is in it', async () => {
    const sly = `<script>${unique('x')}</script>`
    const { html } = await check(`email,firstName\n${sly},Ada`)
    expect(html).not.toContain(sly)
    expect((await browser.get('/customers/import/template')).html).toContain('E-mail,First name')
  })
})
