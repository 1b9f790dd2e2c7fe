// What a customer sees first, and that what is switched off is absent.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { run } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { startAtNoon } from '../support/noon.ts'
import { makePortalCustomer, makeTeamMate, textOf } from './customer-visitors.ts'

describe('a customer’s home', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  afterAll(() => server.close())

  const homeOf = async (changes: Record<string, unknown> = {}) => {
    const { owner, customerId } = await makePortalCustomer(server, server.partner, changes)
    return { customerId, owner, home: async () => textOf((await owner.get('')).html) }
  }

  it('says what to do first while there is nothing', async () => {
    const { home } = await homeOf()
    const text = await home()
    expect(text).toContain('Write a first memory')
    expect(text).toContain('Connect an agent')
    expect(text).toContain('Invite your team')
  })

  it('counts memories and places, and shows what was remembered last', async () => {
    const { home, customerId } = await homeOf({ maxTeamMembers: 3 })
    const { partnerId } = server.partner
    await run(server.service, partnerId, 'memory_remember', { customerId, content: 'Ada: I like tea.' })
    await run(server.service, partnerId, 'memory_remember', { customerId, content: 'Ada: I like maps.' })
    await makeTeamMate(server, server.partner, customerId, 'member')
    const text = await home()
    expect(text).toContain('2 memories')
    expect(text).toContain('1 of 3 places in your team')
    expect(text).toMatch(/Remembered last.*Ada: I like maps\./)
    expect(text).not.toContain('Write a first memory')
    expect(text).not.toContain('Invite your team')
  })

  it('shows credits to those who pay by them, and warns when they run low', async () => {
    const { home, customerId } = await homeOf({ aiCreditsEnabled: true, lowCreditThreshold: 10 })
    expect(await home()).toMatch(/AI credits 0 credits left\. .*Ask .* for more\. used up/)
    await run(server.service, server.partner.partnerId, 'credits_grant', { customerId, amount: 4 })
    expect(await home()).toMatch(/4 credits left\. .*for more\. low/)
    await run(server.service, server.partner.partnerId, 'credits_grant', { customerId, amount: 96 })
    const text = await home()
    expect(text).toContain('100 credits left.')
    expect(text).not.toContain('for more')
    expect(text).not.toContain('credits a day')
  })

  it('charts the credits of each day where analytics are on', async () => {
    startAtNoon()
    const { home, customerId } = await homeOf({ aiCreditsEnabled: true, enableAdvancedAnalytics: true })
    const { partnerId } = server.partner
    await run(server.service, partnerId, 'credits_grant', { customerId, amount: 10 })
    await run(server.service, partnerId, 'memory_remember', { customerId, content: 'Ada: I like tea.' })
    const text = await home()
    expect(text).toContain('Used credits a day')
    const today = new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC'
    }).format()
    expect(text).toContain(`${today} 1`)
  })

  it('has no credits for a customer without credits of its own', async () => {
    const { home } = await homeOf({ enableAdvancedAnalytics: true })
    expect(await home()).not.toMatch(/credit/i)
  })

  it('is nearly empty where all is switched off', async () => {
    const { home } = await homeOf({
      enableAiMemory: false,
      enableTeamMembers: false,
      showIntegration: false
    })
    const text = await home()
    expect(text).toContain('Nothing is switched on for you yet')
    expect(text).not.toMatch(/memories|tokens|places/)
  })

  it('shows a member the memory and nothing of credits, team and tokens', async () => {
    const { customerId } = await homeOf({ aiCreditsEnabled: true, enableAdvancedAnalytics: true })
    const { browser } = await makeTeamMate(server, server.partner, customerId, 'member')
    const { status, html } = await browser.get('')
    expect(status).toBe(200)
    expect(textOf(html)).toContain('0 memories')
    expect(textOf(html)).not.toMatch(/credit|token|places|Connect an agent/i)
  })
})
