// The third site, whole, in a real browser: a server registered and an agent deployed in the console with its steps seen
// live, then the customer's chat with it in the portal. Real OpenSSH, the real scripts, the stand-in agent.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DeployFixture, startDeployFixture } from '../instances/deploy-fixture.ts'
import { CONSOLE_PASSWORD, enterConsole } from '../portal/console-visitor.ts'
import { makePortalCustomer } from '../portal/customer-visitors.ts'
import { standInInstall } from '../support/agent/stand-in.ts'
import { at, run } from '../support/fixture.ts'
import { press, repliesOf, submit } from './support/acts.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { complaintsOf } from './support/watch.ts'

let gateFolder: string
let ground: DeployFixture
let browser: Browser
beforeAll(async () => {
  gateFolder = mkdtempSync(join(tmpdir(), 'mindgate-install-'))
  const gate = join(gateFolder, 'go')
  ground = await startDeployFixture('sqlite', {
    env: { CLI_AGENT_INSTALL: `until [ -e '${gate}' ]; do sleep 0.1; done; ${standInInstall}` }
  })
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await ground?.close()
  rmSync(gateFolder, { recursive: true, force: true })
})

it('leads from a bare server to a customer who chats', { timeout: 240_000 }, async () => {
  const { server, sshd, partnerId } = ground
  const { customerId, owner } = await makePortalCustomer(server)
  const partner = await signedInPartner()
  const complaints = complaintsOf(partner)
  await partner.goto(`${server.url}/console/instances/register/${customerId}`)
  const place = { Host: sshd.host, 'SSH port': String(sshd.port), User: sshd.username, Name: 'Front desk' }
  await submit(partner, { ...place, Folder: join(sshd.root, 'box') }, 'Register server')
  await partner.getByRole('heading', { level: 1, name: 'Front desk' }).waitFor()
  const serverPage = partner.url()
  const [line = ''] = /restrict ssh-ed25519 \S+/.exec(await partner.locator('main').innerText()) ?? []
  sshd.authorize(line)
  await press(partner, 'Test the connection')
  await partner.getByText('The server can be reached.').first().waitFor()

  await partner.getByRole('link', { name: 'Deploy agent' }).click()
  await submit(partner, { 'Business name': 'Clínica Sol' }, 'Deploy agent')
  await partner.getByText(/Step \d+ of \d+: Install/).waitFor({ state: 'attached' })
  const statusOf = async () => {
    const instanceId = serverPage.split('/').at(-1)
    return at(await run(server.service, partnerId, 'instance_get', { instanceId }), 'data', 'status')
  }
  expect(await statusOf()).toBe('deploying:cli-agent')
  // What a reload would take away: the rest is seen live.
  await partner.evaluate("document.body.setAttribute('data-same-page', '')")
  const chat = `${server.url}/api/whitelabel/vps/instances/${serverPage.split('/').at(-1)}/cli-agent/chat`
  const early = await fetch(chat, { headers: { cookie: owner.identity.cookie } })
  expect([early.status, at(await early.json(), 'code')]).toEqual([409, 'agent_not_ready'])
  writeFileSync(join(gateFolder, 'go'), '')
  await partner.locator('.notice.good').waitFor({ timeout: 120_000 })
  expect(await partner.locator('body[data-same-page]').count()).toBe(1)
  expect(await statusOf()).toBe('cli-agent')
  expect(complaints).toEqual([])

  const customer = await customerPage(owner.identity.cookie)
  await customer.goto(`${server.url}/portal/${server.partner.slug}`)
  await customer.getByRole('link', { name: 'Chat', exact: true }).click()
  await customer.getByRole('heading', { level: 1, name: 'Clínica Sol' }).waitFor()
  const replies = repliesOf(customer)
  for (const [nth, message] of ['My name is Lucía.', 'What did I tell you?'].entries()) {
    await customer.getByRole('textbox').fill(message)
    await customer.getByRole('textbox').press('Enter')
    await replies.nth(nth).waitFor()
  }
  const said = await replies.allTextContents()
  await customer.reload()
  await replies.nth(1).waitFor()
  expect(await replies.allTextContents()).toEqual(said)
  expect(lastAsked()).toContain('My name is Lucía.')
})

/** What the agent brought before the model with its newest question: the thread so far. */
const lastAsked = (): string => JSON.stringify(ground.upstream.requests.at(-1)?.body)

async function signedInPartner(): Promise<Page> {
  const { server, partnerId } = ground
  await enterConsole(server, server.partner)
  const { email } = await server.service.database.read
    .selectFrom('partnerUser')
    .where('partnerId', '=', partnerId)
    .select('email')
    .executeTakeFirstOrThrow()
  const page = await newPage()
  await page.goto(`${server.url}/console/sign-in`)
  await submit(page, { 'E-mail': email, Password: CONSOLE_PASSWORD }, 'Sign in')
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return page
}

async function customerPage(cookie: string): Promise<Page> {
  const page = await newPage()
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: ground.server.url, httpOnly: true, sameSite: 'Lax' }])
  return page
}

async function newPage(): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  page.setDefaultTimeout(60_000)
  return page
}
