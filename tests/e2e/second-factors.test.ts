// Two-step sign-in in a real browser: passkeys by a virtual authenticator, and an app without script.
import { generate } from 'otplib'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONSOLE_PASSWORD, makeColleague } from '../portal/console-visitor.ts'
import { onboardOwner, PASSWORD } from '../portal/site-client.ts'
import { uniqueEmail } from '../support/fixture.ts'
import { giveAuthenticator } from './support/acts.ts'
import { faultsOf } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { type Fixture, openFixture } from './support/fixture.ts'
import { complaintsOf } from './support/watch.ts'

let fixture: Fixture
let browser: Browser
beforeAll(async () => {
  fixture = await openFixture()
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await fixture?.close()
})

interface Somebody {
  /** By a name: a passkey is no address’s. */
  site: string
  email: string
  password: string
}

const sites = {
  async console(): Promise<Somebody> {
    const { email } = await makeColleague(fixture.service, fixture.partner.partnerId, 'admin')
    return { site: `${siteUrl()}/console`, email, password: CONSOLE_PASSWORD }
  },
  async portal(): Promise<Somebody> {
    const { email } = await onboardOwner(fixture.service, fixture.partner, uniqueEmail())
    return { site: `${siteUrl()}/portal/${fixture.partner.slug}`, email, password: PASSWORD }
  }
}
const siteUrl = () => `http://localhost:${new URL(fixture.url).port}`

async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  return page
}

async function signIn(page: Page, { site, email, password }: Somebody): Promise<void> {
  await page.goto(`${site}/sign-in`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
}

describe.each(['console', 'portal'] as const)('a passkey at the %s', (kind) => {
  it('is added, lets in after the password, and not by what it said before', async () => {
    const somebody = await sites[kind]()
    const page = await openPage()
    const complaints = complaintsOf(page)
    await giveAuthenticator(page)
    await signIn(page, somebody)
    await page.goto(`${somebody.site}/account/factor`)
    expect(await faultsOf(page)).toEqual([])
    const passkey = page.locator('[data-passkey]')
    await passkey.getByLabel('Present password').fill(somebody.password)
    await passkey.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Go on' }).click()
    await page.getByText('10 recovery codes are left.').waitFor()
    expect(await faultsOf(page)).toEqual([])

    await page.context().clearCookies()
    await signIn(page, somebody)
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    const sent = page.waitForRequest((request) => request.postData()?.includes('passkey=') ?? false)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    const answer = new URLSearchParams((await sent).postData() ?? '').get('passkey') ?? ''
    await page.getByRole('link', { name: 'Account' }).first().waitFor()
    expect(JSON.parse(answer)).toMatchObject({ type: 'public-key' })
    expect(complaints).toEqual([])

    await page.context().clearCookies()
    await signIn(page, somebody)
    const replayed = await page.context().request.post(`${somebody.site}/factor`, {
      form: { passkey: answer },
      headers: { 'sec-fetch-site': 'same-origin' },
      maxRedirects: 0
    })
    expect(replayed.status()).toBe(400)
    await page.context().close()
  })

  it('leaves a word where the browser’s own dialog was closed', async () => {
    const somebody = await sites[kind]()
    const page = await openPage()
    const client = await page.context().newCDPSession(page)
    // With no authenticator at hand the browser gives up by itself.
    await client.send('WebAuthn.enable')
    await signIn(page, somebody)
    await page.goto(`${somebody.site}/account/factor`)
    const passkey = page.locator('[data-passkey]')
    await passkey.getByLabel('Present password').fill(somebody.password)
    await page.evaluate('navigator.credentials.create = async () => { throw new Error("closed") }')
    const word = page.getByText('The passkey wasn’t given. Try again.')
    expect(await word.isVisible()).toBe(false)
    await passkey.getByRole('button', { name: 'Add a passkey' }).click()
    await word.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()
  })
})

describe.each(['console', 'portal'] as const)('an app at the %s, without script', (kind) => {
  it('is set up by its first code and asked for at the next sign-in', async () => {
    const somebody = await sites[kind]()
    const page = await openPage({ javaScriptEnabled: false })
    await signIn(page, somebody)
    await page.goto(`${somebody.site}/account`)
    await page.getByRole('link', { name: 'Set up or change' }).click()
    expect(await page.getByRole('button', { name: 'Add a passkey' }).isVisible()).toBe(false)
    const secret = (await page.locator('figure.snippet code').first().textContent()) ?? ''
    const codeAt = (steps: number) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
    const app = page.locator('form', { has: page.getByLabel('Code') })
    await app.getByLabel('Present password').fill('not the password')
    await app.getByLabel('Code').fill(await codeAt(0))
    await app.getByRole('button', { name: 'Use this app' }).click()
    await page.getByText('This is not your present password.').last().waitFor()
    // The same key is there: nobody scans it twice.
    expect(await page.locator('figure.snippet code').first().textContent()).toBe(secret)
    await app.getByLabel('Present password').fill(somebody.password)
    await app.getByLabel('Code').fill(await codeAt(0))
    await app.getByRole('button', { name: 'Use this app' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()

    await page.context().clearCookies()
    await signIn(page, somebody)
    await page.getByLabel('Code').fill(await codeAt(1))
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('link', { name: 'Account' }).first().waitFor()
    await page.context().close()
  })
})
