// The whole way in a real browser, with mails as they arrive and agents as they connect.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unmarked } from '../mcp/messages.ts'
import { at, run, stringAt, unique, uniqueEmail } from '../support/fixture.ts'
import { arrivedAt, confirm, newVisitor, press, submit } from './support/acts.ts'
import { type Fixture, linkIn, openFixture, PASSWORD } from './walk-fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const portal = (path = '', { slug } = fixture.partner) => `${fixture.url}/portal/${slug}${path}`

describe('from the console to a memory that is forgotten', () => {
  it('leads through every site', { timeout: 180_000 }, async () => {
    const email = uniqueEmail()
    const made = await fixture.makePartner('Southwind')
    const partner = await newVisitor(fixture.browser)
    await partner.goto(made.setPasswordUrl)
    await submit(partner, { 'New password': PASSWORD }, 'Save and sign in')
    await partner.getByRole('navigation', { name: 'Main' }).waitFor()
    await press(partner, 'Sign out')
    await submit(partner, { 'E-mail': 'ops@southwind.example', Password: PASSWORD }, 'Sign in')

    await partner.getByRole('link', { name: 'Customers', exact: true }).click()
    await partner
      .getByRole('link', { name: /Onboard/ })
      .first()
      .click()
    const answers = {
      'E-mail': email,
      'First name': 'Ada',
      'Last name': 'Lovelace',
      Company: 'Analytical Engines'
    }
    await submit(partner, answers, 'Onboard customer')
    await partner.waitForURL(/\/console\/customers\/cus_/)
    const customerPage = partner.url()
    await partner.goto(`${customerPage}/memory`)
    await press(partner, 'Turn memory on')
    await partner.goto(`${customerPage}/details`)
    await partner.getByLabel('Own MCP tokens').check()
    await press(partner, 'Save changes')
    await partner.getByText('the changes are').waitFor()

    const mail = await fixture.nextMail(email)
    const [, temporary = ''] = /Temporary password:? *\n? *(\S+)/.exec(mail) ?? []
    const owner = await newVisitor(fixture.browser)
    await owner.goto(linkIn(mail))
    await submit(owner, { 'New password': PASSWORD }, 'Accept the invite')
    await owner.getByText('Welcome to').waitFor()
    const other = await newVisitor(fixture.browser)
    await other.goto(portal('/sign-in', made))
    await submit(other, { 'E-mail': email, Password: temporary }, 'Sign in')
    await other.getByRole('alert').waitFor()

    await owner.getByRole('link', { name: 'Agents', exact: true }).click()
    await submit(owner, { Name: 'assistant' }, 'Make token')
    const token = (await owner.locator('section[aria-label="Token"] code').innerText()).trim()
    expect(token).toMatch(/^mct_/)
    const agent = await connect(token)
    const content = `Ada: ${unique('The engine is called ')}.`
    await agent.callTool({ name: 'internal_memory_remember', arguments: { content } })
    expect(await recalled(agent)).toEqual([content])

    await owner.getByRole('link', { name: 'Memory', exact: true }).click()
    await owner.getByRole('table').getByText(content, { exact: true }).waitFor()
    await confirm(owner, /^Forget: Forget this memory/, 'Forget it')
    await owner.getByText('Nothing is remembered yet').waitFor()
    expect(await recalled(agent)).toEqual([])
    await agent.close()
  })

  it('lets a temporary password in once, to choose another one', async () => {
    const { email, mail } = await invite()
    const [, temporary = ''] = /Temporary password:? *\n? *(\S+)/.exec(mail) ?? []
    const owner = await newVisitor(fixture.browser)
    await owner.goto(portal('/sign-in'))
    await submit(owner, { 'E-mail': email, Password: temporary }, 'Sign in')
    await arrivedAt(owner, 'Choose your own password')
    await owner.goto(portal('/account'))
    await arrivedAt(owner, 'Choose your own password')
    await submit(owner, { 'New password': PASSWORD }, 'Save the password')
    await owner.getByText('Your password is set').waitFor()
    await signsIn(email, PASSWORD)
    await isRefused(email, temporary)
  })
})

describe('a customer who', () => {
  it('forgot the password sets a new one by mail, and whoever was signed in is out', async () => {
    const { email, owner } = await makeOwner()
    const visitor = await newVisitor(fixture.browser)
    await visitor.goto(portal('/sign-in'))
    await visitor.getByRole('link', { name: 'Forgot your password?' }).click()
    await submit(visitor, { 'E-mail': email }, 'Send the link')
    await arrivedAt(visitor, 'Look into your mail')
    await visitor.goto(linkIn(await fixture.nextMail(email)))
    await submit(visitor, { 'New password': 'seven other herons' }, 'Save the password')
    await arrivedAt(visitor, 'Sign in')
    await owner.getByRole('link', { name: 'Account' }).click()
    await arrivedAt(owner, 'Sign in')
    await isRefused(email, PASSWORD)
    await signsIn(email, 'seven other herons')
  })

  it('invites a colleague, sees that one become active, and both see one account', async () => {
    const { owner } = await makeOwner({ enableTeamMembers: true, maxTeamMembers: 3 })
    await owner.goto(portal('/team'))
    const email = uniqueEmail()
    await submit(owner, { Name: 'Grace', 'E-mail': email }, 'Send invite')
    await owner.getByRole('row', { name: /Grace/ }).getByText('invited').waitFor()
    const colleague = await newVisitor(fixture.browser)
    await colleague.goto(linkIn(await fixture.nextMail(email)))
    await submit(colleague, { 'New password': PASSWORD }, 'Accept the invite')
    await colleague.getByText('Welcome to').waitFor()
    await owner.reload()
    await owner.getByRole('row', { name: /Grace/ }).getByText('active').waitFor()
  })

  it('is blocked while signed in lands on the sign-in page with the next click', async () => {
    const { owner, customerId } = await makeOwner()
    const partner = await signedInPartner()
    await partner.goto(`${consoleUrl()}/customers/${customerId}/portal-access`)
    await confirm(partner, /^Block access/, 'Block access')
    await partner.getByText('Grant access again').waitFor()
    await owner.getByRole('link', { name: 'Account' }).click()
    await arrivedAt(owner, 'Sign in')
    await owner.goto(portal())
    await arrivedAt(owner, 'Sign in')
  })

  it('tries wrong passwords is stopped, with the right one too', async () => {
    const { email } = await makeOwner()
    const guesser = await newVisitor(fixture.browser)
    await guesser.goto(portal('/sign-in'))
    for (let guess = 1; guess <= 3; guess += 1) {
      await submit(guesser, { 'E-mail': email, Password: `not the password ${guess}` }, 'Sign in')
      await guesser.getByRole('alert').waitFor()
    }
    const answered = guesser.waitForResponse((response) => response.request().method() === 'POST')
    await submit(guesser, { 'E-mail': email, Password: PASSWORD }, 'Sign in')
    expect((await answered).status()).toBe(429)
    await guesser.goto(portal())
    await arrivedAt(guesser, 'Sign in')
  })

  it('is signed in at one partner’s portal is nobody at another one’s on the same host', async () => {
    const { owner } = await makeOwner()
    const other = await fixture.makePartner('Eastwind')
    await owner.goto(`${fixture.url}/portal/${other.slug}/account`)
    await arrivedAt(owner, 'Sign in')
    const session = await owner.request.get(`${fixture.url}/portal/${other.slug}`, { maxRedirects: 0 })
    expect([session.status(), session.headers().location]).toEqual([
      303,
      expect.stringContaining(`/portal/${other.slug}/sign-in`)
    ])
  })
})

const consoleUrl = () => `${new URL(fixture.partner.setPasswordUrl).origin}/console`

async function signedInPartner(): Promise<Page> {
  const partner = await newVisitor(fixture.browser)
  await partner.goto(fixture.partner.setPasswordUrl)
  await submit(partner, { 'New password': PASSWORD }, 'Save and sign in')
  await partner.getByRole('navigation', { name: 'Main' }).waitFor()
  return partner
}

const change = (customerId: string, changes: Record<string, unknown>) =>
  run(fixture.service, fixture.partner.partnerId, 'customer_update', { customerId, ...changes })

/** A customer whose invite has arrived. */
async function invite(): Promise<{ email: string; customerId: string; mail: string }> {
  const email = uniqueEmail()
  const onboarded = await run(fixture.service, fixture.partner.partnerId, 'customer_onboard', {
    basic: { email, firstName: 'Ada', lastName: 'Lovelace' },
    allowPortalAccess: true
  })
  return { email, customerId: stringAt(onboarded, 'data', 'id'), mail: await fixture.nextMail(email) }
}

/** A customer whose owner has accepted the invite and is signed in. */
async function makeOwner(
  changes: Record<string, unknown> = {}
): Promise<{ email: string; customerId: string; owner: Page }> {
  const { email, customerId, mail } = await invite()
  if (Object.keys(changes).length > 0) await change(customerId, changes)
  const owner = await newVisitor(fixture.browser)
  await owner.goto(linkIn(mail))
  await submit(owner, { 'New password': PASSWORD }, 'Accept the invite')
  await owner.getByText('Welcome to').waitFor()
  return { email, customerId, owner }
}

async function signsIn(email: string, password: string): Promise<void> {
  const visitor = await newVisitor(fixture.browser)
  await visitor.goto(portal('/sign-in'))
  await submit(visitor, { 'E-mail': email, Password: password }, 'Sign in')
  await visitor.getByRole('navigation', { name: 'Main' }).waitFor()
}

async function isRefused(email: string, password: string): Promise<void> {
  const visitor = await newVisitor(fixture.browser)
  await visitor.goto(portal('/sign-in'))
  await submit(visitor, { 'E-mail': email, Password: password }, 'Sign in')
  await visitor.getByRole('alert').waitFor()
  await visitor.goto(portal())
  await arrivedAt(visitor, 'Sign in')
}

async function connect(token: string): Promise<Client> {
  const agent = new Client({ name: 'walk', version: '1.0.0' })
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${fixture.url}/api/mcp`), { requestInit }))
  return agent
}

async function recalled(agent: Client): Promise<unknown[]> {
  const answer = await agent.callTool({ name: 'internal_memory_recall', arguments: {} })
  const messages = at(unmarked(at(answer, 'structuredContent')), 'messages')
  return Array.isArray(messages) ? messages.map((message) => at(message, 'content')) : []
}
