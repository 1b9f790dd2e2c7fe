// What is off for a customer is off at its route, for everybody of theirs and whatever the method, and not only in the menu.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run, stringAt } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makePortalCustomer, makeTeamMate } from './customer-visitors.ts'

const ALL_ON = {
  enableAdvancedAnalytics: true,
  aiCreditsEnabled: true,
  showIntegration: true,
  showKnowledgeBase: true
}

const ROUTES: readonly [off: Record<string, unknown>, gets: readonly string[], posts: readonly string[]][] = [
  [
    { enableAiMemory: false },
    ['/memory', '/memory/ask', '/memory/minds'],
    ['/memory/remember', '/memory/ask/answer', '/memory/minds/create']
  ],
  [
    { showKnowledgeBase: false },
    ['/memory', '/memory/ask', '/memory/minds'],
    ['/memory/remember', '/memory/ask/answer', '/memory/minds/create']
  ],
  [{ enableTeamMembers: false }, ['/team'], ['/team/invite']],
  [{ enableAdvancedAnalytics: false }, ['/usage'], []],
  [{ showIntegration: false }, ['/agents', '/agents/setup'], ['/agents/mint', '/agents/test']],
  [{ aiCreditsEnabled: false }, ['/packs'], []]
]

describe('what is switched off', () => {
  let server: TestServer
  let packId: string
  const act = (name: string, input: Record<string, unknown>) =>
    run(server.service, server.partner.partnerId, name, input)
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    const pack = { name: '500', kind: 'credit', features: {}, price: 49, credits: 500 }
    packId = stringAt(await act('plan_create', pack), 'data', 'planId')
  })
  afterAll(() => server.close())

  it.each(ROUTES)('isn’t there: %j', async (off, gets, posts) => {
    const on = { ...ALL_ON, creditPlanIds: [packId] }
    const { owner, customerId } = await makePortalCustomer(server, server.partner, on)
    for (const path of gets) expect([path, (await owner.get(path)).status]).toEqual([path, 200])
    await act('customer_update', { customerId, ...off })
    for (const path of gets) expect([path, (await owner.get(path)).status]).toEqual([path, 404])
    for (const path of posts) expect([path, (await owner.post(path, {})).status]).toEqual([path, 404])
    if ('enableTeamMembers' in off) return
    const { browser } = await makeTeamMate(server, server.partner, customerId, 'member')
    for (const path of gets) expect((await browser.get(path)).status).toBeGreaterThanOrEqual(403)
  })

  it('is a pack’s page, too, where the customer may buy none', async () => {
    const { owner } = await makePortalCustomer(server, server.partner, ALL_ON)
    expect((await owner.get('/packs')).status).toBe(404)
  })
})
