// Pages of other sites act in nobody's name: a real browser, signed in to both sites, is sent to one that tries.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OtherSite, openOtherSite, PLACES, SITES, WAYS } from './other-site.ts'

let site: OtherSite
beforeAll(async () => {
  site = await openOtherSite()
})
afterAll(() => site.close())

describe.each(PLACES)('a page of %s', (place) => {
  it('changes nothing, however it posts and at whichever site', async () => {
    const context = await site.signedIn()
    const before = await site.everything()
    const page = await context.newPage()
    for (const name of SITES) {
      const { base, targets } = site.sites[name]
      // What a browser sends along is the same at every site.
      const ways = name === 'portal on its own host' ? Object.keys(WAYS) : ['a form']
      for (const way of ways) {
        const [{ path, fields } = { path: '', fields: {} }] = targets
        await site.attack(page, place, way, base + path, fields)
      }
    }
    expect(await site.everything()).toEqual(before)
    const names = (await context.cookies(site.fixture.url)).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['mindgate_portal', 'mindgate_console']))
    await context.close()
  })
})

describe('what a browser sends in the name of another site', () => {
  const sends = { 'another site': 'cross-site', 'a host beside ours': 'same-site' }
  it.each(Object.entries(sends))('changes nothing by any form: from %s', async (_, relation) => {
    const context = await site.signedIn()
    const cookies = await context.cookies(site.fixture.url)
    const headers = {
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      origin: site.from['another site'],
      'sec-fetch-site': relation
    }
    const before = await site.everything()
    for (const { base, targets } of [site.sites.portal, site.sites.console]) {
      for (const { path, fields } of targets) {
        for (const body of [new URLSearchParams(fields), JSON.stringify(fields)]) {
          const answer = await fetch(base + path, { method: 'POST', headers, body, redirect: 'manual' })
          expect([path, answer.status]).toEqual([path, 403])
        }
      }
    }
    expect(await site.everything()).toEqual(before)
    await context.close()
  })
})

describe('the same forms', () => {
  it('work from our own pages', async () => {
    const context = await site.signedIn()
    const page = await context.newPage()
    const before = await site.everything()
    for (const { base } of [site.sites.portal, site.sites['portal on its own host']]) {
      await page.goto(`${base}/agents`)
      await page.getByLabel('Name', { exact: true }).fill('own')
      await page.getByRole('button', { name: 'Make token' }).click()
      await page.locator('section[aria-label="Token"]').waitFor()
    }
    await page.goto(`${site.fixture.url}/console/customers/onboard`)
    await page.getByLabel('E-mail', { exact: true }).fill('own@customer.example')
    await page.getByRole('button', { name: 'Onboard customer' }).click()
    await page.waitForURL(/\/console\/customers\/cus_/)
    expect(await site.everything()).not.toEqual(before)
    await context.close()
  })
})
