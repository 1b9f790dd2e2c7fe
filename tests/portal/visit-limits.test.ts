// Who is signed in has a budget of requests as an API key has, whatever the page and however many the sessions.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { chatClient } from '../instances/chat-client.ts'
import { databases } from '../support/databases.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { enterConsole } from './console-visitor.ts'
import { browserAt, makePortalCustomer, openSession, textOf } from './customer-visitors.ts'

const ALONE = { alone: 'the clock that moves is this process’s' }

let server: TestServer | undefined
afterEach(async () => {
  vi.useRealTimers()
  await server?.close()
})

describe.each(databases)('who is signed in, on %s,', (kind) => {
  it('is refused beyond a budget that all sessions of theirs share, pages and chat together', async () => {
    const opened = await startTestServer(kind, { RATE_LIMIT: '4' }, ALONE)
    server = opened
    const { partnerId, slug, key } = opened.partner
    const { owner, email, customerId } = await makePortalCustomer(opened)
    const instance = await makeInstance(opened.service, partnerId, customerId)
    const again = await openSession(opened.service, partnerId, email)
    const other = browserAt(`${opened.url}/portal/${slug}`, `mindgate_portal=${again}`)
    const stranger = await makePortalCustomer(opened)
    // Its window doesn't end meanwhile, on the slowest machine either.
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const chat = chatClient(opened.url, owner.identity.cookie, instance.id)
    expect([(await owner.get('')).status, (await other.get('')).status]).toEqual([200, 200])
    await chat.history()
    expect((await other.get('/account')).status).toBe(200)

    const refused = await owner.get('')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(textOf(refused.html)).toMatch(/Too many requests\. Try again in \d+ seconds\./)
    expect((await other.get('')).status).toBe(429)
    expect((await chat.send('hello')).body).toMatchObject({ code: 'rate_limited' })
    expect((await chat.request('/history')).status).toBe(429)

    expect((await stranger.owner.get('')).status).toBe(200)
    expect((await opened.api('GET', '/customers', { key })).status).toBe(200)
    vi.advanceTimersByTime(Number(refused.headers.get('retry-after')) * 1_000)
    if (kind === 'sqlite') expect((await owner.get('')).status).toBe(200)
  })

  it('has the same budget in the console', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const opened = await startTestServer(kind, { RATE_LIMIT: '4' }, ALONE)
    server = opened
    const staff = await enterConsole(opened, opened.partner)
    const statuses = []
    for (let i = 0; i < 6; i += 1) statuses.push((await staff.get('/customers')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  })

  it('has that budget, too, while looking at a customer’s portal', async () => {
    const opened = await startTestServer(kind, { RATE_LIMIT: '4' }, ALONE)
    server = opened
    const { slug } = opened.partner
    const { customerId } = await makePortalCustomer(opened)
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const staff = await enterConsole(opened, opened.partner)
    const { headers } = await staff.post(`/customers/${customerId}/portal-access/view`)
    const [cookie = ''] = headers.getSetCookie().flatMap((line) => line.match(/^mindgate_view=[^;]+/) ?? [])
    const looker = browserAt(`${opened.url}/portal/${slug}`, cookie)
    const statuses = []
    for (let i = 0; i < 4; i += 1) statuses.push((await looker.get('')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await staff.get('/customers')).status).toBe(429)
  })
})
