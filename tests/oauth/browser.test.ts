// The pages that stand between an app and its user, in a real browser without script.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DESK, faultsOf, LOOKS } from '../e2e/support/axe.ts'
import { leaveBrowser, openBrowser } from '../e2e/support/browser.ts'
import { startSites } from '../portal/sites.ts'
import { makePartner } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { fieldsOf } from './bare-call.ts'
import { type Decision, makeOwner, makeStaff } from './people.ts'

let server: TestServer
let browser: Browser
let owner: Decision
let staff: Decision
let callback: Awaited<ReturnType<typeof listenForCallback>>
let context: BrowserContext
let page: Page
beforeAll(async () => {
  server = await startSites('sqlite', { CREDITS_INITIAL: '1000' })
  // With another partner's portal beside it, an address alone doesn't say whose is meant.
  await makePartner(server.service)
  owner = (await makeOwner(server)).decision
  staff = await makeStaff(server, server.partner)
  callback = await listenForCallback()
  browser = await openBrowser()
})
beforeEach(async () => {
  context = await browser.newContext({ javaScriptEnabled: false, viewport: DESK, reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(50_000)
})
afterEach(() => context.close())
afterAll(async () => {
  await leaveBrowser(browser)
  callback.close()
  await server.close()
})

describe('somebody whom an app sent', () => {
  it('lets it into their memory', async () => {
    await page.goto(await authorizationUrl('/api/mcp'))
    await look('portal-question')
    await page.getByLabel('Your portal’s name').fill(owner.portal ?? '')
    await page.getByRole('button', { name: 'Go on' }).click()
    await signIn(owner)
    await expectHeading('Connect Test assistant?')
    await look('consent-portal')
    await page.getByRole('checkbox', { name: 'Remember and forget' }).uncheck()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expectAnswer({ code: expect.any(String), state: 'some-state', iss: server.url })
  })

  it('lets it into the partner’s customers', async () => {
    await page.goto(await authorizationUrl('/api/partner-mcp'))
    await signIn(staff)
    await expectHeading('Connect Test assistant?')
    await look('consent-console')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expectAnswer({ code: expect.any(String), state: 'some-state', iss: server.url })
  })

  it('declines', async () => {
    await page.goto(await authorizationUrl('/api/partner-mcp'))
    await signIn(staff)
    await page.getByRole('button', { name: 'Don’t connect' }).click()
    await expectAnswer({ error: 'access_denied', state: 'some-state', iss: server.url })
  })

  it('is told that something must be ticked', async () => {
    await page.goto(await authorizationUrl('/api/mcp', { portal: owner.portal ?? '' }))
    await signIn(owner)
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expectHeading('Connect Test assistant?')
    expect(await page.getByText('Tick at least one thing').count()).toBeGreaterThan(0)
    await look('consent-refused')
  })

  it('is told of a portal that there is none', async () => {
    await page.goto(await authorizationUrl('/api/mcp', { portal: 'nobodys' }))
    await expectHeading('Which portal is yours?')
    expect(await page.getByText('There is no portal of this name.').count()).toBeGreaterThan(0)
    await look('portal-unknown')
  })

  it('is told of a request that nobody can answer, and sent nowhere', async () => {
    const asked = await authorizationUrl('/api/partner-mcp', {
      redirect_uri: 'https://evil.example/callback'
    })
    await page.goto(asked)
    await expectHeading('This app can’t be connected')
    await look('refused')
    await page.goto(`${server.url}/console/connect/nobodys`)
    await signIn(staff)
    await expectHeading('This has ended')
    await look('request-gone')
  })
})

const signIn = async ({ email, password }: Decision) => {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const expectHeading = async (name: string) => {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

const expectAnswer = async (parameters: Record<string, unknown>) => {
  await page.waitForURL(`${callback.url}?*`)
  expect(await page.textContent('body')).toContain('You may close this window')
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(
    'error' in parameters ? { ...parameters, error_description: expect.any(String) } : parameters
  )
}

/**
 * The page as it stands is accessible at a desk in light and on a phone in dark; for whoever wants to see it, in the folder
 * OAUTH_PICTURES. What looks at it is script, so that has a copy.
 */
async function look(name: string): Promise<void> {
  const copy = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce' })
  const shown = await copy.newPage()
  const body = await page.content()
  await shown.route(page.url(), (route) => route.fulfill({ body, contentType: 'text/html; charset=utf-8' }))
  await shown.goto(page.url())
  const faults = await faultsOf(shown)
  await photograph(shown, name)
  await copy.close()
  expect(faults).toEqual([])
}

async function photograph(shown: Page, name: string): Promise<void> {
  const folder = process.env.OAUTH_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const [viewport, colorScheme] of LOOKS) {
    await shown.setViewportSize(viewport)
    await shown.emulateMedia({ colorScheme })
    const path = join(folder, `${name}-${viewport.width}-${colorScheme}.png`)
    await shown.screenshot({ path, fullPage: true })
  }
}

async function authorizationUrl(gateway: string, changes: Record<string, string> = {}): Promise<string> {
  const registered = await fetch(`${server.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test assistant', redirect_uris: [callback.url] })
  })
  const { client_id } = await fieldsOf(registered)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: String(client_id),
    redirect_uri: callback.url,
    resource: server.url + gateway,
    state: 'some-state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...changes
  })
  return `${server.url}/oauth/authorize?${query}`
}

/** An app's own server, as one on somebody's computer has it. */
async function listenForCallback() {
  const app = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html; charset=utf-8')
    answer.end('<!doctype html><title>Done</title><p>You may close this window.</p>')
  })
  await new Promise<void>((resolve) => {
    app.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`,
    close() {
      app.close()
      app.closeAllConnections()
    }
  }
}
