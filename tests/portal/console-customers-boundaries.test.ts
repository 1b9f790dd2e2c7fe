// Another partner's customer, on every page and every form of the console: as if it weren't there, and nothing changes.

import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerPages } from '../../servers/portal/console-customers/pages.tsx'
import { addPages } from '../../servers/portal/page-kit.tsx'
import { databases } from '../support/databases.ts'
import { type Fixture, makeFixture, makePartner, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { type ConsoleBrowser, enterConsole } from './console-visitor.ts'

describe.each(databases)('another partner’s customer in the console on %s', (kind) => {
  let server: TestServer
  let browser: ConsoleBrowser
  let own: Fixture
  let theirs: Fixture & { tokenId: string }

  beforeAll(async () => {
    server = await startTestServer(kind)
    const other = await makePartner(server.service)
    own = await makeFixture(server.service, server.partner.partnerId)
    const fixture = await makeFixture(server.service, other.partnerId)
    const minted = await run(server.service, other.partnerId, 'customer_token_mint', {
      customerId: fixture.customerId,
      name: 'theirs'
    })
    theirs = { ...fixture, tokenId: stringAt(minted, 'tokenId') }
    browser = await enterConsole(server, server.partner)
  })
  afterAll(() => server.close())

  /** Every route of these pages, with the ids filled in. */
  const routes = (fixture: Fixture & { tokenId: string }, customerId: string) => {
    const routed = new Set(
      addPages(new Hono(), server.service, customerPages)
        .routes.filter(({ path }) => path.includes(':customerId'))
        .map(({ method, path }) => `${method} ${path}`)
    )
    return [...routed].map((route) => {
      const [method = '', path = ''] = route.split(' ')
      return {
        method,
        path: path
          .replace(':customerId', customerId)
          .replace(':mindId', fixture.mindId)
          .replace(':memoryId', fixture.memoryId)
          .replace(':teamMemberId', fixture.teamMemberId)
          .replace(':tokenId', fixture.tokenId)
      }
    })
  }

  const fieldsFor = (fixture: Fixture) => ({
    email: uniqueEmail(),
    firstName: 'Mallory',
    name: 'Mallory',
    role: 'admin',
    agent: `a:${own.agentA}`,
    provider: 'a',
    profitMultiplier: '2',
    amount: '5',
    wanted: 'suspended',
    scopes: 'memory:read',
    expiry: '30',
    confirm: fixture.code
  })

  const isRedirect = (path: string) =>
    /\/(invite|reset|block|map|unmap|refresh|remove|create|enable|forget|retry|grant|mint|revoke|end|resend|view|reset-factors|erase|give|buy|undo)$/.test(
      path
    )

  it('has no page and takes no form, by id or by code', async () => {
    const before = await everyRow(server.service)
    let asked = 0
    for (const customerId of [theirs.customerId, theirs.code]) {
      for (const { method, path } of routes(theirs, customerId)) {
        // The address of a form only leads to its page.
        if (method === 'GET' && isRedirect(path)) continue
        const answer =
          method === 'GET' ? await browser.get(path) : await browser.post(path, fieldsFor(theirs))
        expect([method, path, answer.status]).toEqual([method, path, 404])
        expect(answer.text).not.toContain('Lovelace')
        asked += 1
      }
    }
    expect(asked).toBeGreaterThan(40)
    expect(await everyRow(server.service)).toEqual(before)
  })

  it('can’t be reached through one’s own: its members, Minds, memories, tokens and agents', async () => {
    const before = await everyRow(server.service)
    const customer = `/customers/${own.customerId}`
    const attempts: [string, Record<string, string>][] = [
      [`${customer}/team/${theirs.teamMemberId}/remove`, {}],
      [`${customer}/tokens/${theirs.tokenId}/revoke`, {}],
      [`${customer}/memory/${theirs.mindId}/forget`, {}],
      [`${customer}/memory/${theirs.mindId}/retry`, {}],
      [`${customer}/memory/${theirs.mindId}/memories/${theirs.memoryId}/forget`, {}],
      [`${customer}/memory/${own.mindId}/memories/${theirs.memoryId}/forget`, {}],
      [`${customer}/voice-agents/map`, { agent: `a:${theirs.agentA}`, profitMultiplier: '2' }],
      [`${customer}/voice-agents/map`, { agent: `b:${theirs.agentB}`, profitMultiplier: '2' }],
      [`${customer}/voice-agents/unmap`, { agent: `a:${theirs.agentA}` }]
    ]
    for (const [path, fields] of attempts) {
      const answer = await browser.post(path, fields)
      expect([path, answer.status]).toEqual([path, 404])
    }
    for (const path of [
      `${customer}/memory/${theirs.mindId}`,
      `${customer}/memory/${theirs.mindId}/export`
    ]) {
      expect([path, (await browser.get(path)).status]).toEqual([path, 404])
    }
    expect(await everyRow(server.service)).toEqual(before)
  })

  it('can’t lend its plans: onboarding and credit plans refuse them', async () => {
    const refused = await browser.post('/customers/onboard', { email: uniqueEmail(), planId: theirs.planId })
    expect(refused.status).toBe(400)
    const details = await browser.post(`/customers/${own.customerId}/details`, {
      creditPlanIds: theirs.planId
    })
    expect(details.status).toBe(400)
  })

  it('isn’t in any list', async () => {
    for (const path of ['', '/customers', '/voice-agents', `/customers/${own.customerId}/voice-agents`]) {
      const { status, html } = await browser.get(path)
      expect([path, status]).toEqual([path, 200])
      expect(html).not.toContain(theirs.customerId)
      expect(html).not.toContain(theirs.agentA)
    }
  })

  it('is sent to sign in on every page without a session', async () => {
    for (const { method, path } of routes({ ...own, tokenId: 'tok_x' }, own.customerId)) {
      const answer = await fetch(`${server.url}/console${path}`, {
        method,
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
        ...(method === 'POST' ? { body: new URLSearchParams({ name: 'x' }) } : {})
      })
      await answer.text()
      expect([path, answer.status]).toEqual([path, 303])
      expect(answer.headers.get('location')).toContain('/console/sign-in')
    }
  })
})
