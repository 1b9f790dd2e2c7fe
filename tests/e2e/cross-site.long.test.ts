// Every form of every site, sent by a real browser in every way from every place.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OtherSite, openOtherSite, PLACES, SITES, WAYS } from './other-site.ts'

let site: OtherSite
beforeAll(async () => {
  site = await openOtherSite()
})
afterAll(() => site.close())

describe.each(PLACES)('a page of %s', (place) => {
  it.each(SITES)('changes nothing in the %s, however it posts', { timeout: 300_000 }, async (name) => {
    const context = await site.signedIn()
    const before = await site.everything()
    const page = await context.newPage()
    const { base, targets } = site.sites[name]
    for (const way of Object.keys(WAYS)) {
      for (const { path, fields } of targets) await site.attack(page, place, way, base + path, fields)
    }
    expect(await site.everything()).toEqual(before)
    const cookies = (await context.cookies(site.fixture.url)).map((cookie) => cookie.name)
    expect(cookies).toEqual(expect.arrayContaining(['mindgate_portal', 'mindgate_console']))
    await context.close()
  })
})
