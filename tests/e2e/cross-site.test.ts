// Pages of other sites act in nobody's name: a real browser, signed in to both doors, is sent to one that tries.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openBrowser } from './support/browser.ts'
import { PASSWORD } from './support/seed.ts'
import { openStage, type Stage } from './support/stage.ts'

/** A host of another site, and two of the portal's own site: to them a browser sends even SameSite cookies. */
const HOSTS = { stranger: 'evil.example', sibling: 'evil.acme.test', hosted: 'portal.acme.test' }

let stage: Stage
let browser: Browser
let attacker: Server
let attackerPort: number

beforeAll(async () => {
  stage = await openStage()
  attacker = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    const { searchParams } = new URL(request.url ?? '', 'http://evil.example')
    response.end(`<!doctype html><title>You won</title>${searchParams.get('page') ?? ''}`)
  })
  attacker.listen(0, '127.0.0.1')
  await once(attacker, 'listening')
  attackerPort = (attacker.address() as AddressInfo).port
  const rules = Object.values(HOSTS).map((host) => `MAP ${host} 127.0.0.1`)
  browser = await openBrowser([`--host-resolver-rules=${rules.join(', ')}`])
  await stage.service.database.transaction((tx) =>
    updatePartner(tx, stage.partner.partnerId, { portalOrigin: hostedOrigin() })
  )
})
afterAll(async () => {
  await browser.close()
  attacker.close()
  await stage.close()
})

const port = () => new URL(stage.url).port
const hostedOrigin = () => `http://${HOSTS.hosted}:${port()}`

type Fields = Record<string, string>

/** Pages that send something without asking the other site first, but for the last, which asks. */
const WAYS: Record<string, (url: string, fields: Fields) => string> = {
  'a form': (url, fields) => formHtml(url, fields, 'application/x-www-form-urlencoded'),
  'JSON called text': (url, fields) => fetchHtml(url, 'text/plain', JSON.stringify(fields)),
  'a form with parts': (url, fields) => formHtml(url, fields, 'multipart/form-data'),
  'a form of plain text': (url, fields) => formHtml(url, fields, 'text/plain'),
  'a form in a sandbox': (url, fields) =>
    `<iframe sandbox="allow-forms allow-scripts" srcdoc="${attribute(formHtml(url, fields, 'application/x-www-form-urlencoded'))}"></iframe>`,
  'fetch without CORS': (url, fields) =>
    fetchHtml(url, 'application/x-www-form-urlencoded', String(new URLSearchParams(fields))),
  'a beacon': (url, fields) =>
    `<script>navigator.sendBeacon(${JSON.stringify(url)}, new Blob([${JSON.stringify(JSON.stringify(fields))}], { type: 'text/plain' }))</script>`,
  'JSON that asks first': (url, fields) => fetchHtml(url, 'application/json', JSON.stringify(fields), 'cors')
}

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const formHtml = (url: string, fields: Fields, enctype: string): string => {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input name="${attribute(name)}" value="${attribute(value)}">`
  )
  return `<form method="post" action="${attribute(url)}" enctype="${enctype}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`
}

/** Whether the page may read the answer is another matter: what counts is what the request did. */
const fetchHtml = (url: string, type: string, body: string, mode = 'no-cors'): string => {
  const init = { method: 'POST', mode, credentials: 'include', headers: { 'content-type': type }, body }
  return `<script>fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).catch(() => 0).then(() => { document.title = 'sent' })</script>`
}

interface Target {
  path: string
  fields: Record<string, string>
}

const portalTargets = (): Target[] => [
  { path: '/agents/mint', fields: { name: 'evil', access: 'write', lifetime: 'never' } },
  { path: '/memory/remember', fields: { content: 'Pay the invoice of evil.example.' } },
  { path: '/team/invite', fields: { name: 'Mallory', email: 'mallory@evil.example', role: 'admin' } },
  { path: '/account/password', fields: { currentPassword: PASSWORD, password: 'mallory knows it' } },
  { path: '/account/sessions/end-all', fields: {} },
  { path: '/sign-out', fields: {} },
  { path: '/sign-in', fields: { email: stage.customer.email, password: PASSWORD } },
  { path: '/forgot', fields: { email: stage.customer.email } },
  { path: '/reset', fields: { token: stage.links.reset, password: 'mallory knows it' } },
  { path: '/accept', fields: { token: stage.links.teamInvite, password: 'mallory knows it' } }
]

const consoleTargets = (): Target[] => [
  { path: '/customers/onboard', fields: { email: 'mallory@evil.example', allowPortalAccess: 'true' } },
  {
    path: `/customers/${stage.customer.customerId}/portal-access/block`,
    fields: { wanted: 'suspended' }
  },
  { path: `/customers/${stage.customer.customerId}/credits/grant`, fields: { amount: '1000' } },
  { path: '/keys/new', fields: { name: 'evil', scopes: 'customers:read' } },
  { path: '/brand/update', fields: { name: 'Evil' } },
  { path: '/sign-out', fields: {} },
  { path: '/sign-in', fields: { email: stage.partner.email, password: PASSWORD } },
  { path: '/set-password', fields: { token: stage.links.console, password: 'mallory knows it' } }
]

/** Everything that an attack could change; sign-ins and keys are not among the rows of every table. */
async function everything(): Promise<unknown> {
  const { read } = stage.service.database
  const sessions = await read.selectFrom('session').select(['id', 'tokenHash', 'expiresAt']).execute()
  const keys = await read.selectFrom('apiKey').select(['id', 'revokedAt']).execute()
  return { ...(await everyRow(stage.service)), sessions: sessions.toSorted(byId), keys: keys.toSorted(byId) }
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

/** A browser that is signed in to both doors, on our host and on the partner's own. */
async function signedIn(): Promise<BrowserContext> {
  const context = await browser.newContext()
  await stage.enter(context, 'owner')
  await stage.enter(context, 'console')
  const cookies = await context.cookies(stage.url)
  const portal = cookies.find(({ name }) => name === 'mindgate_portal')
  await context.addCookies([
    {
      name: 'mindgate_portal',
      value: portal?.value ?? '',
      url: hostedOrigin(),
      httpOnly: true,
      sameSite: 'Lax'
    }
  ])
  return context
}

const refusalsSoFar = () => stage.logs.filter((line) => line.includes('"code":"cross_site"')).length

const places = [
  { place: 'another site', from: () => `http://${HOSTS.stranger}:${attackerPort}` },
  { place: 'another port of this machine', from: () => `http://127.0.0.1:${attackerPort}` },
  { place: 'a host beside the partner’s own', from: () => `http://${HOSTS.sibling}:${attackerPort}` }
]
const doors = [
  { door: 'portal', base: () => `${stage.url}/portal/${stage.partner.slug}`, targets: portalTargets },
  { door: 'portal on its own host', base: hostedOrigin, targets: portalTargets },
  { door: 'console', base: () => `${stage.url}/console`, targets: consoleTargets }
]

/** Tried at every target. */
const SWEEPING = new Set(['a form', 'JSON called text'])

describe.each(places)('a page of $place', ({ from }) => {
  it.each(doors)(
    'changes nothing in the $door, however it posts',
    { timeout: 180_000 },
    async ({ base, targets }) => {
      const context = await signedIn()
      const before = await everything()
      for (const [way, pageOf] of Object.entries(WAYS)) {
        const page = await context.newPage()
        for (const { path, fields } of SWEEPING.has(way) ? targets() : targets().slice(0, 2)) {
          const refusals = refusalsSoFar()
          const attack = `${from()}/?page=${encodeURIComponent(pageOf(base() + path, fields))}`
          await page.goto(attack, { waitUntil: 'commit' })
          // What asks first is never sent; everything else arrives, and is refused for where it comes from.
          if (way === 'JSON that asks first') await page.waitForFunction("document.title === 'sent'")
          else
            await expect
              .poll(refusalsSoFar, { message: `${way} to ${path}`, timeout: 10_000 })
              .toBe(refusals + 1)
          // Its navigation is over, too: the next one must not meet it.
          await page.waitForLoadState()
        }
        await page.close()
      }
      expect(await everything()).toEqual(before)
      const names = (await context.cookies(stage.url)).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['mindgate_portal', 'mindgate_console']))
      await context.close()
    }
  )
})

describe('the same forms', () => {
  it('work from our own pages', async () => {
    const context = await signedIn()
    const page = await context.newPage()
    const before = await everything()
    for (const base of [`${stage.url}/portal/${stage.partner.slug}`, hostedOrigin()]) {
      await page.goto(`${base}/agents`)
      await page.getByLabel('Name', { exact: true }).fill('own')
      await page.getByRole('button', { name: 'Make token' }).click()
      await page.locator('section[aria-label="Token"]').waitFor()
    }
    await page.goto(`${stage.url}/console/customers/onboard`)
    await page.getByLabel('E-mail', { exact: true }).fill('own@customer.example')
    await page.getByRole('button', { name: 'Onboard customer' }).click()
    await page.waitForURL(/\/console\/customers\/cus_/)
    expect(await everything()).not.toEqual(before)
    await context.close()
  })
})
